import mediatoken.*;

/** Says whether a token may play: java Example SOCKET REQUESTOR RESOURCE &lt;token */
class Example {
  public static void main(String[] arguments) throws java.io.IOException {
    Client daemon = new Client(arguments[0]);
    try {
      ValidToken token = daemon.verify(System.in.readAllBytes(), Requestor.of(arguments[1]), Resource.of(arguments[2]));
      System.out.println("play " + token.resourceID() + " until " + token.expiresAt());
    } catch (NotValid problem) {
      System.err.println("do not play: " + problem.getMessage() + "; then " + problem.action());
      System.exit(1);
    }
  }
}
