package mediatoken;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A token that may play, now. It is used up.
 *
 * <p>Only reading a valid answer makes one. It cannot be changed or serialized: what was written once would be valid for ever. Pass
 * on the members that you need.
 */
public final class ValidToken {
  // Libraries that write objects by their fields leave out those that are transient.
  private final transient Map<String, ?> said;

  /** Of the members that {@link Reading} found in their forms. */
  ValidToken(Map<String, ?> said) { this.said = said; }

  /** {@return the token's name in logs: SHA-256 of what was signed, 64 hexadecimal digits} */
  public String identity() { return (String) said.get("identity"); }

  /** {@return which use of the token this was: the first, unless the daemon lets others play} */
  public Use use() { return (Use) said.get("use"); }

  /** {@return the id of the request, yours or the daemon's, whose log has it too} */
  public String requestID() { return (String) said.get("requestID"); }

  /** {@return whom the token is for, as it was signed} */
  public String requestorID() { return (String) said.get("requestorID"); }

  /** {@return what may be played, as it was signed} */
  public String resourceID() { return (String) said.get("resourceID"); }

  /** {@return the provider that the viewer pays, as it was signed} */
  public String mvpdId() { return (String) said.get("mvpdId"); }

  /** {@return the provider's proxy, if one was signed} */
  public Optional<String> proxyMvpdId() { return Optional.ofNullable((String) said.get("proxyMvpdId")); }

  /** {@return what names the viewer's account. Keep it out of your logs} */
  public String sessionGUID() { return (String) said.get("sessionGUID"); }

  /** {@return when the token was signed, to the millisecond} */
  public Instant issueTime() { return (Instant) said.get("issueTime"); }

  /** {@return when the token ends, to the millisecond} */
  public Instant expiresAt() { return (Instant) said.get("expiresAt"); }

  /** {@return the life that is granted, in milliseconds} */
  public long ttlMilliseconds() { return (Long) said.get("ttlMilliseconds"); }

  /** {@return the fingerprint of the key that signed the token, 64 hexadecimal digits} */
  public String keyFingerprint() { return (String) said.get("keyFingerprint"); }

  /** {@return names of signed fields that the daemon does not know, in a list that cannot be changed} */
  public List<String> unknownFields() { return ((List<?>) said.get("unknownFields")).stream().map(String.class::cast).toList(); }

  /** {@return a pseudonym of the account that may be logged, if the daemon gives one} */
  public Optional<String> viewerTag() { return Optional.ofNullable((String) said.get("viewerTag")); }

  /** {@return a credential with which the player gets its segments, if the tenant has that. Keep it out of your logs} */
  public Optional<String> handover() { return Optional.ofNullable((String) said.get("handover")); }

  /** For logs: without the account and the credential. */
  @Override
  public String toString() { return "ValidToken[" + identity() + ", use=" + use() + ", requestID=" + requestID() + "]"; }
}
