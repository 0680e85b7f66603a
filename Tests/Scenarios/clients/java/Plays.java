import java.nio.charset.StandardCharsets;
import java.time.Duration;
import mediatoken.Client;
import mediatoken.Gate;
import mediatoken.Requestor;
import mediatoken.Resource;
import mediatoken.ValidToken;

/** What every server of the scenario has: the gate, and what it says to who plays. */
final class Plays {
  private Plays() {}

  static Gate gate(String socket) {
    return new Gate(Client.builder(socket).timeout(Duration.ofSeconds(300)).build(), Requestor.of("REF30"));
  }

  /** What the path of a request names. */
  static Resource resource(String path) {
    return Resource.of(path.substring(1));
  }

  static byte[] body(ValidToken token) {
    String worker = Thread.currentThread().getName().replace(' ', '-');
    return (token.identity() + " " + worker + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
