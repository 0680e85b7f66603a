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

  private Refused(
      String message, String verdict, String reason, String detail, String action, String adobeCode, String identity,
      String decisionError, String requestID) {
    super(message, action);
    this.verdict = verdict;
    this.reason = reason;
    this.detail = detail;
    this.adobeCode = adobeCode;
    this.identity = identity;
    this.decisionError = decisionError;
    this.requestID = requestID;
  }

  /** A refused token. Without an identity it is no token. */
  static Refused token(
      String verdict, String reason, String detail, String action, String adobeCode, String identity, String requestID) {
    return new Refused(verdict + ": " + reason, verdict, reason, detail, action, adobeCode, identity, null, requestID);
  }

  /** A decision without a token; {@code error} is Adobe's, if the decision has one. */
  static Refused decision(String reason, String detail, String action, String error) {
    return new Refused(reason, null, reason, detail, action, "ERROR_UNKNOWN", null, error, null);
  }

  /**
   * The verdict's name.
   *
   * @return such as {@code TOKEN_EXPIRED}; none of a decision that has no token
   */
  public Optional<String> verdict() {
    return Optional.ofNullable(verdict);
  }

  /**
   * Why, for programs.
   *
   * @return such as {@code already-used}, or {@code no-token-in-decision}
   */
  public String reason() {
    return reason;
  }

  /**
   * Why, for people. It is not in the exception's text.
   *
   * @return a sentence
   */
  public String detail() {
    return detail;
  }

  /**
   * Which of the codes of Adobe's verifier is nearest.
   *
   * @return such as {@code TOKEN_EXPIRED}
   */
  public String adobeCode() {
    return adobeCode;
  }

  /**
   * The token's name in logs.
   *
   * @return 64 hexadecimal digits; none of what is no token
   */
  public Optional<String> identity() {
    return Optional.ofNullable(identity);
  }

  /**
   * Adobe's error in a decision that has no token.
   *
   * @return its code, if there is one
   */
  public Optional<String> decisionError() {
    return Optional.ofNullable(decisionError);
  }

  /**
   * The id of the request, which the daemon's log has too.
   *
   * @return yours or the daemon's; none of a decision that has no token
   */
  public Optional<String> requestID() {
    return Optional.ofNullable(requestID);
  }
}
