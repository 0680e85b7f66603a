package mediatoken;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An answer of HTTP/1.1.
 *
 * @param status of HTTP
 * @param fields by their names in lower case
 * @param body as long as the head says
 * @param isReusable whether another question may be asked on the connection
 */
record Answer(int status, Map<String, String> fields, byte[] body, boolean isReusable) {
  /** Room for a token of the greatest length with every byte escaped. */
  private static final int BODY_BYTES = 1 << 20;
  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.1 ([2-9][0-9]{2}) [^\\r\\n]*");
  private static final Pattern FIELD = Pattern.compile("([!#$%&'*+\\-.^_`|~0-9A-Za-z]+):[ \\t]*([^\\r\\n]*)");
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,9}");

  /** With its empty line; negative if that has not come yet. */
  static int headLength(byte[] bytes, int count) {
    for (int at = 3; at < count; at++) {
      if (bytes[at] == '\n' && bytes[at - 1] == '\r' && bytes[at - 2] == '\n' && bytes[at - 3] == '\r') return at + 1;
    }
    return -1;
  }

  /** Reads a head; its body has the length that the head says, and is still to be filled. */
  static Answer head(byte[] bytes, int length, boolean isWhole) throws ForeignAnswer {
    String[] lines = new String(bytes, 0, length, StandardCharsets.ISO_8859_1).split("\r\n");
    Matcher start = STATUS_LINE.matcher(lines[0]);
    if (!start.matches()) throw new ForeignAnswer("no status line of HTTP/1.1 for what was asked");
    Map<String, String> fields = new HashMap<>();
    for (int index = 1; index < lines.length; index++) {
      Matcher field = FIELD.matcher(lines[index]);
      if (!field.matches() || fields.put(field.group(1).toLowerCase(Locale.ROOT), field.group(2).stripTrailing()) != null) {
        throw new ForeignAnswer("a head that can be read in two ways");
      }
    }
    String digits = fields.getOrDefault("content-length", "");
    boolean isPlain = !fields.containsKey("transfer-encoding") && !fields.containsKey("content-encoding");
    if (!isPlain || !LENGTH.matcher(digits).matches() || Integer.parseInt(digits) > BODY_BYTES) {
      throw new ForeignAnswer("expected one with a Content-Length of at most 1 MiB, and not coded");
    }
    int status = Integer.parseInt(start.group(1));
    if (status == 200 && !isWhole) throw new ForeignAnswer("200 to half a question");
    return new Answer(status, fields, new byte[Integer.parseInt(digits)], isWhole && !fields.containsKey("connection"));
  }

  Answer kept(boolean isOpen) { return new Answer(status, fields, body, isReusable && isOpen); }
}
