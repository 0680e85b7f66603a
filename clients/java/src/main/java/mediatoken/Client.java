package mediatoken;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Asks one daemon. Make one for the program, at its start: all threads may use it.
 *
 * <p>An interrupt ends waiting: that is {@link NoAnswer}, and the thread stays interrupted. One that came before asks nothing.
 */
public final class Client implements AutoCloseable {
  private static final SecureRandom RANDOM = new SecureRandom();
  /** Some hundred years: what is compared by its difference must not be longer. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  private final String address;
  private final String requestIDHeader;
  /** In nanoseconds; without a window it is 0. */
  private final long timeout;
  private final long retryWindow;
  private final SocketAddress socketAddress;
  /** Those that wait for a question, the youngest first. It is used first, so that the others grow old. */
  private final LinkedBlockingDeque<Connection> idle = new LinkedBlockingDeque<>();
  private final int most;
  /** One for each question that may be on the way at once. */
  private final Semaphore turns;

  /** With the defaults; the address is the path of the daemon's UNIX socket, http://127.0.0.1:PORT or http://[::1]:PORT. */
  public Client(String address) {
    this(builder(address));
  }

  Client(ClientBuilder builder) {
    address = builder.address;
    requestIDHeader = builder.requestIDHeader;
    timeout = nanoseconds(builder.timeout);
    retryWindow = nanoseconds(builder.retryWindow);
    socketAddress = builder.socketAddress();
    boolean isLocal = socketAddress instanceof UnixDomainSocketAddress;
    ClientBuilder.expect(retryWindow == 0 || requestIDHeader != null && isLocal,
        "a retry window with requestIDHeader and a UNIX socket, as the daemon's");
    most = builder.idleConnections;
    // Over TCP the daemon takes 64 from all of its callers, and closes the others unread.
    turns = new Semaphore(builder.connections > 0 ? builder.connections : isLocal ? 64 : 32, true);
  }

  /** Settings for a client at the path of the daemon's UNIX socket, http://127.0.0.1:PORT or http://[::1]:PORT. */
  public static ClientBuilder builder(String address) { return new ClientBuilder(address); }

  /** Asks about a token as it was received, and uses it up. Every {@link NotValid} says: do not play. */
  public ValidToken verify(String token, Requestor requestor, Resource resource) throws NotValid {
    return verify(Question.bytes(token), requestor, resource);
  }

  /** Asks about a token as it was received, and uses it up. Every {@link NotValid} says: do not play. */
  public ValidToken verify(byte[] token, Requestor requestor, Resource resource) throws NotValid {
    return ask(Question.token(token, requestor, resource), newRequestID());
  }

  /** The same with an id of yours, of 1 to 128 letters, digits and {@code . _ - : + / = @}: a new one that no one can guess. */
  public ValidToken verify(String token, Requestor requestor, Resource resource, String requestID) throws NotValid {
    return verify(Question.bytes(token), requestor, resource, requestID);
  }

  /** The same with an id of yours, of 1 to 128 letters, digits and {@code . _ - : + / = @}: a new one that no one can guess. */
  public ValidToken verify(byte[] token, Requestor requestor, Resource resource, String requestID) throws NotValid {
    return ask(Question.token(token, requestor, resource), checked(requestID));
  }

  /** Asks about the token in a whole answer of {@code decisions/authorize} of Adobe's REST API v2, as it came, and uses it up. */
  public ValidToken verifyDecision(String decision, Requestor requestor, Resource resource) throws NotValid {
    return verifyDecision(Question.bytes(decision), requestor, resource);
  }

  /** Asks about the token in a whole answer of {@code decisions/authorize} of Adobe's REST API v2, as it came, and uses it up. */
  public ValidToken verifyDecision(byte[] decision, Requestor requestor, Resource resource) throws NotValid {
    return ask(Question.decision(decision, requestor, resource), newRequestID());
  }

  /** The same with an id of yours. */
  public ValidToken verifyDecision(String decision, Requestor requestor, Resource resource, String requestID) throws NotValid {
    return verifyDecision(Question.bytes(decision), requestor, resource, requestID);
  }

