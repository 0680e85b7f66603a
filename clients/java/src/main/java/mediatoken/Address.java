package mediatoken;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the daemon listens: a UNIX socket or a loopback address.
 *
 * @param socket to connect to
 * @param family of the socket
 */
record Address(SocketAddress socket, ProtocolFamily family) {
  private static final Pattern LOOPBACK = Pattern.compile("http://(127\\.0\\.0\\.1|\\[::1\\]):([1-9][0-9]{0,4})");

  /** As long as {@code sun_path} of unix(7), without the byte that ends it. */
  private static final int PATH_BYTES = 107;

  /** Reads a caller's address. */
  static Address of(String text) {
    if (!text.contains("://")) {
      if (text.isEmpty()) throw new IllegalArgumentException("expected the path of a UNIX socket, found an empty text");
      if (Texts.bytes(text).length > PATH_BYTES) {
        throw new IllegalArgumentException("expected a path of at most " + PATH_BYTES + " bytes, as UNIX sockets have");
      }
      return new Address(UnixDomainSocketAddress.of(text), StandardProtocolFamily.UNIX);
    }
    Matcher loopback = LOOPBACK.matcher(text);
    if (!loopback.matches() || Integer.parseInt(loopback.group(2)) > 0xffff) {
      throw new IllegalArgumentException("expected the path of a UNIX socket, http://127.0.0.1:PORT or http://[::1]:PORT");
    }
    byte[] octets = new byte[] {127, 0, 0, 1};
    if (loopback.group(1).startsWith("[")) {
      octets = new byte[16];
      octets[15] = 1;
    }
    try {
      SocketAddress socket = new InetSocketAddress(InetAddress.getByAddress(octets), Integer.parseInt(loopback.group(2)));
      return new Address(socket, octets.length == 4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("expected 4 or 16 bytes", impossible);
    }
  }

  boolean isUnix() {
    return family == StandardProtocolFamily.UNIX;
  }

  /** Whether we may connect: then no room is what is left that can be wrong, besides that no one listens. */
  boolean mayBeCrowded() {
    return socket instanceof UnixDomainSocketAddress unix && Files.isWritable(unix.getPath());
  }
}
