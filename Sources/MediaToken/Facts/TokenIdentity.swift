/// A token's name: the SHA-256 of its signed bytes. Every spelling of a token has the same identity.
public struct TokenIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The SHA-256 of the signed bytes.
  public let digest: SHA256Digest

  /// The identity with this digest.
  public init(digest: SHA256Digest) { self.digest = digest }

  /// The first 16 hexadecimal digits, by which logs and messages name the token.
  public var logName: String { digest.hexadecimal(digits: 16) }

  /// 64 lower-case hexadecimal digits.
  public var description: String { digest.description }
}
