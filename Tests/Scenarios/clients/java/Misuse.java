import mediatoken.Client;
import mediatoken.NotValid;
import mediatoken.Refused;
import mediatoken.Requestor;
import mediatoken.Resource;
import mediatoken.ValidToken;

/** Each line that ends with a comment is an error for javac, and the comment is what it says. */
final class Misuse {
  private static final Requestor REF30 = Requestor.of("REF30");
  private static final Resource TNT = Resource.of("TNT");
  private static final Client DAEMON = new Client("mediatokend.sock");

  static void asks() throws NotValid {
    DAEMON.verify("token"); // no suitable method
    DAEMON.verify("token", "REF30", "TNT"); // no suitable method
    DAEMON.verify("token", TNT, REF30); // no suitable method
    DAEMON.verify("token", REF30); // no suitable method
    DAEMON.verify(null, REF30, TNT); // is ambiguous
    if (DAEMON.verify("token", REF30, TNT)) return; // cannot be converted to boolean
    boolean mayPlay = DAEMON.verify("token", REF30, TNT); // cannot be converted to boolean
    if (DAEMON.checkReady()) return; // void cannot be converted to boolean
  }

  static void makes(ValidToken token) throws NotValid {
    new ValidToken(); // cannot be applied
    new Resource("resource", "TNT"); // private access
    new Refused("TOKEN_EXPIRED"); // cannot be applied
    token.said = null; // private access
    token.requestorID() = "REF30"; // unexpected type
    java.io.Serializable written = token; // cannot be converted to Serializable
    new mediatoken.Json("{}"); // is not public
  }

  static class Mine extends ValidToken {} // cannot inherit from final ValidToken

  static class MyRefusal extends NotValid {} // not allowed to extend sealed class
}
