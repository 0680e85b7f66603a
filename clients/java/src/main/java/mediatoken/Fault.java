package mediatoken;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The daemon has no verdict: something is wrong on its side, or with the question. */
public final class Fault extends NotValid {
  private static final long serialVersionUID = 1;

  private final int status;
  private final Duration retryAfter;

  Fault(String name, int status, Duration retryAfter, Map<String, String> said) {
    super("no verdict: " + name + " (" + status + ")", said);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** {@return what is wrong, for programs, such as REPLAY_MEMORY_FULL or bad-parameter} */
  public String name() { return said("fault") + said("error"); }

  /** {@return the status of the answer} */
  public int status() { return status; }

  /** {@return what is wrong, for people, or nothing. It is not in the exception's text} */
  public String detail() { return said("detail"); }

  /** {@return after what time to ask again, if the daemon says so} */
  public Optional<Duration> retryAfter() { return Optional.ofNullable(retryAfter); }

  /** {@return the id of the request, yours or the daemon's; none if the question did not come so far} */
  public Optional<String> requestID() { return optional("requestID"); }
}
