import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import mediatoken.Client;
import mediatoken.Fault;
import mediatoken.Gate;
import mediatoken.NoAnswer;
import mediatoken.NotValid;
import mediatoken.Refused;
import mediatoken.Requestor;
import mediatoken.Resource;
import mediatoken.ValidToken;

/**
 * Runs where the kit is installed: Inside SOCKET GUID &lt;tokens, the first of which has this account. Prints a line for each thing
 * that holds, or fails.
 */
final class Inside {
  private static final Requestor REF30 = Requestor.of("REF30");
  private static final Resource TNT = Resource.of("TNT");

  private final Queue<String> tokens;
  private final Client daemon;
  private final String address;
  private final String guid;

  private Inside(String address, String guid, Queue<String> tokens) {
    this.address = address;
    this.guid = guid;
    this.tokens = tokens;
    daemon = Client.builder(address).timeout(Duration.ofSeconds(300)).build();
  }

  public static void main(String[] arguments) throws Exception {
    String input = new String(System.in.readAllBytes(), StandardCharsets.US_ASCII);
    Inside inside = new Inside(arguments[0], arguments[1], new ConcurrentLinkedQueue<>(List.of(input.split("\n"))));
    inside.secret();
    inside.sealed();
    inside.questions();
    inside.errors();
    inside.interrupts();
    inside.changes();
    inside.descriptors();
  }

  private void sealed() throws Exception {
    ValidToken token = plays(daemon);
    Class<?> type = ValidToken.class;
    says("what may play can be made by no one else", Modifier.isFinal(type.getModifiers()) && type.getConstructors().length == 0
        && !Serializable.class.isAssignableFrom(type)
        && List.of(type.getDeclaredFields()).stream().allMatch(field -> Modifier.isFinal(field.getModifiers())));
    boolean isModule = ValidToken.class.getModule().isNamed();
    Constructor<?> constructor = ValidToken.class.getDeclaredConstructors()[0];
    says("in a module a valid token is not made by reflection", isModule == fails(InaccessibleObjectException.class, () -> {
      constructor.setAccessible(true);
      return null;
    }));
    says("a valid token cannot be serialized", fails(NotSerializableException.class, () -> serialized(token)));
    says("the list of a valid token cannot be changed", fails(UnsupportedOperationException.class, () -> token.unknownFields().add("x")));
  }

  /** What a library would write that looks into an object has no account. */
  private void secret() throws Exception {
    ValidToken token = plays(daemon);
    String text = token + " " + daemon;
    says("no text has the account", token.sessionGUID().equals(guid) && !text.contains(guid) && text.contains(token.identity()));
    List<String> written = new ArrayList<>();
    for (Field field : ValidToken.class.getDeclaredFields()) {
      if (!Modifier.isTransient(field.getModifiers())) written.add(field.getName());
    }
    says("a library that writes fields finds no account", written.isEmpty() && ValidToken.class.getDeclaredFields().length > 0);
  }

  private void questions() {
    for (Callable<?> wrong : List.<Callable<?>>of(
        () -> daemon.verify("token", null, TNT), () -> daemon.verify("token", REF30, null),
        () -> daemon.verify((String) null, REF30, TNT), () -> daemon.verify((byte[]) null, REF30, TNT), () -> daemon.verifyDecision("{}", null, TNT), () -> Requestor.of(null),
        () -> Resource.of(null), () -> Resource.document(null), () -> Resource.channel(null), () -> new Client(null),
        () -> new Gate(null, REF30), () -> new Gate(daemon, null))) {
      if (!fails(NullPointerException.class, wrong)) says("null is no question", false);
    }
    says("null is no question", true);
    says("half a surrogate pair is no requestor, no resource and no token", fails(IllegalArgumentException.class, () -> Requestor.of("\ud800"))
        && fails(IllegalArgumentException.class, () -> Resource.of("TNT\udc00")) && fails(Refused.class, () -> daemon.verify("\ud800", REF30, TNT)));
    says("a header that no request can have lets no gate be made", List.of("", "X Media", "X:", "X\r\nY").stream().allMatch(header ->
        fails(IllegalArgumentException.class, () -> new Gate(daemon, REF30, header))));
  }

