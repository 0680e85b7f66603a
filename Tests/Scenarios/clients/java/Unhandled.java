import mediatoken.Client;
import mediatoken.Requestor;
import mediatoken.Resource;
import mediatoken.ValidToken;

/** The same, of outcomes that are not looked at. */
final class Unhandled {
  private static final Client DAEMON = new Client("mediatokend.sock");

  static ValidToken forgets() {
    return DAEMON.verify("token", Requestor.of("REF30"), Resource.of("TNT")); // unreported exception NotValid
  }

  static void forgetsReadiness() throws mediatoken.NotValid {
    DAEMON.checkReady(); // unreported exception NotReady
  }

  static ValidToken goesOn() {
    ValidToken token;
    try {
      token = DAEMON.verify("token", Requestor.of("REF30"), Resource.of("TNT"));
    } catch (mediatoken.NotValid problem) {
      System.err.println(problem);
    }
    return token; // might not have been initialized
  }
}
