/// The times that a table is made for, in milliseconds: of a `Policy`, those that decide how long a token is remembered.
package struct ReplayTolerances: Sendable, Hashable {
  /// The longest life that is granted.
  package let maxTTLMilliseconds: Int64
  /// How far ahead of the clock a token may be issued.
  package let futureToleranceMilliseconds: Int64
  /// How long after its end a token is still accepted.
  package let expiryToleranceMilliseconds: Int64

  package init(
    maxTTLMilliseconds: Int64, futureToleranceMilliseconds: Int64, expiryToleranceMilliseconds: Int64
  ) {
    self.maxTTLMilliseconds = maxTTLMilliseconds
    self.futureToleranceMilliseconds = futureToleranceMilliseconds
    self.expiryToleranceMilliseconds = expiryToleranceMilliseconds
  }

  /// A setting of a policy that is looser than it may be, with both values in milliseconds.
  package struct Excess: Sendable, Hashable {
    /// `maxTTL`, `futureTolerance` or `expiryTolerance`.
    package let setting: String
    /// The most that the memory was made for.
    package let promised: Int64
    /// What the policy says.
    package let wanted: Int64
  }

  /// The first setting of `policy` that is looser than these tolerances; nil if they cover it.
  package func excess(of policy: Policy) -> Excess? { settings(of: policy).first { $0.wanted > $0.promised } }

  /// The first setting of `policy` that differs, looser or stricter; nil if they are the same.
  package func difference(from policy: Policy) -> Excess? {
    settings(of: policy).first { $0.wanted != $0.promised }
  }

  /// Each setting, as it is here and in `policy`.
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
