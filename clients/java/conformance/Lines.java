import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Lines of JSON: the runner's, which are as they should be, and the driver's. */
final class Lines {
  private final String line;
  private int at;

  private Lines(String line) {
    this.line = line;
  }

  /** A line's value: objects are Map, arrays List, integers Long. */
  static Object read(String line) {
    return new Lines(line).value();
  }

  /** A value as a line. */
  static String written(Object value) {
    if (value instanceof Map<?, ?> members) {
      return members.entrySet().stream().map(member -> written(member.getKey()) + ":" + written(member.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof List<?> elements) {
      return elements.stream().map(Lines::written).collect(Collectors.joining(",", "[", "]"));
    }
    if (!(value instanceof String text)) return String.valueOf(value);
    StringBuilder quoted = new StringBuilder("\"");
    for (char unit : text.toCharArray()) {
      boolean isPlain = unit >= 0x20 && unit < 0x7f && unit != '"' && unit != '\\';
      quoted.append(isPlain ? String.valueOf(unit) : String.format("\\u%04x", (int) unit));
    }
    return quoted.append('"').toString();
  }

  private Object value() {
    char first = next();
    if (first == '{') {
      Map<String, Object> members = new LinkedHashMap<>();
      for (char unit = next(); unit != '}'; unit = next()) {
        if (unit == ',') unit = next();
        String name = string();
        next();
        members.put(name, value());
      }
      return members;
    }
    if (first == '[') {
      List<Object> elements = new ArrayList<>();
      for (char unit = next(); unit != ']'; unit = next()) {
        if (unit != ',') at--;
        elements.add(value());
      }
      return elements;
    }
    if (first == '"') return string();
    int start = at - 1;
    while (at < line.length() && ",]} ".indexOf(line.charAt(at)) < 0) at++;
    return Long.valueOf(line.substring(start, at));
  }

  /** After its first quote. */
  private String string() {
    StringBuilder text = new StringBuilder();
    for (char unit = line.charAt(at++); unit != '"'; unit = line.charAt(at++)) {
      if (unit != '\\') {
        text.append(unit);
        continue;
      }
      char escape = line.charAt(at++);
      if (escape == 'u') {
        text.append((char) Integer.parseInt(line.substring(at, at + 4), 16));
        at += 4;
      } else {
        int known = "bfnrt".indexOf(escape);
        text.append(known < 0 ? escape : "\b\f\n\r\t".charAt(known));
      }
    }
    return text.toString();
  }

  private char next() {
    while (line.charAt(at) == ' ') at++;
    return line.charAt(at++);
  }
}
