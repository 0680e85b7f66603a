package mediatoken;

import java.util.Optional;

/** There is no valid token: do not play. */
@SuppressWarnings("serial")
public abstract sealed class NotValid extends Exception permits Refused, Unavailable {
  private final String action;
  private final String requestID;
  private final String detail;

  NotValid(String message, String action, String requestID, String detail) {
    super(message);
    this.action = action;
    this.requestID = requestID;
    this.detail = detail;
  }

  /** {@return what the player does next: new-token, retry with the same one, or report; a newer daemon may have others} */
  public final String action() { return action; }

  /** {@return the id of the request, yours or the daemon's} */
  public final Optional<String> requestID() { return Optional.ofNullable(requestID); }

  /** {@return more, for people; it is no part of the exception's text} */
  public final String detail() { return detail; }
}
