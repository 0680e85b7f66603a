package mediatoken;

import java.util.Optional;

/** The daemon says no. */
@SuppressWarnings("serial")
public final class Refused extends NotValid {
  private final String verdict;
  private final String reason;
  private final String adobeCode;

  Refused(String verdict, String reason, String action, String adobeCode, String requestID, String detail) {
    super(verdict == null ? reason : verdict + ": " + reason, action, requestID, detail);
    this.verdict = verdict;
    this.reason = reason;
    this.adobeCode = adobeCode;
  }

  /** {@return the verdict, such as TOKEN_EXPIRED; none of a decision that has no token} */
  public Optional<String> verdict() { return Optional.ofNullable(verdict); }

  /** {@return why, such as already-used or no-token-in-decision} */
  public String reason() { return reason; }

  /** {@return the nearest of the codes of Adobe's verifier} */
  public String adobeCode() { return adobeCode; }
}
