package mediatoken;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A token that may play, now. It is used up.
 *
 * <p>Only reading a valid answer makes one. It cannot be changed or serialized: what was written once would be valid for ever. Pass
 * on the members that you need.
 */
public final class ValidToken {
  /** The bound of a token's ttl, which has at most twelve digits. */
  private static final long LONGEST_LIFE = 999_999_999_999L;

  private final String identity;
  private final Use use;
  private final String requestID;
  private final String requestorID;
  private final String resourceID;
  private final String mvpdId;
  private final String proxyMvpdId;
  // Libraries that write objects by their fields leave out those that are transient.
  private final transient String sessionGUID;
  private final Instant issueTime;
  private final Instant expiresAt;
  private final long ttlMilliseconds;
  private final String keyFingerprint;
  private final List<String> unknownFields;
  private final String viewerTag;
  private final transient String handover;

  /** Made of an answer's members; what is not as a valid token has it is a foreign answer. */
  ValidToken(Members members, String identity, Use use, String requestID) throws ForeignAnswer {
    this.identity = identity;
    this.use = use;
    this.requestID = requestID;
    requestorID = members.text("requestorID");
    resourceID = members.text("resourceID");
    mvpdId = members.text("mvpdId");
    proxyMvpdId = members.textIfAny("proxyMvpdId");
    sessionGUID = members.text("sessionGUID");
    issueTime = members.time("issueTime");
    expiresAt = members.time("expiresAt");
    ttlMilliseconds = members.integer("ttlMilliseconds", 0, LONGEST_LIFE);
    keyFingerprint = members.digest("keyFingerprint");
    unknownFields = members.texts("unknownFields");
    viewerTag = members.textIfAny("viewerTag");
    handover = members.textIfAny("handover");
  }

  /**
   * The token's name in logs.
   *
   * @return SHA-256 of what was signed, as 64 hexadecimal digits
   */
  public String identity() {
    return identity;
  }

  /**
   * Which use of the token this was.
   *
   * @return the first, unless the daemon lets others play
   */
  public Use use() {
    return use;
  }

  /**
   * The id of the request, which the daemon's log has too.
   *
   * @return yours, or the daemon's
   */
  public String requestID() {
    return requestID;
  }

  /**
   * Whom the token is for.
   *
   * @return what was signed
   */
  public String requestorID() {
    return requestorID;
  }

  /**
   * What may be played.
   *
   * @return what was signed
   */
  public String resourceID() {
    return resourceID;
  }

  /**
   * The provider that the viewer pays.
   *
   * @return what was signed
   */
  public String mvpdId() {
    return mvpdId;
  }

  /**
   * The provider's proxy.
   *
   * @return what was signed, if it was
   */
  public Optional<String> proxyMvpdId() {
    return Optional.ofNullable(proxyMvpdId);
  }

  /**
   * Names the viewer's account. Keep it out of your logs.
   *
   * @return what was signed
   */
  public String sessionGUID() {
    return sessionGUID;
  }

  /**
   * When the token was signed.
   *
   * @return to the millisecond
   */
  public Instant issueTime() {
    return issueTime;
  }

  /**
   * When the token ends.
   *
   * @return to the millisecond
   */
  public Instant expiresAt() {
    return expiresAt;
  }

  /**
   * The life that is granted.
   *
   * @return milliseconds
   */
  public long ttlMilliseconds() {
    return ttlMilliseconds;
  }

  /**
   * The key that signed the token.
   *
   * @return its fingerprint, 64 hexadecimal digits
   */
  public String keyFingerprint() {
    return keyFingerprint;
  }

  /**
   * Names of signed fields that the daemon does not know.
   *
   * @return a list that cannot be changed
   */
  public List<String> unknownFields() {
    return unknownFields;
  }

  /**
   * A pseudonym of the account that may be logged.
   *
   * @return if the daemon gives one
   */
  public Optional<String> viewerTag() {
    return Optional.ofNullable(viewerTag);
  }

  /**
   * A credential with which the player gets its segments. Keep it out of your logs.
   *
   * @return if the tenant has that
   */
  public Optional<String> handover() {
    return Optional.ofNullable(handover);
  }

  /** For logs: without the account and the credential. */
  @Override
  public String toString() {
    return "ValidToken[" + identity + ", use=" + use + ", requestID=" + requestID + "]";
  }
}
