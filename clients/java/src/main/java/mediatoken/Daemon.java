package mediatoken;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A daemon's address, and the connections to it. */
final class Daemon {
  private static final Pattern LOOPBACK = Pattern.compile("http://(127\\.0\\.0\\.1|\\[::1\\]):([1-9][0-9]{0,4})");
  /** As long as {@code sun_path} of unix(7), without the byte that ends it. */
  private static final int PATH_BYTES = 107;
  /** Some hundred years: what is compared by its difference must not be longer. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  final Duration timeout;
  private final SocketAddress address;
  /** Those that wait for a question, the youngest first. It is used first, so that the others grow old. */
  private final LinkedBlockingDeque<Connection> idle = new LinkedBlockingDeque<>();
  private final int most;
  /** One for each question that may be on the way at once. */
  private final Semaphore turns;

  Daemon(ClientBuilder builder) {
    address = address(builder.address);
    boolean isLocal = address instanceof UnixDomainSocketAddress;
    ClientBuilder.expect(builder.retryWindow == null || builder.requestIDHeader != null && isLocal,
        "a retry window with requestIDHeader and a UNIX socket, as the daemon's");
    timeout = builder.timeout;
    most = builder.idleConnections;
    // Over TCP the daemon takes 64 from all of its callers, and closes the others unread.
    turns = new Semaphore(builder.connections > 0 ? builder.connections : isLocal ? 64 : 32, true);
  }

  private static SocketAddress address(String text) {
    if (!text.contains("://")) {
      ClientBuilder.expect(!text.isEmpty() && Question.bytes(text).length <= PATH_BYTES, "a path of 1 to 107 bytes, as UNIX sockets have");
      return UnixDomainSocketAddress.of(text);
    }
    Matcher loopback = LOOPBACK.matcher(text);
    ClientBuilder.expect(loopback.matches() && Integer.parseInt(loopback.group(2)) <= 0xffff,
        "the path of a UNIX socket, http://127.0.0.1:PORT or http://[::1]:PORT");
    try {
      return new InetSocketAddress(InetAddress.getByName(loopback.group(1)), Integer.parseInt(loopback.group(2)));
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("expected an address that needs no name service", impossible);
    }
  }

  /** Reads an answer; what it throws is the answer, too. */
  interface Reader<T, E extends Exception> {
    T read(Answer answer) throws NotValid, E;
  }

  /** Asks, at most twice. {@code window}: for how long a question that was sent may be sent again; null: never. */
  <T, E extends Exception> T exchange(String line, String fields, byte[] body, Duration window, Reader<T, E> reader) throws NotValid, E {
    long start = System.nanoTime();
    long end = start + nanoseconds(timeout);
    try {
      if (!turns.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) throw new NoAnswer("none came in time; nothing was asked");
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw Connection.interrupted();
    }
    Connection connection = null;
    boolean isKept = false;
    try {
      byte[] question = written(line, fields, body);
      connection = taken(end);
      Answer answer;
      try {
        answer = connection.exchange(question, end);
      } catch (Ended ended) {
        if (!ended.mayRepeat(window, start)) throw ended;
        connection.close();
        connection = Connection.to(address, end);
        // Where the listener had no room, the window may be over by now.
        if (!ended.mayRepeat(window, start)) throw ended;
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
    } catch (Ended ended) {
      throw new NoAnswer("the connection ended before it was whole");
    } finally {
      if (connection != null && isKept) {
        keep(connection);
      } else if (connection != null) {
        connection.close();
      }
      turns.release();
    }
  }

  static long nanoseconds(Duration duration) { return (duration.compareTo(LONGEST) < 0 ? duration : LONGEST).toNanos(); }

  /** A request of HTTP; without a body it has no length. */
  private static byte[] written(String line, String fields, byte[] body) {
    String length = body == null ? "" : "Content-Length: " + body.length + "\r\n";
    byte[] head = (line + " HTTP/1.1\r\nHost: localhost\r\n" + fields + length + "\r\n").getBytes(StandardCharsets.US_ASCII);
    return body == null ? head : Question.joined(head, body);
  }

  /** An idle connection that can be used, or a new one. */
  private Connection taken(long end) throws NoAnswer {
    for (Connection youngest = idle.pollFirst(); youngest != null; youngest = idle.pollFirst()) {
      if (youngest.isUsable()) return youngest;
      youngest.close();
    }
    return Connection.to(address, end);
  }

  /** Keeps a connection whose answer was read whole, and closes those that are too many. */
  private void keep(Connection connection) {
    idle.addFirst(connection);
    while (idle.size() > most) {
      Connection oldest = idle.pollLast();
      if (oldest != null) oldest.close();
    }
  }

  void close() {
    for (Connection each = idle.pollFirst(); each != null; each = idle.pollFirst()) each.close();
  }
}
