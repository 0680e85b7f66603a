package mediatoken;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A question as it is sent, and what its answer must be about.
 *
 * @param type of the body
 * @param identities the names of what was sent, one of which the answer has; what is no token has no name
 * @param requestor whom the token must be for
 * @param resource what it must be for
 */
record Question(String type, byte[] body, Set<String> identities, Requestor requestor, Resource resource, boolean isDecision) {
  /** Each byte is a character. */
  private static final Charset BYTES = StandardCharsets.ISO_8859_1;
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final Pattern SIGNED = Pattern.compile("<signatureInfo>[^<]+</?signatureInfo>(.+)", Pattern.DOTALL);
  private static final Pattern SPACE = Pattern.compile("[ \\t\\r\\n]*+");

  /** A form, which carries every byte of a token. */
  static Question token(byte[] token, Requestor requestor, Resource resource) {
    // A form has no empty values: the empty token is sent as one space, which the daemon trims.
    String form = "token=" + URLEncoder.encode(token.length == 0 ? " " : new String(token, BYTES), BYTES);
    for (Map.Entry<String, String> each : conditions(requestor, resource).entrySet()) {
      form += "&" + each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8);
    }
    Set<String> identities = new HashSet<>();
    identities.add(identity(token));
    return new Question(FORM, form.getBytes(BYTES), identities, requestor, resource, false);
  }

  /** The decision's own bytes inside an object of ours; if they are not one object, they could mean something else there. */
  static Question decision(byte[] given, Requestor requestor, Resource resource) throws Fault {
    // The caller may change them meanwhile.
    byte[] decision = given.clone();
    StringBuilder start = new StringBuilder("{");
    conditions(requestor, resource).forEach(
        (name, text) -> start.append(Json.quoted(name)).append(':').append(Json.quoted(text)).append(','));
    Map<?, ?> members = Json.object(decision);
    if (members == null) {
      throw new Fault("bad-decision", 400, null,
          Map.of("error", "bad-decision", "detail", "expected one JSON object, as Adobe sent it", "action", "report"));
    }
    Set<String> identities = new HashSet<>();
    if (members.get("decisions") instanceof List<?> decisions) {
      for (Object each : decisions) {
        if (each instanceof Map<?, ?> one && one.get("token") instanceof Map<?, ?> token
            && token.get("serializedToken") instanceof String text) {
          identities.add(identity(bytes(text)));
        }
      }
    }
    byte[] body = joined(bytes(start.append("\"decision\":").toString()), decision, new byte[] {'}'});
    return new Question("application/json", body, identities, requestor, resource, true);
  }

  private static Map<String, String> conditions(Requestor requestor, Resource resource) {
    Objects.requireNonNull(requestor, "expected a requestor, found null; CONFIGURED is the daemon's own");
    Objects.requireNonNull(resource, "expected a resource, found null; CONFIGURED is the daemon's own");
    Map<String, String> conditions = new java.util.TreeMap<>();
    if (requestor.id() != null) conditions.put("requestor", requestor.id());
    if (resource.text() != null) conditions.put(resource.parameter(), resource.text());
    return conditions;
  }

  /** A text of the caller's that is one. */
  static String given(String what, String text) {
    Objects.requireNonNull(text, () -> "expected a " + what + ", found null; CONFIGURED is the daemon's own");
    boolean isText = !text.isEmpty() && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    ClientBuilder.expect(isText, "a " + what + " in Unicode, found an empty text or half a surrogate pair");
    return text;
  }

  /** The bytes of a text. Half of a surrogate pair becomes a question mark, and no token has either. */
  static byte[] bytes(String text) { return text.getBytes(StandardCharsets.UTF_8); }

  static byte[] joined(byte[]... parts) {
    java.io.ByteArrayOutputStream whole = new java.io.ByteArrayOutputStream();
    for (byte[] part : parts) whole.writeBytes(part);
    return whole.toByteArray();
  }

  /**
   * A token's name, by which the answer to another question is noticed: SHA-256 of the bytes that are signed; null of what is no
   * token. Nothing is verified here, and spellings that the daemon refuses may be read too: it gives those tokens no name.
   */
  private static String identity(byte[] given) {
    String received = new String(given, BYTES);
    String text = SPACE.matcher(received).replaceFirst("");
    int end = text.length();
    while (end > 0 && " \t\r\n".indexOf(text.charAt(end - 1)) >= 0) end--;
    // A form turns `+` into a space; one at the end was then trimmed.
    boolean wasTrimmed = end % 4 == 3 && text.startsWith(" ", end) && text.indexOf('%') < 0;
    text = text.substring(0, end);
    try {
      if (text.startsWith("%3C") || text.startsWith("%3c")) {
        text = URLDecoder.decode(text, BYTES);
      } else if (text.startsWith("PHNpZ25hdHVyZUluZm8")) {
        text = (wasTrimmed ? text + "+" : text).replace("%2B", "+").replace("%2b", "+").replace("%2F", "/").replace("%2f", "/")
            .replaceFirst("(=|%3[Dd])+$", "").replace('-', '+').replace(' ', '+').replace('_', '/');
        text = new String(Base64.getDecoder().decode(text), BYTES);
      }
      Matcher signed = SIGNED.matcher(text);
      if (!signed.matches()) return null;
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(signed.group(1).getBytes(BYTES)));
    } catch (IllegalArgumentException noToken) {
      return null;
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("expected SHA-256, which every Java platform has", impossible);
    }
  }
}
