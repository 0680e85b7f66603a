package mediatoken;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A token's name, by which the answer to another question is noticed: SHA-256 of the bytes that are signed.
 *
 * <p>Nothing is verified here, and spellings that the daemon refuses may be read too: it gives those tokens no name. Bytes are looked
 * at as characters of Latin-1.
 */
final class Identity {
  /** As many as the daemon reads of a decision. */
  private static final int DECISION_LEVELS = 32;
  private static final String OPENING = "<signatureInfo>";
  private static final String CLOSING = "</signatureInfo>";
  /** How base64 of a token begins. */
  private static final String BASE64 = "PHNpZ25hdHVyZUluZm8";
  private static final String SPACE = " \t\r\n";

  private Identity() {}

  /** The name; null of what is no token. */
  static String ofToken(byte[] received) {
    String token = withoutArmor(new String(received, StandardCharsets.ISO_8859_1));
    if (token == null || !token.startsWith(OPENING)) return null;
    int end = token.indexOf('<', OPENING.length());
    if (end <= OPENING.length()) return null;
    String marker = token.startsWith(OPENING, end) ? OPENING : CLOSING;
    String signed = token.startsWith(marker, end) ? token.substring(end + marker.length()) : "";
    return signed.isEmpty() ? null : digest(signed.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** The names of all tokens in an answer of {@code decisions/authorize}. */
  static Set<String> ofDecision(byte[] decision) throws Json.Broken {
    Set<String> names = new HashSet<>();
    if (Json.object(decision, DECISION_LEVELS).get("decisions") instanceof List<?> decisions) {
      for (Object each : decisions) {
        if (each instanceof Map<?, ?> one && one.get("token") instanceof Map<?, ?> token
            && token.get("serializedToken") instanceof String text) {
          names.add(ofToken(Texts.bytes(text)));
        }
      }
    }
    names.remove(null);
    return names;
  }

  private static String withoutArmor(String received) {
    int start = 0;
    int end = received.length();
    while (start < end && SPACE.indexOf(received.charAt(start)) >= 0) start++;
    while (start < end && SPACE.indexOf(received.charAt(end - 1)) >= 0) end--;
    String text = received.substring(start, end);
    if (text.startsWith(OPENING)) return text;
    if (text.startsWith("%3C") || text.startsWith("%3c")) return percentDecoded(text.replace('+', ' '));
    if (!text.startsWith(BASE64)) return null;
    // A form turns `+` into a space; one at the end was then trimmed.
    if (text.length() % 4 == 3 && text.indexOf('%') < 0 && received.startsWith(" ", end)) text += " ";
    text = text.replace("%2B", "+").replace("%2b", "+").replace("%2F", "/").replace("%2f", "/").replace("%3D", "=")
        .replace("%3d", "=").replace('-', '+').replace(' ', '+').replace('_', '/');
    int length = text.length();
    while (text.charAt(length - 1) == '=') length--;
    try {
      return new String(Base64.getDecoder().decode(text.substring(0, length)), StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException noBase64) {
      return null;
    }
  }

  /** Once. What is no escape stays as it is. */
  private static String percentDecoded(String text) {
    StringBuilder decoded = new StringBuilder(text.length());
    for (int at = 0; at < text.length(); at++) {
      boolean isEscape = text.charAt(at) == '%' && at + 2 < text.length() && HexFormat.isHexDigit(text.charAt(at + 1))
          && HexFormat.isHexDigit(text.charAt(at + 2));
      decoded.append(isEscape ? (char) HexFormat.fromHexDigits(text, at + 1, at + 3) : text.charAt(at));
      if (isEscape) at += 2;
    }
    return decoded.toString();
  }

  private static String digest(byte[] signed) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(signed));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("expected SHA-256, which every Java platform has", impossible);
    }
  }
}
