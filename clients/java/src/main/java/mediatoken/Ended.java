package mediatoken;

import java.time.Duration;

/** The connection ended before the answer did. */
final class Ended extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean isSent;
  private final boolean hasBegun;

  /** Whether a byte of the question was sent on a connection that was kept, and whether a byte of the answer came. */
  Ended(boolean isSent, boolean hasBegun) {
    super(null, null, false, false);
    this.isSent = isSent;
    this.hasBegun = hasBegun;
  }

  boolean mayRepeat(Duration window, long start) {
    return !isSent || !hasBegun && window != null && System.nanoTime() - start < Daemon.nanoseconds(window);
  }
}
