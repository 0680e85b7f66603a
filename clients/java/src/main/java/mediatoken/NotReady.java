package mediatoken;

import java.time.Duration;
import java.util.Optional;

/** The daemon would not play the next good token. */
public final class NotReady extends Exception {
  private static final long serialVersionUID = 1;

  private final String reason;
  private final String detail;
  private final String cure;
  private final Duration retryAfter;

  NotReady(String reason, String detail, String cure, Duration retryAfter) {
    super("not ready: " + reason);
    this.reason = reason;
    this.detail = detail;
    this.cure = cure;
    this.retryAfter = retryAfter;
  }

  /** {@return why, for programs, such as replay-memory-full} */
  public String reason() { return reason; }

  /** {@return why, for people} */
  public String detail() { return detail; }

  /** {@return what to do about it, for people} */
  public String cure() { return cure; }

  /** {@return after what time to ask again, if the daemon says so} */
  public Optional<Duration> retryAfter() { return Optional.ofNullable(retryAfter); }
}
