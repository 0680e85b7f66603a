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

  /**
   * Why, for programs.
   *
   * @return such as {@code replay-memory-full}
   */
  public String reason() {
    return reason;
  }

  /**
   * Why, for people.
   *
   * @return a sentence
   */
  public String detail() {
    return detail;
  }

  /**
   * What to do about it.
   *
   * @return a sentence
   */
  public String cure() {
    return cure;
  }

  /**
   * After what time to ask again.
   *
   * @return none if the daemon did not say
   */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
