package mediatoken;

import java.util.Map;
import java.util.Optional;

/** The daemon says no. */
public final class Refused extends NotValid {
  private static final long serialVersionUID = 1;

  Refused(String message, Map<String, String> said) {
    super(message, said);
  }

  /** {@return the verdict's name, such as TOKEN_EXPIRED; none of a decision that has no token} */
  public Optional<String> verdict() { return optional("verdict"); }

  /** {@return why, for programs, such as already-used or no-token-in-decision} */
  public String reason() { return said("reason"); }

  /** {@return why, for people. It is not in the exception's text} */
  public String detail() { return said("detail"); }

  /** {@return which of the codes of Adobe's verifier is nearest, such as TOKEN_EXPIRED} */
  public String adobeCode() { return said("adobeCode"); }

  /** {@return the token's name in logs, 64 hexadecimal digits; none of what is no token} */
  public Optional<String> identity() { return optional("identity"); }

  /** {@return the code of Adobe's error in a decision that has no token, if there is one} */
  public Optional<String> decisionError() { return optional("decisionError"); }

  /** {@return the id of the request, yours or the daemon's; none of a decision that has no token} */
  public Optional<String> requestID() { return optional("requestID"); }
}
