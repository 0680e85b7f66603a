package mediatoken;

import java.util.Optional;

/** The daemon says no. */
public final class Refused extends NotValid {
  Refused(Answer answer, String requestID) { super(answer, requestID); }

  /** {@return the verdict, such as TOKEN_EXPIRED; none of a decision that has no token} */
  public Optional<String> verdict() { return Optional.ofNullable(answer.text("verdict", null)); }
  /** {@return why, such as already-used or no-token-in-decision} */
  public String reason() { return answer.text("reason", answer.text("error", "")); }
  /** {@return the nearest of the codes of Adobe's verifier} */
  public String adobeCode() { return answer.text("adobeCode", "ERROR_UNKNOWN"); }

  @Override
  public String getMessage() { return verdict().map(verdict -> verdict + ": ").orElse("") + reason(); }
}
