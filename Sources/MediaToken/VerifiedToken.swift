/// A token that passed every step. Only step 7 of ``TokenVerifier`` makes one.
///
/// - Warning: `sessionGUID` is a viewer's hashed account id. Do not log it; name a token by ``identity``'s
///   ``TokenIdentity/logName``.
public struct VerifiedToken: Sendable, Hashable {
  /// The requestor that the token was issued for.
  public let requestorID: String
  /// The resource that the token was issued for, decoded: a name, or a whole MRSS document.
  public let resourceID: String
  /// The viewer's provider; may be empty.
  public let mvpdID: String
  /// The provider behind a proxy provider, if the token names one.
  public let proxyMVPDID: String?
  /// The viewer's hashed account id; may be empty. Never log it.
  public let sessionGUID: String
  /// When the issuer says that it made the token.
  public let issueTime: Instant
  /// How long the token lives in milliseconds: its `ttl`, or the policy's maximum if that is less.
  public let ttlMilliseconds: Int64
  /// The first instant at which the token is refused: issue time, life and the policy's expiry tolerance.
  public let expiresAt: Instant
  /// The key that signed it.
  public let keyFingerprint: Fingerprint
  /// Names of signed fields that this library does not know, in the token's order.
  public let unknownFields: [String]
  /// The SHA-256 of the signed bytes, which names the token whatever its spelling.
  public let identity: TokenIdentity
  /// What the replay memory said.
  public let use: Use

  /// How a valid token was used.
  public enum Use: String, Sendable, Hashable, CaseIterable {
    /// Nobody had used it before; nobody can again.
    case first
    /// The same caller repeated its request inside the retry window, and was given its first answer again.
    case retry
    /// One use is not enforced here: the caller chose a memory that remembers nothing.
    case notEnforced = "not-enforced"
  }
}

/// What a token is called: the SHA-256 of its signed bytes. Every spelling of a token has the same identity.
public struct TokenIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The SHA-256 of the signed bytes.
  public let digest: SHA256Digest

  /// The first 16 hexadecimal digits: what logs and messages call the token.
  public var logName: String { digest.hexadecimal(digits: 16) }

  /// 64 lower-case hexadecimal digits.
  public var description: String { digest.description }
}

/// The SHA-256 of a public key's re-encoded SubjectPublicKeyInfo: what a key is called.
public typealias Fingerprint = SHA256Digest

extension VerifiedToken {
  /// For step 7, and only after it.
  init(
    _ fields: TokenFields, _ lifetime: Lifetime, identity: TokenIdentity, keyFingerprint: Fingerprint, use: Use
  ) {
    self.init(
      requestorID: fields.requestorID, resourceID: fields.resourceID, mvpdID: fields.mvpdID,
      proxyMVPDID: fields.proxyMVPDID, sessionGUID: fields.sessionGUID, issueTime: lifetime.issueTime,
      ttlMilliseconds: lifetime.ttlMilliseconds, expiresAt: lifetime.expiresAt, keyFingerprint: keyFingerprint,
      unknownFields: fields.unknownFields, identity: identity, use: use)
  }
}
