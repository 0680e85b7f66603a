package mediatoken;

import java.util.Map;

/** No one listens, or no whole answer came in time. The token may be used up. */
public final class NoAnswer extends NotValid {
  private static final long serialVersionUID = 1;

  /** Whether a connection that was kept had ended before a byte of the question was sent. */
  private final transient boolean isUnsent;
  /** Whether the connection ended before a byte of the answer came. */
  private final transient boolean isUnanswered;

  NoAnswer(String why) { this(why, false, false); }

  NoAnswer(String why, boolean isUnsent, boolean isUnanswered) {
    super("no answer: " + why, Map.of("action", "retry"));
    this.isUnsent = isUnsent;
    this.isUnanswered = isUnanswered;
  }

  /** {@code last}: when a question that was sent may be sent again no more, an instant of {@link System#nanoTime}. */
  boolean mayRepeat(long last) { return isUnsent || isUnanswered && System.nanoTime() - last < 0; }
}
