package mediatoken;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of an answer, and its body once that was read.
 *
 * @param status of HTTP
 * @param fields by their names in lower case
 * @param body as long as the head says
 * @param isKept whether another question may be asked on the connection
 */
record Answer(int status, Map<String, String> fields, byte[] body, boolean isKept) {
  private static final String VALUE = "[\\t\\x20-\\x7e\\x80-\\xff]*";
  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.1 ([2-9][0-9]{2}) " + VALUE);
  private static final Pattern FIELD = Pattern.compile("([!#$%&'*+\\-.^_`|~0-9A-Za-z]+):(" + VALUE + ")");
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,9}");
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,5}");

  /** Reads a head without its last line's end. There is one way to read it, and the length of its body is known. */
  static Answer head(byte[] bytes, int length) throws ForeignAnswer {
    String[] lines = new String(bytes, 0, length, StandardCharsets.ISO_8859_1).split("\r\n", -1);
    Matcher start = STATUS_LINE.matcher(lines[0]);
    if (!start.matches()) throw new ForeignAnswer("no status line of HTTP/1.1 for what was asked");
    Map<String, String> fields = new HashMap<>();
    for (int index = 1; index < lines.length; index++) {
      Matcher field = FIELD.matcher(lines[index]);
      if (!field.matches()) throw new ForeignAnswer("a broken field in its head");
      String name = lowerCase(field.group(1));
      String before = fields.put(name, stripped(field.group(2)));
      switch (name) {
        case "transfer-encoding", "content-encoding" -> throw new ForeignAnswer("a body that is coded");
        case "content-length", "content-type", "connection", "retry-after" -> {
          if (before != null) throw new ForeignAnswer("a head that can be read in two ways");
        }
        default -> { }
      }
    }
    if (!LENGTH.matcher(fields.getOrDefault("content-length", "")).matches()) {
      throw new ForeignAnswer("expected one with a Content-Length");
    }
    return new Answer(Integer.parseInt(start.group(1)), fields, new byte[0], false);
  }

  /** With its body; {@code isWhole}: all of the question was sent. */
  Answer with(byte[] read, boolean isWhole) {
    return new Answer(status, fields, read, isWhole && !fields.containsKey("connection"));
  }

  int length() {
    return Integer.parseInt(fields.get("content-length"));
  }

  boolean isOfType(String type) {
    return type.equals(fields.get("content-type"));
  }

  /** Null where it says nothing, or a date. */
  Duration retryAfter() {
    String value = fields.getOrDefault("retry-after", "");
    return SECONDS.matcher(value).matches() ? Duration.ofSeconds(Integer.parseInt(value)) : null;
  }

  private static String lowerCase(String name) {
    return name.toLowerCase(java.util.Locale.ROOT);
  }

  /** Without spaces and tabs around it. */
  private static String stripped(String value) {
    int start = 0;
    int end = value.length();
    while (start < end && (value.charAt(start) == ' ' || value.charAt(start) == '\t')) start++;
    while (start < end && (value.charAt(end - 1) == ' ' || value.charAt(end - 1) == '\t')) end--;
    return value.substring(start, end);
  }
}
