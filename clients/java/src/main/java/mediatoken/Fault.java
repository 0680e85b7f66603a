package mediatoken;

import java.time.Duration;
import java.util.Optional;

/** The daemon has no verdict: something is wrong on its side, or with the question. */
public final class Fault extends NotValid {
  private static final long serialVersionUID = 1;

  private final String name;
  private final int status;
  private final String detail;
  private final Duration retryAfter;
  private final String requestID;

  Fault(String message, String name, int status, String detail, String action, Duration retryAfter, String requestID) {
    super("no verdict: " + message, action);
    this.name = name;
    this.status = status;
    this.detail = detail;
    this.retryAfter = retryAfter;
    this.requestID = requestID;
  }

  /**
   * What is wrong, for programs.
   *
   * @return such as {@code REPLAY_MEMORY_FULL} or {@code bad-parameter}
   */
  public String name() {
    return name;
  }

  /**
   * The status of the answer.
   *
   * @return of HTTP
   */
  public int status() {
    return status;
  }

  /**
   * What is wrong, for people. It is not in the exception's text.
   *
   * @return a sentence, or nothing
   */
  public String detail() {
    return detail;
  }

  /**
   * After what time to ask again.
   *
   * @return none if the daemon did not say
   */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /**
   * The id of the request, which the daemon's log has too.
   *
   * @return yours or the daemon's; none if the question did not come so far
   */
  public Optional<String> requestID() {
    return Optional.ofNullable(requestID);
  }
}
