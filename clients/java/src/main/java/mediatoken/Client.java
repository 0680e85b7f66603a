package mediatoken;

import java.io.IOException;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;

/** Asks one daemon, each question on a connection of its own. Make one for the program: all threads may use it. */
public class Client {
  private final String address;
  private final Duration timeout;
  private final String requestIDHeader;

  /** For a daemon at the path of a UNIX socket, which has 5 s for each call. */
  public Client(String address) { this(address, Duration.ofSeconds(5), null); }

  /** The timeout is for a whole call. With a header, the daemon's requestIDHeader or null, each question has an id, which must come back. */
  public Client(String address, Duration timeout, String requestIDHeader) {
    this.address = address;
    this.timeout = timeout;
    this.requestIDHeader = requestIDHeader;
  }

  /**
   * Asks about a token as it was received, and uses it up. Every {@link NotValid} says: do not play. The id is yours: one that no one can
   * guess, new for each playback. Of null the client makes one.
   */
  public ValidToken verify(byte[] token, Requestor requestor, Resource resource, String requestID) throws NotValid {
    Map<String, String> told = resource.told(requestor);
    // Each byte is a character. The daemon trims the space: a form has no empty values.
    String received = token.length == 0 ? " " : new String(token, StandardCharsets.ISO_8859_1);
    StringBuilder form = new StringBuilder("token=" + URLEncoder.encode(received, StandardCharsets.ISO_8859_1));
    told.forEach((name, text) -> form.append('&').append(name).append('=').append(URLEncoder.encode(text, StandardCharsets.UTF_8)));
    return ask(told, "application/x-www-form-urlencoded", form.toString(), requestID);
  }

  /** Asks about the token in a whole answer of {@code decisions/authorize} of Adobe's REST API v2, as it came, and uses it up. */
  public ValidToken verifyDecision(byte[] decision, Requestor requestor, Resource resource, String requestID) throws NotValid {
    Map<String, String> told = resource.told(requestor);
    // What is not one object could mean something else between members of ours.
    if (Answer.object(new String(decision, StandardCharsets.UTF_8)) == null) {
      throw new Unavailable(new Answer(400, null, Map.of("error", "bad-decision", "detail", "expected one JSON object")), requestID);
    }
    StringBuilder frame = new StringBuilder("{");
    told.forEach((name, text) -> frame.append(Answer.quoted(name)).append(':').append(Answer.quoted(text)).append(','));
    return ask(told, "application/json", frame + "\"decision\":" + new String(decision, StandardCharsets.ISO_8859_1) + "}", requestID);
  }

  private ValidToken ask(Map<String, String> told, String type, String body, String given) throws NotValid {
    if (given != null && (requestIDHeader == null || !given.matches("[A-Za-z0-9._:+/=@-]{1,128}"))) {
      throw new IllegalArgumentException("expected a requestIDHeader, and an id of 1 to 128 letters, digits and . _ - : + / = @");
    }
    String id = given == null && requestIDHeader != null ? UUID.randomUUID().toString().replace("-", "") : given;
    String question = "POST /v1/verify HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: " + type + "\r\nContent-Length: "
        + body.length() + "\r\n" + (id == null ? "" : requestIDHeader + ": " + id + "\r\n") + "\r\n" + body;
    try {
      return exchange(ByteBuffer.wrap(question.getBytes(StandardCharsets.ISO_8859_1))).outcome(told, id);
    } catch (IOException problem) {
      String why = Thread.currentThread().isInterrupted() ? "the thread was interrupted" : problem instanceof ClosedChannelException
          ? "none came in time" : problem.getMessage() + "; check the address, and whether mediatokend runs";
      throw new Unavailable(Answer.none(0, why), id);
    }
  }

  private Answer exchange(ByteBuffer question) throws IOException {
    CompletableFuture<Void> end = new CompletableFuture<>();
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      end.completeOnTimeout(null, timeout.toNanos(), TimeUnit.NANOSECONDS).thenRun(() -> close(channel));
      channel.connect(UnixDomainSocketAddress.of(address));
      while (question.hasRemaining()) channel.write(question);
      for (ByteBuffer bytes = ByteBuffer.allocate(16_384);;) {
        // There is room for a token of the greatest length with every byte escaped.
        if (channel.read(bytes) < 0 || bytes.position() > 1 << 20) throw new IOException("no whole answer came");
        Answer answer = Answer.of(bytes.array(), bytes.position());
        if (answer != null) return answer;
        if (!bytes.hasRemaining()) bytes = ByteBuffer.allocate(2 * bytes.capacity()).put(bytes.flip());
      }
    } finally {
      end.complete(null);
    }
  }

  private static void close(SocketChannel channel) {
    try { channel.close(); } catch (IOException problem) { /* It is closed all the same. */ }
  }
}
