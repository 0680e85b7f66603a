package mediatoken.testing;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import mediatoken.Client;

/** For the tests of an application: a client without a daemon. It makes the tokens about which it is asked. */
public final class FakeClient extends Client {
  private final Map<String, String> answers = new ConcurrentHashMap<>();

  /** Knows no token yet. */
  public FakeClient() { super("/nowhere"); }

  /** {@return a token that plays once, for the requestor and resource that are asked for} */
  public String valid() {
    return made("200 {'verdict':'VALID_TOKEN','identity':'fake','mvpdId':'Sample_MVPD','sessionGUID':'fake',"
        + "'issueTime':'2026-01-01T00:00:00Z','expiresAt':'2026-01-01T01:00:00Z','ttlMilliseconds':3600000,'keyFingerprint':'fake',"
        + "'unknownFields':[],'use':'first','requestID':'fake'");
  }

  /** {@return a token that is refused} */
  public String refused(String verdict, String reason, String action) {
    return made("403 {'verdict':'" + verdict + "','reason':'" + reason + "','action':'" + action + "','adobeCode':'ERROR_UNKNOWN'");
  }

  /** {@return a token about which there is no verdict} */
  public String unavailable(String name, String action) {
    return made("503 {'fault':'" + name + "','action':'" + action + "'");
  }

  private String made(String answer) {
    String token = "fake-" + answers.size();
    answers.put(token, answer);
    return token;
  }

  @Override
  protected byte[] exchange(byte[] question) {
    String form = "&" + new String(question, StandardCharsets.UTF_8).split("\r\n\r\n", 2)[1];
    String unknown = answers.get(refused("INVALID_TOKEN_FORMAT", "unknown-form", "new-token"));
    String answer = answers.getOrDefault(named("token", form), unknown);
    if (answer.startsWith("200")) answers.put(named("token", form), answers.get(refused("TOKEN_REPLAYED", "already-used", "new-token")));
    String body = (answer.substring(4) + ",'requestorID':'" + named("requestor", form) + "','resourceID':'" + named("resource", form) + "'}")
        .replace('\'', '"');
    return ("HTTP/1.1 " + answer.substring(0, 3) + " Fake\r\nContent-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String named(String name, String form) {
    int start = form.indexOf("&" + name + "=");
    return start < 0 ? "fake" : URLDecoder.decode(form.substring(start + name.length() + 2).split("&", 2)[0], StandardCharsets.UTF_8);
  }
}
