/// A request to use a token.
public struct UseClaim: Sendable, Hashable {
  /// The token's name.
  public let identity: TokenIdentity
  /// The time at which it was issued.
  public let issueTime: UnixTime
  /// The life that it claims, in milliseconds, not shortened by any policy: how long a memory must remember it is a
  /// function of the token and of that memory alone.
  package let ttlMilliseconds: Int64
  /// The time at which its life was checked.
  public let now: UnixTime
  /// The caller's request, if the caller may repeat itself.
  public let request: UseRequest?

  /// The life that it claims, not shortened by any policy.
  public var lifetime: Duration { .milliseconds(ttlMilliseconds) }

  /// For callers that ask a memory without a verifier, which makes its own.
  package init(
    identity: TokenIdentity, issueTime: Instant, ttlMilliseconds: Int64, now: Instant, request: UseRequest?
  ) {
    self.identity = identity
    self.issueTime = issueTime
    self.ttlMilliseconds = ttlMilliseconds
    self.now = now
    self.request = request
  }
}

/// A request that its caller may repeat: proxies ask twice for one playback.
public struct UseRequest: Sendable, Hashable {
  /// The caller's name for the request. It is never shown.
  public let id: ExactText
  /// The peer's user id; 0 where there is only one caller.
  public let callerUID: UInt32

  /// The request with this id, of this caller.
  public init(id: String, callerUID: UInt32 = 0) {
    self.id = ExactText(id)
    self.callerUID = callerUID
  }
}

/// A replay memory's answer to a claim.
public enum UseOutcome: Sendable, Hashable, CaseIterable {
  /// The token may be played, and this is what its ``VerifiedToken`` says about it.
  case granted(VerifiedToken.Use)
  /// It was used before.
  case alreadyUsed
  /// By the latest clock that the memory has seen, its life is over.
  case expired
  /// It was issued before the moment from which the memory can vouch for tokens.
  case predatesMemory

  public static var allCases: [UseOutcome] {
    VerifiedToken.Use.allCases.map { .granted($0) } + [.alreadyUsed, .expired, .predatesMemory]
  }
}

/// The grants by the names that the protocols of the replay memories give them.
extension UseOutcome {
  /// It was never used before, and will never be again.
  public static var firstUse: UseOutcome { .granted(.first) }
  /// The same caller repeats its request inside the retry window and is given its first answer again.
  public static var retry: UseOutcome { .granted(.retry) }
  /// This memory remembers nothing, by choice.
  public static var notEnforced: UseOutcome { .granted(.notEnforced) }
}
