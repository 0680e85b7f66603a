package mediatoken;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A daemon's address, and the connections to it. */
final class Daemon {
  /** Room for a token of the greatest length with every byte escaped. */
  private static final int ANSWER_BYTES = 1 << 20;

  private final Address address;
  private final Duration timeout;
  private final Pool pool;
  /** One for each question that may be on the way at once. */
  private final Semaphore turns;

  Daemon(Address address, Duration timeout, int idleConnections, int connections) {
    this.address = address;
    this.timeout = timeout;
    pool = new Pool(idleConnections);
    turns = new Semaphore(connections, true);
  }

  /** Reads an answer; what it throws is the answer, too. */
  interface Reader<T, E extends Exception> {
    T read(Answer answer) throws NotValid, E;
  }

  /** Asks, at most twice. {@code repeats}: for how long a question that was sent may be sent again; null: never. */
  <T, E extends Exception> T exchange(byte[] question, Duration repeats, Reader<T, E> reader) throws NotValid, E {
    Deadline deadline = new Deadline(timeout);
    takeTurn(deadline);
    try {
      return exchangeNow(question, repeats, reader, deadline);
    } finally {
      turns.release();
    }
  }

  private void takeTurn(Deadline deadline) throws NoAnswer {
    try {
      if (turns.tryAcquire(deadline.millisecondsLeft(), TimeUnit.MILLISECONDS)) return;
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new NoAnswer("the thread was interrupted");
    }
    throw new NoAnswer("all connections of this client were in use; nothing was asked");
  }

  private <T, E extends Exception> T exchangeNow(
      byte[] question, Duration repeats, Reader<T, E> reader, Deadline deadline) throws NotValid, E {
    long start = System.nanoTime();
    Connection connection = pool.take(address, deadline);
    boolean isKept = false;
    try {
      Answer answer;
      try {
        answer = connection.exchange(question, ANSWER_BYTES, deadline);
      } catch (Ended end) {
        if (!mayRepeat(end, repeats, start)) throw end;
        connection.close();
        connection = Connection.to(address, deadline);
        // Where the listener had no room, the window may be over by now.
        if (!mayRepeat(end, repeats, start)) throw end;
        answer = connection.exchange(question, ANSWER_BYTES, deadline);
      }
      try {
        T outcome = reader.read(answer);
        isKept = answer.isKept();
        return outcome;
      } catch (Exception outcome) {
        boolean isOurs = outcome instanceof Refused || outcome instanceof Fault || outcome instanceof NotReady;
        isKept = isOurs && answer.isKept();
        throw outcome;
      }
    } catch (Ended end) {
      throw new NoAnswer(end.getMessage());
    } finally {
      if (isKept) {
        pool.give(connection);
      } else {
        connection.close();
      }
    }
  }

  private static boolean mayRepeat(Ended end, Duration window, long start) {
    return switch (end.stage()) {
      case UNSENT -> true;
      case UNANSWERED -> window != null && System.nanoTime() - start < Deadline.nanoseconds(window);
      case HALF -> false;
    };
  }

  /** A request of HTTP; without a body it has no length. */
  static byte[] written(String line, String fields, byte[] body) {
    String length = body == null ? "" : "Content-Length: " + body.length + "\r\n";
    byte[] head = (line + " HTTP/1.1\r\nHost: localhost\r\n" + fields + length + "\r\n").getBytes(StandardCharsets.US_ASCII);
    if (body == null) return head;
    byte[] whole = new byte[head.length + body.length];
    System.arraycopy(head, 0, whole, 0, head.length);
    System.arraycopy(body, 0, whole, head.length, body.length);
    return whole;
  }

  /** Closes the connections that are idle. */
  void close() {
    pool.close();
  }
}
