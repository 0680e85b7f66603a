package mediatoken;

/** There is no valid token: do not play. The texts of these exceptions have no byte of a token or of an answer that is not ours. */
public abstract sealed class NotValid extends Exception permits Refused, Fault, NoAnswer, ForeignAnswer {
  private static final long serialVersionUID = 1;

  private final String action;

  NotValid(String message, String action) {
    super(message);
    this.action = action;
  }

  /** {@return what the player does next: new-token, retry with the same one, or report, as a new one would not help} */
  public final String action() { return action; }
}
