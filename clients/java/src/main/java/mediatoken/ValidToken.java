package mediatoken;

import java.time.Instant;
import java.util.*;

/** A token that may play, now. It is used up. Only reading a valid answer makes one. */
public final class ValidToken {
  // Libraries that write objects by their fields leave out what is transient.
  private final transient Map<String, Object> said;

  /** Throws a RuntimeException if a member is missing or of another type. */
  ValidToken(Map<String, Object> said) {
    this.said = said;
    List.of(identity(), requestorID(), resourceID(), mvpdId(), proxyMvpdId(), sessionGUID(), issueTime(), expiresAt(), ttlMilliseconds(),
        keyFingerprint(), unknownFields(), use(), viewerTag(), handover(), requestID());
  }

  private String text(String name) { return (String) said.get(name); }
  private Optional<String> optional(String name) { return Optional.ofNullable(text(name)); }

  /** {@return the token's name in logs: SHA-256 of what was signed, 64 hexadecimal digits} */
  public String identity() { return text("identity"); }
  /** {@return whom the token is for, as it was signed} */
  public String requestorID() { return text("requestorID"); }
  /** {@return what may be played, as it was signed} */
  public String resourceID() { return text("resourceID"); }
  /** {@return the viewer's provider, as it was signed} */
  public String mvpdId() { return text("mvpdId"); }
  /** {@return the provider's proxy, if one was signed} */
  public Optional<String> proxyMvpdId() { return optional("proxyMvpdId"); }
  /** {@return what names the viewer's account. Keep it out of your logs} */
  public String sessionGUID() { return text("sessionGUID"); }
  /** {@return when the token was signed} */
  public Instant issueTime() { return Instant.parse(text("issueTime")); }
  /** {@return when the token ends} */
  public Instant expiresAt() { return Instant.parse(text("expiresAt")); }
  /** {@return the life that is granted} */
  public long ttlMilliseconds() { return (Long) said.get("ttlMilliseconds"); }
  /** {@return the key that signed the token, 64 hexadecimal digits} */
  public String keyFingerprint() { return text("keyFingerprint"); }
  /** {@return names of signed fields that the daemon does not know} */
  public List<String> unknownFields() { return ((List<?>) said.get("unknownFields")).stream().map(String.class::cast).toList(); }
  /** {@return "first"; "retry", a request of yours again; "not-enforced", where uses are not counted} */
  public String use() { return text("use"); }
  /** {@return a pseudonym of the account that may be logged, if the daemon gives one} */
  public Optional<String> viewerTag() { return optional("viewerTag"); }
  /** {@return a credential with which the player gets its segments, if the tenant has that. Keep it out of your logs} */
  public Optional<String> handover() { return optional("handover"); }
  /** {@return the id of the request, yours or the daemon's, whose log has it too} */
  public String requestID() { return text("requestID"); }

  @Override
  public String toString() { return "ValidToken[" + identity() + ", use=" + use() + ", requestID=" + requestID() + "]"; }
}
