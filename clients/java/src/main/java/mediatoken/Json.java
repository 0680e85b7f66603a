package mediatoken;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what the daemon writes. Commas that are too many or too few are no error. */
final class Json {
  private static final Pattern TOKENS = Pattern.compile("\\s*+([{}\\[\\],:]|\"(?:[^\"\\\\\\x00-\\x1f]++|\\\\.)*+\"|[-+.\\w]++)\\s*+");
  private static final Pattern ESCAPES = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|([\"\\\\/bfnrt]))");
  private static final int LEVELS = 32;

  private final Matcher tokens;
  private int end;

  private Json(String text) { tokens = TOKENS.matcher(text); }

  /** {@return the object that a text is; null of anything else} */
  static Map<?, ?> object(String text) {
    Json json = new Json(text);
    try {
      return json.value(json.next(), LEVELS) instanceof Map<?, ?> object && json.end == text.length() ? object : null;
    } catch (IllegalArgumentException notJSON) {
      return null;
    }
  }

  static String quoted(String text) {
    return text.chars().mapToObj(unit -> unit < 0x20 || unit == '"' || unit == '\\' ? String.format("\\u%04x", unit) : "" + (char) unit)
        .collect(java.util.stream.Collectors.joining("", "\"", "\""));
  }

  private String next() {
    if (!tokens.find() || tokens.start() != end) throw new IllegalArgumentException();
    end = tokens.end();
    return tokens.group(1);
  }

  private Object value(String token, int levels) {
    if (levels == 0) throw new IllegalArgumentException();
    switch (token) {
      case "{":
        Map<String, Object> object = new HashMap<>();
        for (String name = next(); !name.equals("}"); name = next()) {
          if (name.equals(",")) continue;
          if (!next().equals(":")) throw new IllegalArgumentException();
          object.put(string(name), value(next(), levels - 1));
        }
        return object;
      case "[":
        List<Object> array = new ArrayList<>();
        for (String each = next(); !each.equals("]"); each = next()) {
          if (!each.equals(",")) array.add(value(each, levels - 1));
        }
        return array;
      case "true", "false":
        return Boolean.valueOf(token);
      case "null":
        return null;
      default:
        if (token.startsWith("\"")) return string(token);
        return token.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(token) : (Object) Double.valueOf(token);
    }
  }

  private static String string(String token) {
    if (!token.startsWith("\"")) throw new IllegalArgumentException();
    return ESCAPES.matcher(token.substring(1, token.length() - 1)).replaceAll(found -> Matcher.quoteReplacement(found.group(1) != null
        ? "" + (char) Integer.parseInt(found.group(1), 16) : "" + "\"\\/\b\f\n\r\t".charAt("\"\\/bfnrt".indexOf(found.group(2)))));
  }
}
