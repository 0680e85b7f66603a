package mediatoken;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** There is no valid token: do not play. The texts of these exceptions have no byte of a token or of an answer that is not ours. */
public abstract sealed class NotValid extends Exception permits Refused, Fault, NoAnswer, ForeignAnswer {
  private static final long serialVersionUID = 1;

  private final HashMap<String, String> said;

  /** Of members that the answer has: others are null, or are not there. */
  NotValid(String message, Map<String, String> said) {
    super(message);
    this.said = new HashMap<>(said);
  }

  /** {@return what the player does next: new-token, retry with the same one, or report, as a new one would not help} */
  public final String action() { return said("action"); }

  /** A member, or the empty text. */
  String said(String name) { return optional(name).orElse(""); }

  Optional<String> optional(String name) { return Optional.ofNullable(said.get(name)); }
}
