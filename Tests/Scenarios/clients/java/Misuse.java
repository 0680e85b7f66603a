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

  static void asks(byte[] token) throws NotValid {
    DAEMON.verify(token, REF30); // no suitable method
    DAEMON.verify(token, TNT, REF30, null); // cannot be converted to Requestor
    DAEMON.verify(token, "REF30", TNT, null); // cannot be converted to Requestor
    if (DAEMON.verify(token, REF30, TNT, null)) return; // cannot be converted to boolean
  }

  static ValidToken forgets(byte[] token) {
    return DAEMON.verify(token, REF30, TNT, null); // unreported exception NotValid
  }

  static void makes(ValidToken token) throws NotValid {
    new ValidToken(); // cannot be applied
    new Refused("TOKEN_EXPIRED"); // cannot be applied
    new Resource("resource", "TNT"); // private access
    token.said = null; // private access
    java.io.Serializable written = token; // cannot be converted to Serializable
  }

  static class Mine extends ValidToken {} // cannot inherit from final ValidToken

  static class MyRefusal extends NotValid {} // not allowed to extend sealed class
}
