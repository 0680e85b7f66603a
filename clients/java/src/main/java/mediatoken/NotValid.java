package mediatoken;

import java.util.Optional;

/** There is no valid token: do not play. */
public abstract sealed class NotValid extends Exception permits Refused, Unavailable {
  final transient Answer answer;
  private final String requestID;

  NotValid(Answer answer, String requestID) {
    this.answer = answer;
    this.requestID = requestID != null ? requestID : answer.text("requestID", null);
  }

  /** {@return what the player does next: new-token, retry with the same one, or report; a newer daemon may have others} */
  public final String action() { return answer.text("action", "retry"); }
  /** {@return the id of the request, yours or the daemon's} */
  public final Optional<String> requestID() { return Optional.ofNullable(requestID); }
  /** {@return more, for people; it is no part of the exception's text} */
  public final String detail() { return answer.text("detail", ""); }
}
