package mediatoken;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A question as it is sent, and what its answer must be about.
 *
 * @param line method and target
 * @param type of the body
 * @param body what is sent
 * @param identities the names of what was sent, one of which the answer has; none of what is no token
 * @param requestor null: whatever the daemon chose
 * @param resource null: whatever the daemon chose
 * @param isDecision whether it has a decision in place of a token
 */
record Asked(String line, String type, byte[] body, Set<String> identities, String requestor, String resource, boolean isDecision) {
  private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.~-";
  private static final byte[] HEXADECIMAL = "0123456789ABCDEF".getBytes(StandardCharsets.ISO_8859_1);
  private static final boolean[] IS_PLAIN = new boolean[256];

  static {
    UNRESERVED.chars().forEach(unit -> IS_PLAIN[unit] = true);
  }

  /** A form, which carries every byte of a token. */
  static Asked token(byte[] token, Requestor requestor, Resource resource) {
    // A form has no empty values; the daemon trims the space.
    byte[] sent = token.length == 0 ? new byte[] {' '} : token.clone();
    ByteArrayOutputStream body = new ByteArrayOutputStream(sent.length + 256);
    body.writeBytes("token=".getBytes(StandardCharsets.ISO_8859_1));
    writeEncoded(sent, body);
    names(requestor, resource).forEach((name, text) -> {
      body.writeBytes(("&" + name + "=").getBytes(StandardCharsets.ISO_8859_1));
      writeEncoded(text.getBytes(StandardCharsets.UTF_8), body);
    });
    String identity = Identity.ofToken(sent);
    return new Asked("POST /v1/verify", "application/x-www-form-urlencoded", body.toByteArray(),
        identity == null ? Set.of() : Set.of(identity), requestor.id(), resource.expected(), false);
  }

  /** The decision's own bytes inside an object of ours, once they were read: what is no object could mean something else there. */
  static Asked decision(byte[] decision, Requestor requestor, Resource resource) throws Json.Broken {
    Map<String, String> names = names(requestor, resource);
    Set<String> identities = Identity.ofDecision(decision);
    ByteArrayOutputStream body = new ByteArrayOutputStream(decision.length + 256);
    body.write('{');
    names.forEach((name, text) ->
        body.writeBytes((Json.quoted(name) + ":" + Json.quoted(text) + ",").getBytes(StandardCharsets.UTF_8)));
    body.writeBytes("\"decision\":".getBytes(StandardCharsets.UTF_8));
    body.writeBytes(decision);
    body.write('}');
    return new Asked(
        "POST /v1/verify", "application/json", body.toByteArray(), identities, requestor.id(), resource.expected(), true);
  }

  /** What is configured has no parameter. */
  private static Map<String, String> names(Requestor requestor, Resource resource) {
    Objects.requireNonNull(requestor, "expected a requestor, found null; CONFIGURED is the daemon's own");
    Objects.requireNonNull(resource, "expected a resource, found null; CONFIGURED is the daemon's own");
    Map<String, String> names = new LinkedHashMap<>();
    if (requestor.id() != null) names.put("requestor", requestor.id());
    if (resource.text() != null) names.put(resource.parameter(), resource.text());
    return names;
  }

  private static void writeEncoded(byte[] value, ByteArrayOutputStream body) {
    for (byte each : value) {
      int octet = each & 0xff;
      if (IS_PLAIN[octet]) {
        body.write(octet);
      } else {
        body.write('%');
        body.write(HEXADECIMAL[octet >> 4]);
        body.write(HEXADECIMAL[octet & 15]);
      }
    }
  }
}
