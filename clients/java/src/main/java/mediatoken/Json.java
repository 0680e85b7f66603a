package mediatoken;

import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON (RFC 8259) that can be read in one way only: UTF-8 without a byte order mark, no member twice, no half of a surrogate pair, no
 * more levels than that.
 *
 * <p>Texts are {@link String}, objects {@link Map}, arrays {@link List}, integers that fit {@link Long}; other numbers are
 * {@link #NUMBER}, as none is read.
 */
final class Json {
  /** A number that no one reads. */
  static final Object NUMBER = new Object();
  /** In place of null. */
  static final Object NULL = new Object();

  private static final int LONGEST_INTEGER = 18;

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** The text is not so. */
  static final class Broken extends Exception {
    private static final long serialVersionUID = 1;

    Broken() {
      super("not one JSON object that can be read in one way only", null, false, false);
    }
  }

  /** The members of the one object that all of these bytes are; {@code levels} of objects and arrays at most. */
  static Map<String, Object> object(byte[] bytes, int levels) throws Broken {
    Json json;
    try {
      json = new Json(Texts.read(bytes));
    } catch (CharacterCodingException noText) {
      throw new Broken();
    }
    json.space();
    json.expect('{');
    Map<String, Object> members = json.members(levels - 1);
    json.space();
    if (json.at != json.text.length()) throw new Broken();
    return members;
  }

  /** A string as JSON. */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int index = 0; index < text.length(); index++) {
      char unit = text.charAt(index);
      if (unit == '"' || unit == '\\') {
        quoted.append('\\').append(unit);
      } else if (unit < 0x20) {
        quoted.append(String.format("\\u%04x", (int) unit));
      } else {
        quoted.append(unit);
      }
    }
    return quoted.append('"').toString();
  }

  private Object value(int levels) throws Broken {
    space();
    char first = next();
    switch (first) {
      case '{':
        if (levels == 0) throw new Broken();
        return members(levels - 1);
      case '[':
        if (levels == 0) throw new Broken();
        return elements(levels - 1);
      case '"':
        return string();
      case 't':
        return word("true", Boolean.TRUE);
      case 'f':
        return word("false", Boolean.FALSE);
      case 'n':
        return word("null", NULL);
      default:
        at--;
        return number();
    }
  }

  private Map<String, Object> members(int levels) throws Broken {
    Map<String, Object> members = new LinkedHashMap<>();
    if (isNext('}')) return members;
    do {
      space();
      expect('"');
      String name = string();
      space();
      expect(':');
      if (members.put(name, value(levels)) != null) throw new Broken();
    } while (isNext(','));
    expect('}');
    return members;
  }

  private List<Object> elements(int levels) throws Broken {
    List<Object> elements = new ArrayList<>();
    if (isNext(']')) return elements;
    do {
      elements.add(value(levels));
    } while (isNext(','));
    expect(']');
    return elements;
  }

  private String string() throws Broken {
    StringBuilder string = new StringBuilder();
    while (true) {
      char unit = next();
      if (unit == '"') break;
      if (unit < 0x20) throw new Broken();
      string.append(unit == '\\' ? escaped() : unit);
    }
    // UTF-8 was decoded, so that halves of pairs come of escapes alone.
    for (int index = 0; index < string.length(); index++) {
      if (!Character.isSurrogate(string.charAt(index))) continue;
      boolean isPair = index + 1 < string.length() && Character.isSurrogatePair(string.charAt(index), string.charAt(index + 1));
      if (!isPair) throw new Broken();
      index++;
    }
    return string.toString();
  }

  private char escaped() throws Broken {
    char unit = next();
    switch (unit) {
      case '"':
      case '\\':
      case '/':
        return unit;
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'u':
        int code = 0;
        for (int digit = 0; digit < 4; digit++) {
          char hexadecimal = next();
          // Character.digit knows digits of other scripts, too.
          int value = hexadecimal < 0x80 ? Character.digit(hexadecimal, 16) : -1;
          if (value < 0) throw new Broken();
          code = code << 4 | value;
        }
        return (char) code;
      default:
        throw new Broken();
    }
  }

  private Object number() throws Broken {
    int start = at;
    if (isAt('-')) at++;
    if (isAt('0')) {
      at++;
    } else {
      digits();
    }
    int end = at;
    if (isAt('.')) {
      at++;
      digits();
    }
    if (isAt('e') || isAt('E')) {
      at++;
      if (isAt('+') || isAt('-')) at++;
      digits();
    }
    return at > end || end - start > LONGEST_INTEGER ? NUMBER : (Object) Long.valueOf(text.substring(start, end));
  }

  /** One at least. */
  private void digits() throws Broken {
    int start = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') at++;
    if (at == start) throw new Broken();
  }

  private Object word(String word, Object value) throws Broken {
    if (!text.startsWith(word, at - 1)) throw new Broken();
    at += word.length() - 1;
    return value;
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
  }

  private boolean isAt(char unit) {
    return at < text.length() && text.charAt(at) == unit;
  }

  /** Whether this comes next, after white space; then it is read. */
  private boolean isNext(char unit) {
    space();
    if (!isAt(unit)) return false;
    at++;
    return true;
  }

  private void expect(char unit) throws Broken {
    if (!isAt(unit)) throw new Broken();
    at++;
  }

  private char next() throws Broken {
    if (at == text.length()) throw new Broken();
    return text.charAt(at++);
  }
}
