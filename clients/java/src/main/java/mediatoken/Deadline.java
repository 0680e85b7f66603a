package mediatoken;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Closes a channel when its time is over, as those of UNIX sockets have no timeouts. */
final class Deadline implements AutoCloseable {
  private static final Map<SocketChannel, Long> ENDS = new ConcurrentHashMap<>();
  private static final long HOUR = 3_600_000_000_000L;
  private static volatile long nextLook = System.nanoTime() + HOUR;
  private static final Thread CLOCK = new Thread(Deadline::look, "mediatoken-deadlines");

  static {
    CLOCK.setDaemon(true);
    CLOCK.start();
  }

  private final SocketChannel channel;

  Deadline(SocketChannel channel, Duration timeout) {
    this.channel = channel;
    long end = System.nanoTime() + timeout.toNanos();
    ENDS.put(channel, end);
    // Mostly it looks before that anyway, for an earlier call: to wake it for each would cost some 30 µs.
    if (end - nextLook < 0) LockSupport.unpark(CLOCK);
  }

  private static void look() {
    while (true) {
      long next = System.nanoTime() + HOUR;
      // A call that begins while it looks wakes it once more.
      nextLook = next;
      for (Map.Entry<SocketChannel, Long> each : ENDS.entrySet()) {
        if (each.getValue() - System.nanoTime() <= 0) {
          ENDS.remove(each.getKey());
          close(each.getKey());
        } else if (each.getValue() - next < 0) {
          next = each.getValue();
        }
      }
      nextLook = next;
      LockSupport.parkNanos(next - System.nanoTime());
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException broken) {
      // It is closed all the same.
    }
  }

  /** An error of the channel, or why we closed it. */
  IOException explained(IOException problem, String otherwise) {
    if (problem instanceof ClosedByInterruptException) return new IOException("the thread was interrupted");
    return new IOException(ENDS.containsKey(channel) ? otherwise : "none came in time");
  }

  @Override
  public void close() { ENDS.remove(channel); }
}
