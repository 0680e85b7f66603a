import mediatoken.Client;
import mediatoken.Fault;
import mediatoken.Refused;
import mediatoken.Requestor;
import mediatoken.Resource;
import mediatoken.ValidToken;

/** The fake daemon of the kit, as an application's tests use it. Prints a line for each thing that holds, or fails. */
final class Faked {
  private Faked() {}

  private static void says(String text, boolean holds) {
    (holds ? System.out : System.err).println(holds ? text : "not so: " + text);
  }

  public static void main(String[] arguments) throws Exception {
    try (FakeDaemon fake = new FakeDaemon("X-Request-ID")) {
      Client client = Client.builder(fake.address()).requestIDHeader("X-Request-ID").build();
      String token = FakeDaemon.valid();
      ValidToken valid = client.verify(token, Requestor.of("REF30"), Resource.of("T\"NT"), "mine");
      says("a token of the fake's plays", valid.requestorID().equals("REF30") && valid.resourceID().equals("T\"NT")
          && valid.requestID().equals("mine"));
      says("it plays once, and refusals are those that were asked for", refused(client, token).equals("already-used")
          && refused(client, "PHNpZ25hdHVyZUluZm8+").equals("unknown-form")
          && refused(client, FakeDaemon.refused("TOKEN_EXPIRED", "too-old")).equals("too-old"));
      try {
        client.verify(FakeDaemon.fault("REPLAY_MEMORY_FULL"), Requestor.of("REF30"), Resource.of("TNT"));
        says("a fault is thrown", false);
      } catch (Fault fault) {
        says("a fault is one", fault.name().equals("REPLAY_MEMORY_FULL") && fault.action().equals("retry"));
      }
      client.checkReady();
    }
  }

  private static String refused(Client client, String token) throws Exception {
    try {
      client.verify(token, Requestor.of("REF30"), Resource.of("TNT"));
      return "";
    } catch (Refused refused) {
      return refused.reason();
    }
  }
}
