package mediatoken;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads JSON in which no member comes twice, as Java has no reader of its own. Objects are Map, arrays List, integers Long. */
final class Json {
  private static final int LEVELS = 64;
  private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*+)(\\.[0-9]++)?([eE][+-]?[0-9]++)?");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:([\"\\\\/bfnrt])|u([0-9a-fA-F]{4}))");

  private final String text;
  private int at;

  private Json(String text) { this.text = text; }

  /** The object that all of these bytes are, or null. */
  static Map<?, ?> object(byte[] bytes) {
    try {
      Json json = new Json(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
      Object value = json.value(LEVELS);
      return json.at == json.text.length() && value instanceof Map<?, ?> members ? members : null;
    } catch (CharacterCodingException | IllegalArgumentException broken) {
      return null;
    }
  }

  /** A text as JSON. */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char unit : text.toCharArray()) {
      quoted.append(unit < 0x20 || unit == '"' || unit == '\\' ? String.format("\\u%04x", (int) unit) : unit);
    }
    return quoted.append('"').toString();
  }

  /** A value and the space around it. */
  private Object value(int levels) {
    skipSpace();
    Object value = takes('{') ? members(levels) : takes('[') ? elements(levels) : takes('"') ? string() : word();
    skipSpace();
    return value;
  }

  private Map<String, Object> members(int levels) {
    Map<String, Object> members = new HashMap<>();
    each('}', levels, () -> {
      if (!(value(0) instanceof String name) || !takes(':') || members.containsKey(name)) throw broken();
      members.put(name, value(levels - 1));
    });
    return members;
  }

  private List<Object> elements(int levels) {
    List<Object> elements = new ArrayList<>();
    each(']', levels, () -> elements.add(value(levels - 1)));
    return elements;
  }

  /** Reads what commas are between, to its end. */
  private void each(char end, int levels, Runnable one) {
    skipSpace();
    if (takes(end)) return;
    do {
      if (levels == 0) throw broken();
      one.run();
    } while (takes(','));
    if (!takes(end)) throw broken();
  }

  private Object word() {
    for (Object each : new Object[] {true, false, "null"}) {
      if (text.startsWith(each.toString(), at)) {
        at += each.toString().length();
        return each.equals("null") ? null : each;
      }
    }
    String number = skip(NUMBER).group();
    return number.length() < 16 && number.matches("-?[0-9]+") ? (Object) Long.valueOf(number) : Double.valueOf(number);
  }

  private String string() {
    StringBuilder read = new StringBuilder();
    while (!takes('"')) {
      int start = at;
      while (at < text.length() && text.charAt(at) >= ' ' && text.charAt(at) != '"' && text.charAt(at) != '\\') at++;
      if (at > start) {
        read.append(text, start, at);
        continue;
      }
      Matcher escape = skip(ESCAPE);
      read.append(escape.group(1) == null ? (char) Integer.parseInt(escape.group(2), 16)
          : "\"\\/\b\f\n\r\t".charAt("\"\\/bfnrt".indexOf(escape.group(1))));
    }
    return read.toString();
  }

  private boolean takes(char wanted) {
    boolean isThere = at < text.length() && text.charAt(at) == wanted;
    if (isThere) at++;
    return isThere;
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
  }

  /** Skips what must come next. */
  private Matcher skip(Pattern pattern) {
    Matcher next = pattern.matcher(text).region(at, text.length());
    if (!next.lookingAt()) throw broken();
    at = next.end();
    return next;
  }

  private static IllegalArgumentException broken() { return new IllegalArgumentException("no JSON"); }
}
