package mediatoken;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What an answer means ("How an answer is read" in the README of the kits). What is not so is a {@link ForeignAnswer}. */
final class Reading {
  static final Pattern REQUEST_ID = Pattern.compile("[A-Za-z0-9._:+/=@-]{1,128}");
  private static final Pattern NAME = Pattern.compile("[A-Z_]{1,64}");
  private static final Pattern WORD = Pattern.compile("[a-z0-9-]{1,64}");
  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern TIME = Pattern.compile("(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z");
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,5}");
  /** Those of texts; others may be anything. */
  private static final Map<String, Pattern> FORMS = Map.ofEntries(
      Map.entry("verdict", NAME), Map.entry("fault", NAME), Map.entry("adobeCode", NAME), Map.entry("reason", WORD),
      Map.entry("action", WORD), Map.entry("error", WORD), Map.entry("identity", DIGEST), Map.entry("keyFingerprint", DIGEST),
      Map.entry("requestID", REQUEST_ID), Map.entry("issueTime", TIME), Map.entry("expiresAt", TIME));
  private static final String VALID = "VALID_TOKEN";

  private final int status;
  private final Map<?, ?> members;
  private final String retryAfter;
  private String kind;

  private Reading(Answer answer, String... kinds) throws ForeignAnswer {
    status = answer.status();
    retryAfter = answer.fields().getOrDefault("retry-after", "");
    expect("application/json".equals(answer.fields().get("content-type")), "another content type");
    members = Json.object(answer.body());
    expect(members != null, "not one JSON object that can be read in one way only");
    for (String each : kinds) {
      expect(!has(each) || kind == null, "two outcomes");
      if (has(each)) kind = each;
    }
    expect(kind != null, "no outcome");
  }

  /** The valid token. The request id is the one that was sent; null: the daemon chooses one. */
  static ValidToken token(Answer answer, Question question, String requestID) throws NotValid {
    Reading read = new Reading(answer, "verdict", "fault", "error");
    if (read.kind.equals("error")) throw read.error(question.isDecision());
    String found = read.text("requestID");
    expect(requestID == null || requestID.equals(found), "another request id; is the header the daemon's requestIDHeader?");
    if (read.kind.equals("fault")) {
      read.expectNumber(503, 64, 127);
      read.action();
      throw new Fault(read.text("fault"), 503, read.after(), read.said("fault", "action", "requestID"));
    }
    String identity = read.optional("identity");
    boolean isValid = read.text("verdict").equals(VALID);
    boolean isOurs = identity == null ? !isValid : question.identities().contains(identity);
    expect(isOurs, "about a different token from the one that was sent");
    expect(read.text("adobeCode").equals(VALID) == isValid && read.text("action").equals("none") == isValid,
        "a verdict that its action contradicts");
    if (!isValid) {
      read.expectNumber(403, 1, 63);
      String message = read.text("verdict") + ": " + read.text("reason");
      read.text("detail");
      throw new Refused(message, read.said("verdict", "reason", "detail", "action", "adobeCode", "identity", "requestID"));
    }
    read.expectNumber(200, 0, 0);
    String requestor = question.requestor().id();
    expect(requestor == null || requestor.equals(read.text("requestorID")), "a valid token for another requestor");
    String resource = question.resource().expected();
    expect(resource == null || resource.equals(read.text("resourceID")), "a valid token for another resource");
    Map<String, Object> said = new HashMap<>(read.said("identity", "requestID", "proxyMvpdId", "viewerTag", "handover"));
    for (String name : List.of("requestorID", "resourceID", "mvpdId", "sessionGUID", "keyFingerprint")) said.put(name, read.text(name));
    for (String name : List.of("issueTime", "expiresAt")) said.put(name, read.time(name));
    said.put("use", Use.named(read.text("use")));
    said.put("unknownFields", read.texts("unknownFields"));
    // It has at most twelve digits, as the token's.
    said.put("ttlMilliseconds", read.number("ttlMilliseconds", 0, 999_999_999_999L));
    return new ValidToken(said);
  }

  /** Returns if it is ready. */
  static Void readiness(Answer answer) throws NotReady, NotValid {
    Reading read = new Reading(answer, "status", "verdict", "fault", "error");
    if (read.kind.equals("error")) throw read.error(false);
    if (read.text("status").equals("not-ready")) {
      expect(read.status == 503, "a status that the member contradicts");
      throw new NotReady(read.text("reason"), read.text("detail"), read.text("cure"), read.after());
    }
    expect(read.text("status").equals("ready") && read.status == 200, "no status");
    return null;
  }

  private NotValid error(boolean isDecision) throws ForeignAnswer {
    String name = text("error");
    expect(status >= 400 && status <= 599, "an error that its status contradicts");
    Map<String, String> said = said("error", "detail");
    text("detail");
    said.put("action", has("action") ? action() : "report");
    if (!name.equals("no-token-in-decision")) return new Fault(name, status, after(), said);
    expect(isDecision && status == 403, "about a decision that was not sent");
    said.putAll(Map.of("reason", name, "adobeCode", "ERROR_UNKNOWN"));
    said.put("decisionError", optional("decisionError"));
    return new Refused(name, said);
  }

  /** Members of an answer that is no valid token's; null where one is not there. */
  private Map<String, String> said(String... names) throws ForeignAnswer {
    Map<String, String> said = new HashMap<>();
    for (String name : names) said.put(name, optional(name));
    return said;
  }

  private boolean has(String name) { return members.containsKey(name); }

  String text(String name) throws ForeignAnswer {
    boolean isText = members.get(name) instanceof String text && (!FORMS.containsKey(name) || FORMS.get(name).matcher(text).matches());
    expect(isText, "without a member " + name + " of its form");
    return (String) members.get(name);
  }

  String optional(String name) throws ForeignAnswer { return has(name) ? text(name) : null; }

  List<String> texts(String name) throws ForeignAnswer {
    expect(members.get(name) instanceof List<?> list && list.stream().allMatch(String.class::isInstance),
        "without a member " + name + " of its form");
    return ((List<?>) members.get(name)).stream().map(String.class::cast).toList();
  }

  long number(String name, long least, long most) throws ForeignAnswer {
    expect(members.get(name) instanceof Long number && number >= least && number <= most, "without a member " + name + " of its form");
    return (Long) members.get(name);
  }

  Instant time(String name) throws ForeignAnswer {
    String text = text(name);
    try {
      return LocalDateTime.parse(text.substring(0, text.length() - 1)).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException noTime) {
      throw new ForeignAnswer("without a member " + name + " of its form");
    }
  }

  private void expectNumber(int wanted, long least, long most) throws ForeignAnswer {
    expect(status == wanted, "an outcome that its status contradicts");
    number("number", least, most);
  }

  /** Of anything that is not valid. */
  private String action() throws ForeignAnswer {
    expect(!text("action").equals("none"), "an outcome that its action contradicts");
    return text("action");
  }

  private Duration after() { return SECONDS.matcher(retryAfter).matches() ? Duration.ofSeconds(Long.parseLong(retryAfter)) : null; }

  static void expect(boolean holds, String otherwise) throws ForeignAnswer {
    if (!holds) throw new ForeignAnswer(otherwise);
  }
}
