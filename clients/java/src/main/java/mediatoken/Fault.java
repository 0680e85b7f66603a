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

  Fault(String name, int status, String detail) {
    this(name, status, detail, "report", null, null);
  }

  Fault(String name, int status, String detail, String action, Duration retryAfter, String requestID) {
    super("no verdict: " + name + " (" + status + ")", action);
    this.name = name;
    this.status = status;
    this.detail = detail;
    this.retryAfter = retryAfter;
    this.requestID = requestID;
  }

  /** {@return what is wrong, for programs, such as REPLAY_MEMORY_FULL or bad-parameter} */
  public String name() { return name; }

  /** {@return the status of the answer} */
  public int status() { return status; }

  /** {@return what is wrong, for people, or nothing. It is not in the exception's text} */
  public String detail() { return detail; }

  /** {@return after what time to ask again, if the daemon says so} */
  public Optional<Duration> retryAfter() { return Optional.ofNullable(retryAfter); }

  /** {@return the id of the request, yours or the daemon's; none if the question did not come so far} */
  public Optional<String> requestID() { return Optional.ofNullable(requestID); }
}
