package mediatoken;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolFamily;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/** A connected socket, on which a question is sent and one answer is read by the letter. It belongs to one thread at a time. */
final class Connection {
  private static final int HEAD_BYTES = 16_384;
  private static final byte[] EMPTY_LINE = {'\r', '\n', '\r', '\n'};
  private static final int HEAD_END_BYTES = EMPTY_LINE.length;
  /** For how long a connection is kept without a question: less than the daemon keeps it. */
  private static final long IDLE_NANOSECONDS = 30_000_000_000L;
  /** How long to wait for room in a listener's queue, in milliseconds, before one looks again. */
  private static final long SHORTEST_PAUSE = 2;
  private static final long LONGEST_PAUSE = 64;
  /** The platform copies what is written into a buffer of its own, which grows with it and stays. */
  private static final int PIECE = 65_536;

  private final Selector selector;
  private final SocketChannel channel;
  private final ByteBuffer received = ByteBuffer.allocate(HEAD_BYTES);
  private SelectionKey key;
  /** What the system said when there was no connection, if it said something. */
  private String whyNot;
  private boolean wasKept;
  private long idleSince;

  private Connection(ProtocolFamily family) throws IOException {
    selector = Selector.open();
    try {
      channel = SocketChannel.open(family);
      channel.configureBlocking(false);
    } catch (IOException problem) {
      selector.close();
      throw problem;
    }
  }

  /** A new connection. */
  static Connection to(Address address, Deadline deadline) throws NoAnswer {
    for (long pause = SHORTEST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      Connection connection = null;
      boolean isMade = false;
      String why = null;
      try {
        connection = new Connection(address.family());
        isMade = connection.connects(address, deadline);
        if (isMade) return connection;
        why = connection.whyNot;
      } catch (IOException problem) {
        throw new NoAnswer("cannot connect (" + problem.getMessage() + "); check the address, and whether mediatokend runs");
      } finally {
        if (connection != null && !isMade) connection.close();
      }
      // As many wait to be accepted as the listener has room for. Not all of those who wait look at the same time.
      try {
        pause(ThreadLocalRandom.current().nextLong(pause / 2, pause + 1), deadline);
      } catch (NoAnswer late) {
        if (why == null || Thread.currentThread().isInterrupted()) throw late;
        throw new NoAnswer("the connection was not made in time (" + why + ")");
      }
    }
  }

  /** Whether the listener had room; if not, the socket is of no use any more. */
  private boolean connects(Address address, Deadline deadline) throws IOException, NoAnswer {
    boolean isConnected;
    try {
      isConnected = channel.connect(address.socket());
    } catch (ConnectException refused) {
      throw refused;
    } catch (SocketException problem) {
      // EAGAIN among others, for which Java has neither a class nor, in every language, the same words.
      if (!address.mayBeCrowded()) throw problem;
      whyNot = problem.getMessage();
      return false;
    }
    if (!isConnected && address.isUnix()) return false;
    key = channel.register(selector, SelectionKey.OP_CONNECT);
    while (!isConnected) {
      await(SelectionKey.OP_CONNECT, deadline);
      isConnected = channel.finishConnect();
    }
    if (!address.isUnix()) channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return true;
  }

  /** At once, and without a word to the daemon but the end. */
  void close() {
    // The descriptor is closed when neither the channel nor the selector needs it.
    try {
      channel.close();
    } catch (IOException alreadyBroken) {
      // There is no one to tell.
    }
    try {
      selector.close();
    } catch (IOException alreadyBroken) {
      // There is no one to tell.
    }
  }

  /** Says that it is idle from now on. */
  void rest() {
    wasKept = true;
    idleSince = System.nanoTime();
  }

  /** Whether it is idle for longer than the daemon is sure to keep it. */
  boolean isOld() {
    return System.nanoTime() - idleSince > IDLE_NANOSECONDS;
  }

  /** Whether an idle connection is young and silent: one that can be read has ended, or said what no one asked for. */
  boolean isUsable() {
    if (isOld()) return false;
    try {
      received.clear();
      return channel.read(received) == 0;
    } catch (IOException broken) {
      return false;
    }
  }

