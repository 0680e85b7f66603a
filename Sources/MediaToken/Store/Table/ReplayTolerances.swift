/// The times that a table is made for, in milliseconds: of a `Policy`, those that decide how long a token is remembered.
package struct ReplayTolerances: Sendable, Hashable {
  package let maxTTLMilliseconds: Int64
  /// The time by which a token's issue may be ahead of the clock.
  package let futureToleranceMilliseconds: Int64
  /// The time after its end in which a token is still accepted.
  package let expiryToleranceMilliseconds: Int64

  package init(
    maxTTLMilliseconds: Int64, futureToleranceMilliseconds: Int64, expiryToleranceMilliseconds: Int64
  ) {
    self.maxTTLMilliseconds = maxTTLMilliseconds
    self.futureToleranceMilliseconds = futureToleranceMilliseconds
    self.expiryToleranceMilliseconds = expiryToleranceMilliseconds
  }

  /// They cover every policy.
  package static let unlimited = ReplayTolerances(
    maxTTLMilliseconds: .max, futureToleranceMilliseconds: .max, expiryToleranceMilliseconds: .max)

  /// A setting of a policy that is looser than it may be, with both values in milliseconds.
  package struct Excess: Sendable, Hashable {
    /// `maxTTL`, `futureTolerance` or `expiryTolerance`.
    package let setting: String
    /// The most that the memory was made for.
    package let promised: Int64
    /// The policy's value.
    package let wanted: Int64
  }

  /// Nil if these tolerances cover the policy.
  package func excess(of policy: Policy) -> Excess? { settings(of: policy).first { $0.wanted > $0.promised } }

  /// The first setting that differs, looser or stricter; nil if they are the same.
  package func difference(from policy: Policy) -> Excess? {
    settings(of: policy).first { $0.wanted != $0.promised }
  }

  /// In each setting the stricter one of both.
  func stricter(with other: ReplayTolerances) -> ReplayTolerances {
    ReplayTolerances(
      maxTTLMilliseconds: min(maxTTLMilliseconds, other.maxTTLMilliseconds),
      futureToleranceMilliseconds: min(futureToleranceMilliseconds, other.futureToleranceMilliseconds),
      expiryToleranceMilliseconds: min(expiryToleranceMilliseconds, other.expiryToleranceMilliseconds))
  }

  private func settings(of policy: Policy) -> [Excess] {
    [
      Excess(setting: "maxTTL", promised: maxTTLMilliseconds, wanted: policy.maxTTLMilliseconds),
      Excess(
        setting: "futureTolerance", promised: futureToleranceMilliseconds,
        wanted: policy.futureToleranceMilliseconds),
      Excess(
        setting: "expiryTolerance", promised: expiryToleranceMilliseconds,
        wanted: policy.expiryToleranceMilliseconds),
    ]
  }
}

extension TableHeader {
  var tolerances: ReplayTolerances {
    ReplayTolerances(
      maxTTLMilliseconds: maxTTL, futureToleranceMilliseconds: futureTolerance,
      expiryToleranceMilliseconds: expiryTolerance)
  }
}
