package mediatoken;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** Asks one daemon, each question on a connection of its own. Make one for the program: all threads may use it. */
public class Client {
  private static final SecureRandom RANDOM = new SecureRandom();
  /** Room for a token of the greatest length with every byte escaped. */
  private static final int ANSWER_BYTES = 1 << 20;

  private final String address;
  private final Duration timeout;
  private final String requestIDHeader;

  /** For a daemon at the path of a UNIX socket, which has 5 s for each call. */
  public Client(String address) { this(address, Duration.ofSeconds(5), null); }

  /**
   * The timeout is for a whole call. The header is the daemon's setting requestIDHeader, or null; with it each question has an id, which
   * must come back.
   */
  public Client(String address, Duration timeout, String requestIDHeader) {
    this.address = address;
    this.timeout = timeout;
    this.requestIDHeader = requestIDHeader;
  }

  /** Asks about a token as it was received, and uses it up. Every {@link NotValid} says: do not play. */
  public ValidToken verify(String token, Requestor requestor, Resource resource) throws NotValid {
    return verify(token.getBytes(StandardCharsets.UTF_8), requestor, resource, null);
  }

  /** The same with an id of yours: one that no one can guess, new for each playback; of null the client makes one. */
  public ValidToken verify(byte[] token, Requestor requestor, Resource resource, String requestID) throws NotValid {
    // Each byte is a character. The daemon trims the space: a form has no empty values.
    String text = token.length == 0 ? " " : new String(token, StandardCharsets.ISO_8859_1);
    StringBuilder form = new StringBuilder("token=").append(URLEncoder.encode(text, StandardCharsets.ISO_8859_1));
    Map<String, String> told = told(requestor, resource);
    told.forEach((name, each) -> form.append('&').append(name).append('=').append(URLEncoder.encode(each, StandardCharsets.UTF_8)));
    return ask(told, "application/x-www-form-urlencoded", form.toString().getBytes(StandardCharsets.UTF_8), requestID);
  }

  /** Asks about the token in a whole answer of {@code decisions/authorize} of Adobe's REST API v2, as it came, and uses it up. */
  public ValidToken verifyDecision(byte[] decision, Requestor requestor, Resource resource, String requestID) throws NotValid {
    Map<String, String> told = told(requestor, resource);
    // What is not one object could mean something else between members of ours.
    if (Json.object(new String(decision, StandardCharsets.UTF_8)) == null) {
      throw new Unavailable("bad-decision", 400, "retry", null, requestID, "", ": expected one JSON object, as Adobe sent it");
    }
    StringBuilder frame = new StringBuilder("{");
    told.forEach((name, text) -> frame.append(Json.quoted(name)).append(':').append(Json.quoted(text)).append(','));
    return ask(told, "application/json", joined(frame.append("\"decision\":").toString(), decision, "}"), requestID);
  }

  private static Map<String, String> told(Requestor requestor, Resource resource) {
    Map<String, String> told = new TreeMap<>(Map.of(requestor.name, requestor.text));
    told.put(resource.name, resource.text);
    told.remove("");
    return told;
  }

  private static byte[] joined(String before, byte[] bytes, String after) {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(before.getBytes(StandardCharsets.UTF_8));
    whole.writeBytes(bytes);
    whole.writeBytes(after.getBytes(StandardCharsets.UTF_8));
    return whole.toByteArray();
  }

  private ValidToken ask(Map<String, String> told, String type, byte[] body, String given) throws NotValid {
    if (given != null && (requestIDHeader == null || !given.matches("[A-Za-z0-9._:+/=@-]{1,128}"))) {
      throw new IllegalArgumentException("expected a requestIDHeader, and an id of 1 to 128 letters, digits and . _ - : + / = @");
    }
    byte[] random = new byte[16];
    RANDOM.nextBytes(random);
    String requestID = given == null && requestIDHeader != null ? HexFormat.of().formatHex(random) : given;
    String head = "POST /v1/verify HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: " + type + "\r\nContent-Length: "
        + body.length + "\r\n" + (requestID == null ? "" : requestIDHeader + ": " + requestID + "\r\n") + "\r\n";
    try {
      return Answer.of(exchange(joined(head, body, ""))).outcome(told, requestID);
    } catch (IOException problem) {
      throw new Unavailable("NO_ANSWER", 0, "retry", null, requestID, problem.getMessage(), ": " + problem.getMessage());
    }
  }

  /** Sends a question, and reads what comes until an answer is whole or the connection ends. */
  protected byte[] exchange(byte[] question) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX); Deadline deadline = new Deadline(channel, timeout)) {
      String what = "cannot connect; check the address, and whether mediatokend runs";
      try {
        // Where the listener has no room for one more, the system waits for it.
        channel.connect(UnixDomainSocketAddress.of(address));
        what = "the connection ended before an answer was whole";
        send(channel, ByteBuffer.wrap(question));
        ByteBuffer answer = ByteBuffer.allocate(16_384);
        while (!Answer.isWhole(answer.array(), answer.position()) && answer.position() < ANSWER_BYTES && channel.read(answer) >= 0) {
          if (!answer.hasRemaining()) answer = ByteBuffer.allocate(2 * answer.capacity()).put(answer.flip());
        }
        return Arrays.copyOf(answer.array(), answer.position());
      } catch (IOException problem) {
        throw deadline.explained(problem, what);
      }
    }
  }

  private static void send(SocketChannel channel, ByteBuffer question) {
    try {
      while (question.hasRemaining()) channel.write(question);
    } catch (IOException unsent) {
      // Who may not ask has an answer all the same.
    }
  }
}
