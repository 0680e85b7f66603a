import mediatoken.*;

/** Each line that ends with a comment is an error for javac, and the comment is what it says. */
final class Misuse {
  private static final Requestor REF30 = new Requestor("REF30");
  private static final Resource TNT = Resource.of("TNT");
  private static final Client DAEMON = new Client("mediatokend.sock");

  static void asks(byte[] token) throws NotValid {
    DAEMON.verify(token, REF30); // cannot be applied
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
    new Resource(java.util.Map.of("resource", "TNT")); // private access
    token.said = null; // private access
    java.io.Serializable written = token; // cannot be converted to Serializable
  }

  static class Mine extends ValidToken {} // cannot inherit from final ValidToken

  static class MyRefusal extends NotValid {} // not allowed to extend sealed class
}
