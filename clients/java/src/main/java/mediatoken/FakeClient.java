package mediatoken;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** For the tests of an application: a client without a daemon. It makes the tokens about which it is asked. */
public final class FakeClient extends Client {
  private final Map<String, Answer> answers = new HashMap<>();

  /** Knows no token yet. */
  public FakeClient() { super("/nowhere"); }

  /** {@return a token that plays once, for the requestor and resource that are asked for} */
  public String valid() {
    Map<String, Object> said = new HashMap<>(Map.of("verdict", "VALID_TOKEN", "mvpdId", "Sample_MVPD", "issueTime", "2026-01-01T00:00:00Z",
        "expiresAt", "2026-01-01T01:00:00Z", "ttlMilliseconds", 3_600_000L, "unknownFields", List.of(), "use", "first", "sessionGUID", "an account"));
    for (String name : List.of("identity", "keyFingerprint", "requestID")) said.put(name, "fake");
    return made(200, said);
  }

  /** {@return a token that is refused} */
  public String refused(String verdict, String reason, String action) {
    return made(403, Map.of("verdict", verdict, "reason", reason, "action", action));
  }

  /** {@return a token about which there is no verdict} */
  public String unavailable(String name, String action) { return made(503, Map.of("fault", name, "action", action)); }

  private synchronized String made(int status, Map<String, Object> said) {
    String token = "fake-" + answers.size();
    answers.put(token, new Answer(status, null, said));
    return token;
  }

  @Override
  public synchronized ValidToken verify(byte[] token, Requestor requestor, Resource resource, String requestID) throws NotValid {
    String name = new String(token, StandardCharsets.UTF_8);
    Answer unknown = answers.get(refused("INVALID_TOKEN_FORMAT", "unknown-form", "new-token"));
    Answer answer = answers.getOrDefault(name, unknown);
    if (answer.status() != 200) return answer.outcome(Map.of(), null);
    answers.put(name, answers.get(refused("TOKEN_REPLAYED", "already-used", "new-token")));
    Map<String, String> told = resource.told(requestor);
    answer.said().put("requestorID", told.getOrDefault("requestor", "fake"));
    answer.said().put("resourceID", told.getOrDefault("resource", "fake"));
    return answer.outcome(told, null);
  }

  @Override
  public ValidToken verifyDecision(byte[] decision, Requestor requestor, Resource resource, String requestID) throws NotValid {
    return verify(decision, requestor, resource, requestID);
  }
}
