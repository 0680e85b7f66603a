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
  private static final int LOCAL_CONNECTIONS = 64;
  /** Over TCP the daemon takes 64 from all of its callers, and closes the others unread. */
  private static final int TCP_CONNECTIONS = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String name;
  private final Duration timeout;
  private final String requestIDHeader;
  private final Duration retryWindow;
  private final Daemon daemon;

  /**
   * A client with the settings of a new {@link ClientBuilder}.
   *
   * @param address path of the daemon's UNIX socket, or {@code http://127.0.0.1:PORT} or {@code http://[::1]:PORT}
   */
  public Client(String address) {
    this(builder(address));
  }

  Client(ClientBuilder builder) {
    name = builder.address;
    Address address = Address.of(builder.address);
    timeout = builder.timeout;
    requestIDHeader = builder.requestIDHeader;
    retryWindow = builder.retryWindow;
    if (retryWindow != null && (requestIDHeader == null || !address.isUnix())) {
      throw new IllegalArgumentException("a retry window needs requestIDHeader and a UNIX socket, as the daemon's does");
    }
    int most = builder.connections > 0 ? builder.connections : address.isUnix() ? LOCAL_CONNECTIONS : TCP_CONNECTIONS;
    daemon = new Daemon(address, timeout, builder.idleConnections, most);
  }

  /**
   * Settings for a client.
   *
   * @param address path of the daemon's UNIX socket, or {@code http://127.0.0.1:PORT} or {@code http://[::1]:PORT}
   * @return the defaults
   */
  public static ClientBuilder builder(String address) {
    return new ClientBuilder(address);
  }

  /**
   * Asks about a token as it was received, and uses it up.
   *
   * @param token as text
   * @param requestor whom it must be for
   * @param resource what you are about to play
   * @return the token, which may play
   * @throws NotValid {@link Refused}, {@link Fault}, {@link NoAnswer} or {@link ForeignAnswer}: do not play
   */
  public ValidToken verify(String token, Requestor requestor, Resource resource) throws NotValid {
    return ask(Asked.token(Texts.bytes(token), requestor, resource), newRequestID());
  }

  /**
   * Asks about a token as it was received, and uses it up.
   *
   * @param token as bytes
   * @param requestor whom it must be for
   * @param resource what you are about to play
   * @return the token, which may play
   * @throws NotValid {@link Refused}, {@link Fault}, {@link NoAnswer} or {@link ForeignAnswer}: do not play
   */
  public ValidToken verify(byte[] token, Requestor requestor, Resource resource) throws NotValid {
    return ask(Asked.token(token, requestor, resource), newRequestID());
  }

  /**
   * Asks about a token as it was received, and uses it up. The request has an id of yours.
   *
   * @param token as text
   * @param requestor whom it must be for
   * @param resource what you are about to play
   * @param requestID a new one for each playback that no one can guess: 1 to 128 letters, digits and {@code . _ - : + / = @}
   * @return the token, which may play
   * @throws NotValid {@link Refused}, {@link Fault}, {@link NoAnswer} or {@link ForeignAnswer}: do not play
   */
  public ValidToken verify(String token, Requestor requestor, Resource resource, String requestID) throws NotValid {
    return ask(Asked.token(Texts.bytes(token), requestor, resource), checked(requestID));
  }

  /**
   * Asks about a token as it was received, and uses it up. The request has an id of yours.
   *
   * @param token as bytes
   * @param requestor whom it must be for
   * @param resource what you are about to play
   * @param requestID a new one for each playback that no one can guess: 1 to 128 letters, digits and {@code . _ - : + / = @}
   * @return the token, which may play
   * @throws NotValid {@link Refused}, {@link Fault}, {@link NoAnswer} or {@link ForeignAnswer}: do not play
   */
  public ValidToken verify(byte[] token, Requestor requestor, Resource resource, String requestID) throws NotValid {
    return ask(Asked.token(token, requestor, resource), checked(requestID));
  }

  /**
   * Asks about the token in a whole answer of {@code decisions/authorize} of Adobe's REST API v2, and uses it up.
   *
   * @param decision as text, as it came
   * @param requestor whom it must be for
   * @param resource what you are about to play
   * @return the token, which may play
   * @throws NotValid {@link Refused}, {@link Fault}, {@link NoAnswer} or {@link ForeignAnswer}: do not play
   */
  public ValidToken verifyDecision(String decision, Requestor requestor, Resource resource) throws NotValid {
    return verifyDecision(Texts.bytes(decision), requestor, resource);
  }

  /**
   * Asks about the token in a whole answer of {@code decisions/authorize} of Adobe's REST API v2, and uses it up.
   *
   * @param decision as bytes, as it came
   * @param requestor whom it must be for
   * @param resource what you are about to play
   * @return the token, which may play
   * @throws NotValid {@link Refused}, {@link Fault}, {@link NoAnswer} or {@link ForeignAnswer}: do not play
   */
  public ValidToken verifyDecision(byte[] decision, Requestor requestor, Resource resource) throws NotValid {
    return ask(asked(decision, requestor, resource), newRequestID());
  }

  /**
   * Asks about the token in a whole answer of {@code decisions/authorize} of Adobe's REST API v2, and uses it up. The request has an
   * id of yours.
   *
   * @param decision as text, as it came
   * @param requestor whom it must be for
   * @param resource what you are about to play
   * @param requestID a new one for each playback that no one can guess: 1 to 128 letters, digits and {@code . _ - : + / = @}
   * @return the token, which may play
   * @throws NotValid {@link Refused}, {@link Fault}, {@link NoAnswer} or {@link ForeignAnswer}: do not play
   */
  public ValidToken verifyDecision(String decision, Requestor requestor, Resource resource, String requestID) throws NotValid {
    return verifyDecision(Texts.bytes(decision), requestor, resource, requestID);
  }

  /**
   * Asks about the token in a whole answer of {@code decisions/authorize} of Adobe's REST API v2, and uses it up. The request has an
   * id of yours.
   *
   * @param decision as bytes, as it came
   * @param requestor whom it must be for
   * @param resource what you are about to play
   * @param requestID a new one for each playback that no one can guess: 1 to 128 letters, digits and {@code . _ - : + / = @}
   * @return the token, which may play
   * @throws NotValid {@link Refused}, {@link Fault}, {@link NoAnswer} or {@link ForeignAnswer}: do not play
   */
  public ValidToken verifyDecision(byte[] decision, Requestor requestor, Resource resource, String requestID) throws NotValid {
    return ask(asked(decision, requestor, resource), checked(requestID));
  }

  /**
   * Returns if the daemon would play the next good token.
   *
   * @throws NotReady if it would not
   * @throws NotValid {@link Fault}, {@link NoAnswer} or {@link ForeignAnswer}
   */
  public void checkReady() throws NotReady, NotValid {
    daemon.<Void, NotReady>exchange(Daemon.written("GET /readyz", "", null), timeout, answer -> {
      Meaning.readiness(answer);
      return null;
    });
  }

  /** Closes the connections that are idle. The client can be used again. */
  @Override
  public void close() {
    daemon.close();
  }

  @Override
  public String toString() {
    return "Client[" + name + "]";
  }

  private static Asked asked(byte[] decision, Requestor requestor, Resource resource) throws Fault {
    try {
      // A copy: what was read must be what is sent.
      return Asked.decision(decision.clone(), requestor, resource);
    } catch (Json.Broken broken) {
      String detail = "expected one JSON object, as Adobe sent it";
      throw new Fault("bad-decision (400)", "bad-decision", 400, detail, "report", null, null);
    }
  }

  private ValidToken ask(Asked asked, String requestID) throws NotValid {
    String id = requestID == null ? "" : requestIDHeader + ": " + requestID + "\r\n";
    byte[] written = Daemon.written(asked.line(), "Content-Type: " + asked.type() + "\r\n" + id, asked.body());
    return daemon.<ValidToken, NoAnswer>exchange(written, retryWindow, answer -> Meaning.token(answer, asked, requestID));
  }

  /** Null where the daemon chooses one. */
  private String newRequestID() {
    if (requestIDHeader == null) return null;
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private String checked(String requestID) {
    if (requestIDHeader == null) {
      throw new IllegalArgumentException("a request id needs requestIDHeader, the daemon's setting of that name");
    }
    if (!Members.REQUEST_ID.matcher(requestID).matches()) {
      throw new IllegalArgumentException("expected a request id of 1 to 128 letters, digits and . _ - : + / = @");
    }
    return requestID;
  }
}
