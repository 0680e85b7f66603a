package mediatoken;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;

/**
 * Asks one daemon. Make one for the program, at its start: all threads may use it.
 *
 * <p>An interrupt ends waiting: that is {@link NoAnswer}, and the thread stays interrupted. One that came before asks nothing.
 */
public final class Client implements AutoCloseable {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String address;
  private final String requestIDHeader;
  private final Duration retryWindow;
  private final Daemon daemon;

  /** With the defaults; the address is the path of the daemon's UNIX socket, http://127.0.0.1:PORT or http://[::1]:PORT. */
  public Client(String address) {
    this(builder(address));
  }

  Client(ClientBuilder builder) {
    address = builder.address;
    requestIDHeader = builder.requestIDHeader;
    retryWindow = builder.retryWindow;
    daemon = new Daemon(builder);
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
    daemon.<Void, NotReady>exchange("GET /readyz", "", null, daemon.timeout, Reading::readiness);
  }

  /** Closes the connections that are idle. The client can be used again. */
  @Override
  public void close() { daemon.close(); }

  @Override
  public String toString() { return "Client[" + address + "]"; }

  private ValidToken ask(Question question, String requestID) throws NotValid {
    String id = requestID == null ? "" : requestIDHeader + ": " + requestID + "\r\n";
    return daemon.<ValidToken, NoAnswer>exchange("POST /v1/verify", "Content-Type: " + question.type() + "\r\n" + id, question.body(),
        retryWindow, answer -> Reading.token(answer, question, requestID));
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
}
