/// A token that passed every step. Only step 7 of ``TokenVerifier`` makes one.
///
/// - Warning: `sessionGUID` is a viewer's hashed account id. Do not log it; name a token by ``identity``'s
///   ``TokenIdentity/logName``.
public struct VerifiedToken: Sendable {
  private let fields: TokenFields
  private let life: Lifetime

  /// The SHA-256 of the signed bytes, which names the token whatever its spelling.
  public let identity: TokenIdentity
  /// The key that signed it.
  public let keyFingerprint: Fingerprint
  /// The replay memory's answer.
  public let use: Use

  /// For step 7, and only after it.
  init(
    _ fields: consuming TokenFields, _ lifetime: Lifetime, identity: TokenIdentity, keyFingerprint: Fingerprint,
    use: Use
  ) {
    self.fields = fields
    life = lifetime
    self.identity = identity
    self.keyFingerprint = keyFingerprint
    self.use = use
  }

  /// The requestor that the token was issued for.
  public var requestorID: ExactText { fields.requestorID }
  /// The resource that the token was issued for, decoded: a name, or a whole MRSS document.
  public var resourceID: ExactText { fields.resourceID }
  /// The viewer's provider; may be empty.
  public var mvpdID: ExactText { fields.mvpdID }
  /// The proxy provider by which the viewer was authenticated, if the token names one.
  public var proxyMVPDID: ExactText? { fields.proxyMVPDID }
  /// The viewer's hashed account id; may be empty. Never log it.
  public var sessionGUID: String { fields.sessionGUID }
  /// Names of signed fields that this library does not know, in the token's order.
  public var unknownFields: [String] { fields.unknownFields }
  /// The time at which the issuer says that it made the token.
  public var issueTime: UnixTime { life.issueTime }
  /// The token's life: its `ttl`, or the policy's maximum if that is less.
  public var lifetime: Duration { .milliseconds(ttlMilliseconds) }
  package var ttlMilliseconds: Int64 { life.ttlMilliseconds }
  /// The first instant at which the token is refused: issue time, life and the policy's expiry tolerance.
  public var expiresAt: UnixTime { life.expiresAt }

  /// The kind of use of a valid token.
  public enum Use: String, Sendable, Hashable, CaseIterable {
    /// It was never used before, and cannot be again.
    case first
    /// The same caller repeated its request inside the retry window, and was given its first answer again.
    case retry
    /// One use is not enforced here: the caller chose a memory that remembers nothing.
    case notEnforced = "not-enforced"
  }
}

/// A token that was verified and, on purpose, not spent: it passed steps 1 to 6, and step 7 was left out.
///
/// Only ``TokenVerifier`` makes one, for a request that plays nothing, as a `HEAD` before the `GET`. It is no
/// ``VerifiedToken``, and no way leads from it to one: the replay memory was not asked, so the token may have been used
/// already, and the next caller may use it. It shows nothing of the token but its name.
///
/// - Warning: It is not a permission to play. A player that takes it for one plays for every copy of the token, each time.
public struct NotSpentToken: Sendable, Hashable {
  /// The SHA-256 of the signed bytes, which names the token whatever its spelling.
  public let identity: TokenIdentity

  /// The word of answers and logs in place of a ``VerifiedToken/Use``.
  public static let use = "not-spent"
}