  private void errors() throws Exception {
    Refused refused = refusal("nonsense");
    Refused again = (Refused) new ObjectInputStream(new ByteArrayInputStream(serialized(refused))).readObject();
    says("errors go from one process to another", again.getMessage().equals(refused.getMessage())
        && again.action().equals("new-token") && again.verdict().equals(refused.verdict()) && again.detail().equals(refused.detail()));
    says("texts of errors have no detail", !refused.toString().contains(refused.detail()) && !refused.detail().isEmpty());
  }

  private void interrupts() throws Exception {
    String token = tokens.remove();
    Thread.currentThread().interrupt();
    boolean isEnded = fails(NoAnswer.class, () -> daemon.verify(token, REF30, TNT));
    says("an interrupt ends waiting, and is kept", isEnded && Thread.interrupted());
    Client hasty = Client.builder(address).timeout(Duration.ofNanos(1)).build();
    boolean isLate = fails(NoAnswer.class, () -> hasty.verify(token, REF30, TNT));
    says("a call that is over before it asks uses nothing up", isLate && daemon.verify(token, REF30, TNT).use() == mediatoken.Use.FIRST);
    says("the next question has its own answer", refusal("nonsense").reason().equals("unknown-form"));
  }

  /** A decision that another thread changes meanwhile: what was read is what is sent. */
  private void changes() throws Exception {
    byte[] decision = ("{\"x\":1" + " ".repeat(200_000) + "} ").getBytes(StandardCharsets.US_ASCII);
    AtomicBoolean isOver = new AtomicBoolean();
    Thread other = new Thread(() -> {
      for (boolean isBroken = true; !isOver.get(); isBroken = !isBroken) decision[decision.length - 1] = (byte) (isBroken ? '}' : ' ');
    });
    other.start();
    List<String> wrong = new ArrayList<>();
    for (int turn = 0; turn < 200; turn++) {
      try {
        daemon.verifyDecision(decision, REF30, TNT);
      } catch (Fault fault) {
        if (!fault.name().equals("bad-decision")) wrong.add(fault.name());
      } catch (Refused refused) {
        if (!refused.reason().equals("no-token-in-decision")) wrong.add(refused.reason());
      }
    }
    isOver.set(true);
    other.join();
    says("a decision that changes is sent as it was read " + wrong, wrong.isEmpty());
  }

  /** Neither sockets nor the selectors that wait for them are left open. */
  private void descriptors() throws Exception {
    int before = open();
    try (Client none = Client.builder(address).idleConnections(0).timeout(Duration.ofSeconds(300)).build()) {
      for (int number = 0; number < 50; number++) plays(none);
    }
    Client absent = Client.builder(address + ".absent").timeout(Duration.ofSeconds(300)).build();
    for (int number = 0; number < 50; number++) fails(NoAnswer.class, () -> plays(absent));
    says("connections that are not kept, and attempts, are closed", opensNoMoreThan(before));
    Client kept = Client.builder(address).timeout(Duration.ofSeconds(300)).build();
    plays(kept);
    says("a connection that is kept takes one descriptor", opensNoMoreThan(before + 1) && open() > before);
    kept.close();
    says("a closed client has no connection", opensNoMoreThan(before));
    says("a closed client can be used again", plays(kept).use() == mediatoken.Use.FIRST);
    kept.close();
  }

  private ValidToken plays(Client client) throws NotValid {
    return client.verify(tokens.remove(), REF30, TNT);
  }

  /** Asks again where the daemon is undecided and nothing is spent, as it is after a wait for a processor. */
  private Refused refusal(String token) throws NotValid {
    try {
      for (int turn = 0; ; turn++) {
        try {
          daemon.verify(token, REF30, TNT);
          break;
        } catch (Fault fault) {
          if (!fault.action().equals("retry") || turn == 20) throw fault;
        }
      }
    } catch (Refused refused) {
      return refused;
    }
    throw new IllegalStateException("expected a refusal");
  }

  /** Java itself opens files now and then, and closes them; what leaks stays. */
  private static boolean opensNoMoreThan(int most) throws InterruptedException {
    for (int turn = 0; turn < 600 && open() > most; turn++) Thread.sleep(50);
    return open() <= most;
  }

  private static int open() {
    return new File("/proc/self/fd").list().length;
  }

  private static byte[] serialized(Object value) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
      output.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private static boolean fails(Class<? extends Exception> kind, Callable<?> call) {
    try {
      call.call();
    } catch (Exception problem) {
      return kind.isInstance(problem);
    }
    return false;
  }

  private static void says(String text, boolean holds) {
    (holds ? System.out : System.err).println(holds ? text : "not so: " + text);
  }
}
