/// The times that a table is made for, in milliseconds: of a `Policy`, those that decide how long a token is remembered.
public struct ReplayTolerances: Sendable, Hashable {
  /// The longest life that is granted.
  public let maxTTLMilliseconds: Int64
  /// How far ahead of the clock a token may be issued.
  public let futureToleranceMilliseconds: Int64
  /// How long after its end a token is still accepted.
  public let expiryToleranceMilliseconds: Int64
}

extension TableHeader {
  var tolerances: ReplayTolerances {
    ReplayTolerances(
      maxTTLMilliseconds: maxTTL, futureToleranceMilliseconds: futureTolerance,
      expiryToleranceMilliseconds: expiryTolerance)
  }
}
