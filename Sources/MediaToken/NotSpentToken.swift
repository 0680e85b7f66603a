/// What is left of a token that was verified and, on purpose, not spent: it passed steps 1 to 6, and step 7 was left out.
///
/// Only ``TokenVerifier`` makes one, for a request that plays nothing, as a `HEAD` before the `GET`. It is no
/// ``VerifiedToken``, and no way leads from it to one: the replay memory was not asked, so the token may have been used
/// already, and the next caller may use it. It shows nothing of the token but its name.
///
/// - Warning: It is no permission to play. A player that takes it for one plays for every copy of the token, each time.
public struct NotSpentToken: Sendable, Hashable {
  /// The SHA-256 of the signed bytes, which names the token whatever its spelling.
  public let identity: TokenIdentity

  /// What answers and logs say in place of a ``VerifiedToken/Use``.
  public static let use = "not-spent"
}
