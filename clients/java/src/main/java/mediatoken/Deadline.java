package mediatoken;

import java.time.Duration;

/** One instant for a whole call. */
final class Deadline {
  /** Some hundred years: what is compared by its difference must not be longer. */
  private static final long LONGEST = Long.MAX_VALUE / 2;
  private static final long MILLISECOND = 1_000_000;

  private final long end;

  Deadline(Duration timeout) {
    end = System.nanoTime() + nanoseconds(timeout);
  }

  /** One at least; for waiting. */
  long millisecondsLeft() throws NoAnswer {
    long left = end - System.nanoTime();
    if (left <= 0) throw new NoAnswer("none came in time");
    return (left + MILLISECOND - 1) / MILLISECOND;
  }

  static long nanoseconds(Duration duration) {
    return duration.compareTo(Duration.ofNanos(LONGEST)) < 0 ? duration.toNanos() : LONGEST;
  }
}
