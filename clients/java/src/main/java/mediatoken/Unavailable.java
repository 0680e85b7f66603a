package mediatoken;

import java.time.Duration;
import java.util.Optional;

/** There is no verdict: a fault of the daemon, an error about the question, or no answer of ours, when the token may be used up. */
public final class Unavailable extends NotValid {
  Unavailable(Answer answer, String requestID) { super(answer, requestID); }

  /** {@return what is wrong: REPLAY_MEMORY_FULL, bad-parameter, …, or NO_ANSWER} */
  public String name() { return answer.text("fault", answer.text("error", "NO_ANSWER")); }
  /** {@return the status of HTTP; 0 if there was no answer} */
  public int status() { return answer.status(); }
  /** {@return after what time to ask again, if the daemon says so} */
  public Optional<Duration> retryAfter() { return Optional.ofNullable(answer.retryAfter()); }

  @Override
  public String getMessage() {
    boolean isOurs = status() == 0 || status() == 200; // The client's own words, in which nothing of an answer is.
    return "no verdict: " + name() + " (" + status() + ")" + (isOurs ? ": " + detail() : "");
  }
}
