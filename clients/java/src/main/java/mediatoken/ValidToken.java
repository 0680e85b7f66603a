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

  ValidToken(Reading read) throws ForeignAnswer {
    identity = read.text("identity");
    use = Use.named(read.text("use"));
    requestID = read.text("requestID");
    requestorID = read.text("requestorID");
    resourceID = read.text("resourceID");
    mvpdId = read.text("mvpdId");
    proxyMvpdId = read.optional("proxyMvpdId");
    sessionGUID = read.text("sessionGUID");
    issueTime = read.time("issueTime");
    expiresAt = read.time("expiresAt");
    // It has at most twelve digits, as the token's.
    ttlMilliseconds = read.number("ttlMilliseconds", 0, 999_999_999_999L);
    keyFingerprint = read.text("keyFingerprint");
    unknownFields = read.texts("unknownFields");
    viewerTag = read.optional("viewerTag");
    handover = read.optional("handover");
  }

  /** {@return the token's name in logs: SHA-256 of what was signed, 64 hexadecimal digits} */
  public String identity() { return identity; }

  /** {@return which use of the token this was: the first, unless the daemon lets others play} */
  public Use use() { return use; }

  /** {@return the id of the request, yours or the daemon's, whose log has it too} */
  public String requestID() { return requestID; }

  /** {@return whom the token is for, as it was signed} */
  public String requestorID() { return requestorID; }

  /** {@return what may be played, as it was signed} */
  public String resourceID() { return resourceID; }

  /** {@return the provider that the viewer pays, as it was signed} */
  public String mvpdId() { return mvpdId; }

  /** {@return the provider's proxy, if one was signed} */
  public Optional<String> proxyMvpdId() { return Optional.ofNullable(proxyMvpdId); }

  /** {@return what names the viewer's account. Keep it out of your logs} */
  public String sessionGUID() { return sessionGUID; }

  /** {@return when the token was signed, to the millisecond} */
  public Instant issueTime() { return issueTime; }

  /** {@return when the token ends, to the millisecond} */
  public Instant expiresAt() { return expiresAt; }

  /** {@return the life that is granted, in milliseconds} */
  public long ttlMilliseconds() { return ttlMilliseconds; }

  /** {@return the fingerprint of the key that signed the token, 64 hexadecimal digits} */
  public String keyFingerprint() { return keyFingerprint; }

  /** {@return names of signed fields that the daemon does not know, in a list that cannot be changed} */
  public List<String> unknownFields() { return unknownFields; }

  /** {@return a pseudonym of the account that may be logged, if the daemon gives one} */
  public Optional<String> viewerTag() { return Optional.ofNullable(viewerTag); }

  /** {@return a credential with which the player gets its segments, if the tenant has that. Keep it out of your logs} */
  public Optional<String> handover() { return Optional.ofNullable(handover); }

  /** For logs: without the account and the credential. */
  @Override
  public String toString() {
    return "ValidToken[" + identity + ", use=" + use + ", requestID=" + requestID + "]";
  }
}
