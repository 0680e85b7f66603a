package mediatoken;

import java.util.Optional;

/** The daemon says no. */
public final class Refused extends NotValid {
  private static final long serialVersionUID = 1;

  private final String verdict;
  private final String reason;
  private final String detail;
  private final String adobeCode;
  private final String identity;
  private final String decisionError;
  private final String requestID;

  Refused(String verdict, String reason, String detail, String action, String adobeCode, String identity, String decisionError,
      String requestID) {
    super(verdict == null ? reason : verdict + ": " + reason, action);
    this.verdict = verdict;
    this.reason = reason;
    this.detail = detail;
    this.adobeCode = adobeCode;
    this.identity = identity;
    this.decisionError = decisionError;
    this.requestID = requestID;
  }

  /** {@return the verdict's name, such as TOKEN_EXPIRED; none of a decision that has no token} */
  public Optional<String> verdict() { return Optional.ofNullable(verdict); }

  /** {@return why, for programs, such as already-used or no-token-in-decision} */
  public String reason() { return reason; }

  /** {@return why, for people. It is not in the exception's text} */
  public String detail() { return detail; }

  /** {@return which of the codes of Adobe's verifier is nearest, such as TOKEN_EXPIRED} */
  public String adobeCode() { return adobeCode; }

  /** {@return the token's name in logs, 64 hexadecimal digits; none of what is no token} */
  public Optional<String> identity() { return Optional.ofNullable(identity); }

  /** {@return the code of Adobe's error in a decision that has no token, if there is one} */
  public Optional<String> decisionError() { return Optional.ofNullable(decisionError); }

  /** {@return the id of the request, yours or the daemon's; none of a decision that has no token} */
  public Optional<String> requestID() { return Optional.ofNullable(requestID); }
}
