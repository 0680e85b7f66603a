package mediatoken;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import java.util.regex.*;
import java.util.stream.Collectors;

/** What came: the status, when to ask again, and a JSON object, which is empty where another thing came. */
record Answer(int status, Duration retryAfter, Map<String, Object> said) {
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 ([1-5][0-9]{2})(?: .*)?\r\n");
  private static final Pattern LENGTH = Pattern.compile("\r\n(?i:Content-Length): *([0-9]{1,9})\r\n");
  private static final Pattern AFTER = Pattern.compile("\r\n(?i:Retry-After): *([0-9]{1,5})\r\n");
  private static final String TEXT = "\"(?:[^\"\\\\\\x00-\\x1f]++|\\\\.)*+\"";
  private static final Pattern TOKENS = Pattern.compile("\\s*+(?:(" + TEXT + ")\\s*+:|([{}\\[\\],]|" + TEXT + "|[-+.\\w]++))\\s*+");
  private static final Pattern ESCAPES = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|([\"\\\\/bfnrt]))");

  /** The answer with which so many bytes begin; null while it is not whole. */
  static Answer of(byte[] bytes, int count) throws IOException {
    String head = new String(bytes, 0, Math.min(count, 16_384), StandardCharsets.ISO_8859_1);
    int start = head.indexOf("\r\n\r\n") + 4;
    if (start < 4 && count < 16_384) return null;
    Matcher status = STATUS.matcher(head);
    Matcher length = LENGTH.matcher(head).region(0, start);
    if (start < 4 || !status.lookingAt() || !length.find()) throw new IOException("no answer of HTTP/1.1 came");
    int size = Integer.parseInt(length.group(1));
    if (count - start < size) return null;
    Map<String, Object> said = object(new String(bytes, start, size, StandardCharsets.UTF_8));
    Matcher after = AFTER.matcher(head).region(0, start);
    Duration time = after.find() ? Duration.ofSeconds(Long.parseLong(after.group(1))) : null;
    return new Answer(Integer.parseInt(status.group(1)), time, said == null ? Map.of() : said);
  }

  /** In place of an answer of ours. */
  static Answer none(int status, String why) { return new Answer(status, null, Map.of("detail", why)); }

  String text(String name, String otherwise) { return said.get(name) instanceof String text ? text : otherwise; }

  /** What is neither clearly valid nor refused is Unavailable. */
  ValidToken outcome(Map<String, String> told, String requestID) throws NotValid {
    String verdict = text("verdict", "");
    boolean isOurs = requestID == null || requestID.equals(said.get("requestID"));
    boolean isRefused = verdict.isEmpty() ? text("error", "").equals("no-token-in-decision") : isOurs && !verdict.equals("VALID_TOKEN");
    if (status == 403 && isRefused) throw new Refused(this, requestID);
    if (status != 200) throw new Unavailable(this, requestID);
    for (String name : told.keySet()) isOurs &= name.matches("resource.+") || told.get(name).equals(said.get(name + "ID"));
    try {
      if (isOurs && verdict.equals("VALID_TOKEN")) return new ValidToken(said);
    } catch (RuntimeException unreadable) {
      // A member is missing, or of another type.
    }
    throw new Unavailable(none(200, "not the answer to this question; check what listens at the address"), requestID);
  }

  /** The texts, whole numbers and lists of the JSON object that a text is; null of anything else. Commas may be too many or too few. */
  static Map<String, Object> object(String text) {
    Map<String, Object> object = new HashMap<>();
    List<Object> list = new ArrayList<>();
    StringBuilder ends = new StringBuilder();
    String name = null;
    Matcher tokens = TOKENS.matcher(text);
    for (int end = 0; tokens.find() && tokens.start() == end; end = tokens.end()) {
      char kind = tokens.group(1) != null ? ':' : tokens.group(2).charAt(0);
      boolean isMember = ends.length() == 1 && ",}]".indexOf(kind) < 0;
      if (isMember && (kind == ':') == (name != null)) return null;
      if (kind == '{' || kind == '[') {
        list = new ArrayList<>();
        ends.append(kind == '{' ? '}' : ']');
      } else if (kind == '}' || kind == ']') {
        int last = ends.length() - 1;
        if (last < 0 || ends.charAt(last) != kind) return null;
        ends.setLength(last);
      } else if (!isMember && kind != ':' && kind != ',') {
        list.add(value(tokens.group(2)));
      }
      if (isMember && kind != ':') object.put(name, kind == '{' || kind == '[' ? list : value(tokens.group(2)));
      if (isMember) name = kind == ':' ? (String) value(tokens.group(1)) : null;
      if (ends.isEmpty()) return kind == '}' && tokens.end() == text.length() ? object : null;
    }
    return null;
  }

  static String quoted(String text) {
    return text.chars().mapToObj(unit -> String.format("\\u%04x", unit)).collect(Collectors.joining("", "\"", "\""));
  }

  private static Object value(String token) {
    if (!token.startsWith("\"")) return token.matches("-?[0-9]{1,18}") ? Long.valueOf(token) : null;
    return ESCAPES.matcher(token.substring(1, token.length() - 1)).replaceAll(found -> Matcher.quoteReplacement(found.group(1) != null
        ? "" + (char) Integer.parseInt(found.group(1), 16) : "" + "\"\\/\b\f\n\r\t".charAt("\"\\/bfnrt".indexOf(found.group(2)))));
  }
}
