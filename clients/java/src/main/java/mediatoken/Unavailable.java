package mediatoken;

import java.time.Duration;
import java.util.Optional;

/** There is no verdict: a fault of the daemon, an error about the question, or no answer of ours, when the token may be used up. */
@SuppressWarnings("serial")
public final class Unavailable extends NotValid {
  private final String name;
  private final int status;
  private final Duration retryAfter;

  Unavailable(String name, int status, String action, Duration retryAfter, String requestID, String detail, String why) {
    super("no verdict: " + name + " (" + status + ")" + why, action, requestID, detail);
    this.name = name;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** {@return what is wrong: REPLAY_MEMORY_FULL, bad-parameter, …, or NO_ANSWER} */
  public String name() { return name; }

  /** {@return the status of HTTP; 0 if there was no answer} */
  public int status() { return status; }

  /** {@return after what time to ask again, if the daemon says so} */
  public Optional<Duration> retryAfter() { return Optional.ofNullable(retryAfter); }
}
