package mediatoken;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  static Asked token(Question question) {
    ByteArrayOutputStream body = new ByteArrayOutputStream(question.token().length + 256);
    body.writeBytes("token=".getBytes(StandardCharsets.ISO_8859_1));
    writeEncoded(question.token(), body);
    names(question.requestor(), question.resource()).forEach((name, text) -> {
      body.writeBytes(("&" + name + "=").getBytes(StandardCharsets.ISO_8859_1));
      writeEncoded(text.getBytes(StandardCharsets.UTF_8), body);
    });
    String identity = Identity.ofToken(question.token());
    return new Asked("POST /v1/verify", "application/x-www-form-urlencoded", body.toByteArray(),
        identity == null ? Set.of() : Set.of(identity), question.requestor().id(), question.resource().expected(), false);
  }

  /** The decision's own bytes inside an object of ours, once they were read: what is no object could mean something else there. */
  static Asked decision(byte[] decision, Requestor requestor, Resource resource) throws Json.Broken {
    Set<String> identities = Identity.ofDecision(decision);
    ByteArrayOutputStream body = new ByteArrayOutputStream(decision.length + 256);
    body.write('{');
    names(requestor, resource).forEach((name, text) ->
        body.writeBytes((Json.quoted(name) + ":" + Json.quoted(text) + ",").getBytes(StandardCharsets.UTF_8)));
    body.writeBytes("\"decision\":".getBytes(StandardCharsets.UTF_8));
    body.writeBytes(decision);
    body.write('}');
    return new Asked(
        "POST /v1/verify", "application/json", body.toByteArray(), identities, requestor.id(), resource.expected(), true);
  }

  /** The body of a batch: lines, each with its index as its id. */
  static byte[] batch(List<Question> questions) {
    StringBuilder lines = new StringBuilder();
    for (int index = 0; index < questions.size(); index++) {
      Question question = questions.get(index);
      lines.append("{\"id\":").append(index).append(",\"tokenBase64\":\"")
          .append(Base64.getEncoder().encodeToString(question.token())).append('"');
      names(question.requestor(), question.resource()).forEach((name, text) ->
          lines.append(',').append(Json.quoted(name)).append(':').append(Json.quoted(text)));
      lines.append("}\n");
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** What is configured has no parameter. */
  private static Map<String, String> names(Requestor requestor, Resource resource) {
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