  /** Asks, and reads the answer, whose body has {@code most} bytes at most. */
  Answer exchange(byte[] question, int most, Deadline deadline) throws Ended, NoAnswer, ForeignAnswer {
    boolean isWhole = send(question, deadline);
    byte[] bytes = {};
    int count = 0;
    int end = -1;
    while (end < 0) {
      int looked = Math.max(0, count - HEAD_END_BYTES + 1);
      int more = receive(deadline, count > 0);
      bytes = Arrays.copyOf(bytes, count + more);
      received.get(bytes, count, more);
      count += more;
      end = headEnd(bytes, looked, count);
      if (end > HEAD_BYTES || end < 0 && count > HEAD_BYTES) throw new ForeignAnswer("its head is too long");
    }
    Answer head = Answer.head(bytes, end);
    if (head.status() == 200 && !isWhole) throw new ForeignAnswer("200 to half a question");
    if (head.length() > most) throw new ForeignAnswer("it is too long");
    byte[] body = new byte[head.length()];
    int length = count - end - HEAD_END_BYTES;
    if (length > body.length) throw new ForeignAnswer("there is more than one");
    System.arraycopy(bytes, end + HEAD_END_BYTES, body, 0, length);
    while (length < body.length) {
      int more = receive(deadline, true);
      if (more > body.length - length) throw new ForeignAnswer("there is more than one");
      received.get(body, length, more);
      length += more;
    }
    return head.with(body, isWhole);
  }

  /** Whether all of it went out. Where it did not, there may be an answer that says why. */
  private boolean send(byte[] question, Deadline deadline) throws Ended, NoAnswer {
    // For a caller who waits no more no token is used up.
    deadline.millisecondsLeft();
    if (Thread.currentThread().isInterrupted()) throw interrupted();
    ByteBuffer left = ByteBuffer.wrap(question);
    try {
      while (left.hasRemaining()) {
        int piece = Math.min(PIECE, left.remaining());
        int sent = channel.write(left.slice(left.position(), piece));
        left.position(left.position() + sent);
        if (sent < piece) await(SelectionKey.OP_WRITE, deadline);
      }
    } catch (IOException broken) {
      if (left.position() == 0 && wasKept) throw new Ended(Ended.Stage.UNSENT);
      return false;
    }
    return true;
  }

  /** How many bytes more there are, one at least; then they are in {@link #received}. */
  private int receive(Deadline deadline, boolean began) throws Ended, NoAnswer {
    int count = 0;
    try {
      while (count == 0) {
        await(SelectionKey.OP_READ, deadline);
        received.clear();
        count = channel.read(received);
      }
    } catch (IOException broken) {
      count = -1;
    }
    if (count < 0) throw new Ended(began ? Ended.Stage.HALF : Ended.Stage.UNANSWERED);
    received.flip();
    return count;
  }

  /** Until the socket is ready for that, or for nothing any more. */
  private void await(int operation, Deadline deadline) throws IOException, NoAnswer {
    if (key.interestOps() != operation) key.interestOps(operation);
    selector.select(deadline.millisecondsLeft());
    selector.selectedKeys().clear();
    if (Thread.currentThread().isInterrupted()) throw interrupted();
  }

  private static void pause(long milliseconds, Deadline deadline) throws NoAnswer {
    try {
      Thread.sleep(Math.min(milliseconds, deadline.millisecondsLeft()));
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw interrupted();
    }
  }

  private static NoAnswer interrupted() {
    return new NoAnswer("the thread was interrupted");
  }

  /** Where the empty line begins; negative: it has not come yet. */
  private static int headEnd(byte[] bytes, int from, int count) {
    for (int at = from; at + HEAD_END_BYTES <= count; at++) {
      if (bytes[at] == '\r' && Arrays.equals(bytes, at, at + HEAD_END_BYTES, EMPTY_LINE, 0, HEAD_END_BYTES)) return at;
    }
    return -1;
  }
}