  /** The same with an id of yours. */
  public ValidToken verifyDecision(byte[] decision, Requestor requestor, Resource resource, String requestID) throws NotValid {
    return ask(Question.decision(decision, requestor, resource), checked(requestID));
  }

  /** Returns if the daemon would play the next good token. */
  public void checkReady() throws NotReady, NotValid {
    this.<Void, NotReady>exchange(head("GET /readyz", ""), timeout, Reading::readiness);
  }

  /** Closes the connections that are idle. The client can be used again. */
  @Override
  public void close() {
    for (Connection each = idle.pollFirst(); each != null; each = idle.pollFirst()) each.close();
  }

  @Override
  public String toString() { return "Client[" + address + "]"; }

  private ValidToken ask(Question question, String requestID) throws NotValid {
    String id = requestID == null ? "" : requestIDHeader + ": " + requestID + "\r\n";
    String fields = "Content-Type: " + question.type() + "\r\n" + id + "Content-Length: " + question.body().length + "\r\n";
    return this.<ValidToken, NoAnswer>exchange(Question.joined(head("POST /v1/verify", fields), question.body()), retryWindow,
        answer -> Reading.token(answer, question, requestID));
  }

  private static byte[] head(String line, String fields) {
    return Question.bytes(line + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n");
  }

  /** Null where the daemon chooses one. */
  private String newRequestID() {
    if (requestIDHeader == null) return null;
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private String checked(String requestID) {
    if (requestIDHeader == null || !Reading.REQUEST_ID.matcher(requestID).matches()) {
      throw new IllegalArgumentException("expected a request id of 1 to 128 letters, digits and . _ - : + / = @, and requestIDHeader");
    }
    return requestID;
  }

  /** Reads an answer; what it throws is the answer, too. */
  private interface Reader<T, E extends Exception> {
    T read(Answer answer) throws NotValid, E;
  }

  /** Asks, at most twice. {@code window}: for how many nanoseconds a question that was sent may be sent again; 0: never. */
  private <T, E extends Exception> T exchange(byte[] question, long window, Reader<T, E> reader) throws NotValid, E {
    long start = System.nanoTime();
    long end = start + timeout;
    long last = start + window;
    try {
      if (!turns.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) throw new NoAnswer("none came in time; nothing was asked");
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw Connection.interrupted();
    }
    Connection connection = null;
    boolean isKept = false;
    try {
      connection = taken(end);
      Answer answer;
      try {
        answer = connection.exchange(question, end);
      } catch (NoAnswer problem) {
        if (!problem.mayRepeat(last)) throw problem;
        connection.close();
        connection = Connection.to(socketAddress, end);
        // Where the listener had no room, the window may be over by now.
        if (!problem.mayRepeat(last)) throw problem;
        answer = connection.exchange(question, end);
      }
      try {
        T outcome = reader.read(answer);
        isKept = answer.isReusable();
        return outcome;
      } catch (Refused | Fault | RuntimeException outcome) {
        isKept = answer.isReusable();
        throw outcome;
      }
    } finally {
      if (connection != null && isKept) {
        keep(connection);
      } else if (connection != null) {
        connection.close();
      }
      turns.release();
    }
  }

  private static long nanoseconds(Duration duration) { return (duration.compareTo(LONGEST) < 0 ? duration : LONGEST).toNanos(); }

  /** An idle connection that can be used, or a new one. */
  private Connection taken(long end) throws NoAnswer {
    for (Connection youngest = idle.pollFirst(); youngest != null; youngest = idle.pollFirst()) {
      if (youngest.isUsable()) return youngest;
      youngest.close();
    }
    return Connection.to(socketAddress, end);
  }

  /** Keeps a connection whose answer was read whole, and closes those that are too many. */
  private void keep(Connection connection) {
    idle.addFirst(connection);
    while (idle.size() > most) {
      Connection oldest = idle.pollLast();
      if (oldest != null) oldest.close();
    }
  }
}
