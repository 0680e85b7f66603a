package mediatoken;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Texts as bytes, and what is no text. */
final class Texts {
  private Texts() {}

  /** A text of the caller's that is one. */
  static String given(String what, String text) {
    Objects.requireNonNull(text, () -> "expected a " + what + ", found null; CONFIGURED is the daemon's own");
    if (text.isEmpty()) {
      throw new IllegalArgumentException("expected a " + what + ", found an empty text; CONFIGURED is the daemon's own");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new IllegalArgumentException("expected a " + what + " in Unicode, found half a surrogate pair");
    }
    return text;
  }

  /** The bytes of a text. Halves of surrogate pairs become three bytes each, which are no UTF-8, so that they stay what they are. */
  static byte[] bytes(String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException halves) {
      return withHalves(text);
    }
  }

  /** The text that these bytes are in UTF-8. */
  static String read(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  private static byte[] withHalves(String text) {
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream(text.length() * 3);
    text.codePoints().forEach(point -> {
      if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        bytes.write(0xe0 | point >> 12);
        bytes.write(0x80 | point >> 6 & 0x3f);
        bytes.write(0x80 | point & 0x3f);
      } else {
        bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
      }
    });
    return bytes.toByteArray();
  }
}
