public import MediaToken

/// The times that a fleet is made for: part of its digest, so hosts that differ in one of them do not share seats.
public struct FleetPolicy: Sendable, Hashable {
  /// The longest life that is granted, in milliseconds.
  public let maxTTLMilliseconds: Int64
  /// How far ahead of the clock a token may be issued, in milliseconds.
  public let futureToleranceMilliseconds: Int64
  /// How long after its end a token is still accepted, in milliseconds.
  public let expiryToleranceMilliseconds: Int64

  /// The times of a verifier's policy.
  public init(_ policy: Policy) {
    maxTTLMilliseconds = policy.maxTTLMilliseconds
    futureToleranceMilliseconds = policy.futureToleranceMilliseconds
    expiryToleranceMilliseconds = policy.expiryToleranceMilliseconds
  }

  /// For how many seconds after its issue second a token can be current: ⌈(maxTTL + expiryTolerance) / 1 s⌉ + 1.
  package var lifeSeconds: Int64 { (maxTTLMilliseconds + expiryToleranceMilliseconds + 999) / 1000 + 1 }

  /// ⌈futureTolerance / 1 s⌉: how many seconds ahead of a host's clock a token may be issued.
  package var aheadSeconds: Int64 { (futureToleranceMilliseconds + 999) / 1000 }
}
