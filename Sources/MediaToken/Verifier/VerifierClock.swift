/// A verifier's source of the time.
public struct VerifierClock: Sendable {
  let now: @Sendable () -> UnixTime
  let isSystem: Bool

  private init(_ now: @escaping @Sendable () -> UnixTime, isSystem: Bool) {
    (self.now, self.isSystem) = (now, isSystem)
  }

  /// The kernel's real-time clock: the only one that a table or a fleet accepts, because they are shared with others.
  public static let system = VerifierClock({ .now }, isSystem: true)

  /// Throws for a clock of a test's own.
  func checkIsShared() throws(SetupError) {
    if isSystem { return }
    throw SetupError([
      .init(
        "clock",
        "a replay memory that is shared with others has the kernel's clock",
        cure: "leave the clock out, or take OneUse.custom with the memory of MediaTokenTesting in tests"
      )
    ])
  }

  /// A clock of a test's own.
  public init(_ now: @escaping @Sendable () -> UnixTime) { self.init(now, isSystem: false) }
}
