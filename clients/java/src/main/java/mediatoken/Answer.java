package mediatoken;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What came: the status, when to ask again, and a JSON object, which is empty where another thing came. */
record Answer(int status, Duration retryAfter, Map<?, ?> said) {
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 ([0-9]{3})(?: .*)?");
  private static final Pattern LENGTH = Pattern.compile("\r\n(?i:Content-Length): *([0-9]{1,9})(?=\r\n)");
  private static final Pattern AFTER = Pattern.compile("\r\n(?i:Retry-After): *([0-9]{1,5})(?=\r\n)");

  /** The head of an answer, as far as the end of its last field; empty if it is not whole, or longer than any of the daemon's. */
  private static String head(byte[] bytes, int count) {
    String text = new String(bytes, 0, Math.min(count, 16_384), StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    return end < 0 ? "" : text.substring(0, end + 2);
  }

  /** Whether so many bytes are one answer, or more. */
  static boolean isWhole(byte[] bytes, int count) {
    String head = head(bytes, count);
    Matcher length = LENGTH.matcher(head);
    return length.find() && count >= head.length() + 2 + Integer.parseInt(length.group(1));
  }

  /** Of all that came on a connection: one answer, and no byte more or less. */
  static Answer of(byte[] bytes) throws IOException {
    String head = head(bytes, bytes.length);
    int start = head.length() + 2;
    Matcher status = STATUS.matcher(head);
    Matcher length = LENGTH.matcher(head);
    if (!status.lookingAt() || !length.find() || Integer.parseInt(length.group(1)) != bytes.length - start) {
      throw new IOException("no whole answer of HTTP/1.1 came");
    }
    Matcher after = AFTER.matcher(head);
    Map<?, ?> said = Json.object(new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8));
    return new Answer(Integer.parseInt(status.group(1)), after.find() ? Duration.ofSeconds(Long.parseLong(after.group(1))) : null,
        said == null ? Map.of() : said);
  }

  private String text(String name) { return said.get(name) instanceof String text ? text : ""; }

  /** What is neither clearly valid nor refused is Unavailable. */
  ValidToken outcome(Map<String, String> told, String requestID) throws NotValid {
    String verdict = text("verdict");
    String action = text("action");
    String id = text("requestID");
    boolean isOurs = requestID == null || requestID.equals(id);
    if (status == 200) {
      for (String name : new String[] {"requestor", "resource"}) {
        isOurs &= !told.containsKey(name) || told.get(name).equals(text(name + "ID"));
      }
      try {
        if (isOurs && verdict.equals("VALID_TOKEN")) return new ValidToken(said);
      } catch (RuntimeException unreadable) {
        // A member is missing, or of another type.
      }
      String why = "not the answer to this question; check what listens at the address";
      throw new Unavailable("NO_ANSWER", status, "retry", null, requestID, why, ": " + why);
    }
    if (status == 403 && isOurs && !verdict.isEmpty() && !verdict.equals("VALID_TOKEN")) {
      throw new Refused(verdict, text("reason"), action, text("adobeCode"), id, text("detail"));
    }
    if (status == 403 && text("error").equals("no-token-in-decision")) {
      throw new Refused(null, "no-token-in-decision", action, "ERROR_UNKNOWN", requestID, text("detail"));
    }
    String name = !text("fault").isEmpty() ? text("fault") : !text("error").isEmpty() ? text("error") : "NO_ANSWER";
    throw new Unavailable(name, status, action.isEmpty() ? "retry" : action, retryAfter, requestID != null || id.isEmpty() ? requestID : id,
        text("detail"), "");
  }
}
