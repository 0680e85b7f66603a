/// What tells a verifier the time.
public struct VerifierClock: Sendable {
  let now: @Sendable () -> UnixTime
  let isSystem: Bool

  private init(_ now: @escaping @Sendable () -> UnixTime, isSystem: Bool) {
    (self.now, self.isSystem) = (now, isSystem)
  }

  /// The kernel's real-time clock: the only one that a table or a fleet accepts, because they are shared with others.
  public static let system = VerifierClock({ .now }, isSystem: true)

  /// A clock of a test's own.
  public init(_ now: @escaping @Sendable () -> UnixTime) { self.init(now, isSystem: false) }
}
