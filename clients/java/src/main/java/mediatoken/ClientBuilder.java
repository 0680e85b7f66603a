package mediatoken;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Settings for a {@link Client}, each with its default until it is set. */
public final class ClientBuilder {
  /** What can be the name of a header. */
  static final Pattern HEADER = Pattern.compile("[!#$%&'*+\\-.^_`|~0-9A-Za-z]{1,64}");
  private static final Set<String> OURS = Set.of(
      "host", "content-type", "content-length", "transfer-encoding", "connection", "expect", "te", "trailer", "upgrade");
  private static final Pattern LOOPBACK = Pattern.compile("http://(127\\.0\\.0\\.1|\\[::1\\]):([1-9][0-9]{0,4})");
  /** As long as {@code sun_path} of unix(7), without the byte that ends it. */
  private static final int PATH_BYTES = 107;

  final String address;
  Duration timeout = Duration.ofSeconds(5);
  String requestIDHeader;
  Duration retryWindow = Duration.ZERO;
  int idleConnections = 8;
  /** Zero: as many as are usual for the address. */
  int connections;

  ClientBuilder(String address) { this.address = Objects.requireNonNull(address, "expected the path of a UNIX socket, found null"); }

  /** How long a whole call may take: connecting, asking, reading, asking again. 5 s unless set. */
  public ClientBuilder timeout(Duration duration) {
    return sets(!duration.isNegative() && !duration.isZero(), "a timeout of more than 0 s", () -> timeout = duration);
  }

  /** The daemon's setting of that name. Each question then has an id, which must come back. */
  public ClientBuilder requestIDHeader(String header) {
    boolean isFree = HEADER.matcher(header).matches() && !OURS.contains(header.toLowerCase(Locale.ROOT));
    return sets(isFree, "the name of a header that is free for request ids", () -> requestIDHeader = header);
  }

  /**
   * The daemon's {@code replay.retryWindowMilliseconds}: a question whose answer was lost is asked once more under the same id
   * within that time. Only with {@link #requestIDHeader}, at a UNIX socket.
   */
  public ClientBuilder retryWindow(Duration duration) {
    return sets(!duration.isNegative() && !duration.isZero(), "a retry window of more than 0 s", () -> retryWindow = duration);
  }

  /** The most connections that are kept open between questions. 8 unless set. */
  public ClientBuilder idleConnections(int most) {
    return sets(most >= 0, "a number of idle connections from 0", () -> idleConnections = most);
  }

  /** The most questions that are on the way at once, each on a connection of its own: 64, or 32 over TCP, unless set. */
  public ClientBuilder connections(int most) {
    return sets(most > 0, "a number of connections from 1", () -> connections = most);
  }

  /** Makes the client. Nothing is asked. */
  public Client build() { return new Client(this); }

  /** Where the address leads. */
  SocketAddress socketAddress() {
    if (!address.contains("://")) {
      expect(!address.isEmpty() && Question.bytes(address).length <= PATH_BYTES, "a path of 1 to 107 bytes, as UNIX sockets have");
      return UnixDomainSocketAddress.of(address);
    }
    Matcher loopback = LOOPBACK.matcher(address);
    expect(loopback.matches() && Integer.parseInt(loopback.group(2)) <= 0xffff,
        "the path of a UNIX socket, http://127.0.0.1:PORT or http://[::1]:PORT");
    try {
      return new InetSocketAddress(InetAddress.getByName(loopback.group(1)), Integer.parseInt(loopback.group(2)));
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("expected an address that needs no name service", impossible);
    }
  }

  private ClientBuilder sets(boolean holds, String what, Runnable setting) {
    expect(holds, what);
    setting.run();
    return this;
  }

  static void expect(boolean holds, String what) {
    if (!holds) throw new IllegalArgumentException("expected " + what);
  }
}
