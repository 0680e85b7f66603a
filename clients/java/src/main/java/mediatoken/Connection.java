package mediatoken;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A connected socket, on which a question is sent and one answer is read. It belongs to one thread at a time.
 *
 * <p>HTTP by hand, as {@code java.net.http} has no UNIX sockets. Connecting, writing and reading wait in the system: an interrupt closes
 * the socket, and so does a thread that looks at the time.
 */
final class Connection {
  private static final int HEAD_BYTES = 16_384;
  /** For how long a connection is kept without a question: less than the daemon keeps it. */
  private static final long IDLE_NANOSECONDS = 30_000_000_000L;
  /** The platform copies what is written into a buffer of its own, which grows with it and stays. */
  private static final int PIECE = 65_536;
  private static final ScheduledThreadPoolExecutor CLOCK = new ScheduledThreadPoolExecutor(1, work -> {
    Thread thread = new Thread(work, "mediatoken-deadlines");
    thread.setDaemon(true);
    return thread;
  });

  static {
    CLOCK.setRemoveOnCancelPolicy(true);
  }

  /** In place of an end that has come. */
  private static final long LATE = Long.MIN_VALUE;

  private final SocketChannel channel;
  private final ByteBuffer received = ByteBuffer.allocate(HEAD_BYTES);
  /**
   * When the socket is closed, unless it has another end by then; and the earliest that the clock looks again. A look for each call would
   * wake its thread each time: some 30 µs.
   */
  private long end;
  private long nextLook;
  private Future<?> look;
  private boolean wasKept;

  private Connection(SocketAddress address, long end) throws IOException {
    channel = address instanceof UnixDomainSocketAddress ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
    this.end = end;
    lookAt(end);
  }

  /** A new connection. Where the listener has no room, the system waits for it. */
  static Connection to(SocketAddress address, long end) throws NoAnswer {
    Connection connection = null;
    try {
      connection = new Connection(address, end);
      connection.channel.connect(address);
      return connection;
    } catch (IOException problem) {
      if (connection != null) connection.close();
      NoAnswer ours = connection == null ? null : connection.ended(problem);
      throw ours != null ? ours
          : new NoAnswer("cannot connect (" + problem.getMessage() + "); check the address, and whether mediatokend runs");
    }
  }

  static NoAnswer interrupted() { return new NoAnswer("the thread was interrupted"); }

  private void lookAt(long time) {
    if (look != null) look.cancel(false);
    nextLook = time;
    look = CLOCK.schedule(() -> look(time), time - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  private synchronized void look(long time) {
    // Another look may have taken the place of this one.
    if (!channel.isOpen() || time != nextLook) return;
    if (end - System.nanoTime() > 0) {
      lookAt(end);
    } else {
      end = LATE;
      close();
    }
  }

  /** Sets another end; false if the last one has come. */
  private synchronized boolean sets(long time) {
    if (end == LATE) return false;
    end = time;
    if (time - nextLook < 0) lookAt(time);
    return true;
  }

  /** What an error of the socket means if we have closed it; else null. */
  private synchronized NoAnswer ended(IOException problem) {
    if (problem instanceof ClosedByInterruptException) return interrupted();
    return end == LATE ? new NoAnswer("none came in time") : null;
  }

  /** At once, and without a word to the daemon but the end. */
  synchronized void close() {
    look.cancel(false);
    try {
      channel.close();
    } catch (IOException alreadyBroken) {
      // There is no one to tell.
    }
  }

  /** Whether an idle connection is silent: one that can be read has ended, or said what no one asked for. */
  boolean isUsable() {
    try {
      return isSilent();
    } catch (IOException broken) {
      return false;
    }
  }

  private boolean isSilent() throws IOException {
    received.clear();
    channel.configureBlocking(false);
    boolean isSilent = channel.read(received) == 0;
    channel.configureBlocking(true);
    return isSilent;
  }

  /** Asks, and reads the answer. */
  Answer exchange(byte[] question, long time) throws NoAnswer, ForeignAnswer {
    // For a caller who waits no more no token is used up.
    if (Thread.currentThread().isInterrupted()) throw interrupted();
    if (time - System.nanoTime() <= 0) throw new NoAnswer("none came in time");
    int[] progress = {0, 0};
    try {
      if (!sets(time)) throw new IOException("it was idle for too long");
      Answer answer = answer(send(question, progress), progress);
      wasKept = isSilent() && sets(System.nanoTime() + IDLE_NANOSECONDS);
      return answer.kept(wasKept);
    } catch (IOException problem) {
      NoAnswer ours = progress[0] > 0 || !wasKept ? ended(problem) : null;
      if (ours != null) throw ours;
      throw new NoAnswer("the connection ended before it was whole", wasKept && progress[0] == 0, progress[1] == 0);
    }
  }

  /** Whether all of it went out. Where only a part did, there may be an answer that says why. */
  private boolean send(byte[] question, int[] progress) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(question);
    try {
      while (left.hasRemaining()) {
        left.limit(Math.min(question.length, left.position() + PIECE));
        progress[0] += channel.write(left);
        left.limit(question.length);
      }
    } catch (IOException broken) {
      if (progress[0] == 0 && wasKept || !channel.isOpen()) throw broken;
      return false;
    }
    return true;
  }

  private Answer answer(boolean isWhole, int[] progress) throws IOException, ForeignAnswer {
    received.clear();
    int length = -1;
    while (length < 0) {
      if (!received.hasRemaining()) throw new ForeignAnswer("its head is too long");
      receive(received);
      progress[1] = received.position();
      length = Answer.headLength(received.array(), received.position());
    }
    Answer head = Answer.head(received.array(), length, isWhole);
    ByteBuffer body = ByteBuffer.wrap(head.body());
    received.flip().position(length);
    if (received.remaining() > body.remaining()) throw new ForeignAnswer("there is more than one");
    body.put(received);
    while (body.hasRemaining()) receive(body);
    return head;
  }

  private void receive(ByteBuffer buffer) throws IOException {
    if (channel.read(buffer) < 0) throw new IOException("the connection ended");
  }
}
