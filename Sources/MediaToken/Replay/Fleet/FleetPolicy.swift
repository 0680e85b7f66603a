/// The times that a fleet is made for: part of its digest, so hosts that differ in one of them do not share seats.
package struct FleetPolicy: Sendable, Hashable {
  /// The longest life that is granted, in milliseconds.
  package let maxTTLMilliseconds: Int64
  /// How far ahead of the clock a token may be issued, in milliseconds.
  package let futureToleranceMilliseconds: Int64
  /// How long after its end a token is still accepted, in milliseconds.
  package let expiryToleranceMilliseconds: Int64
  /// For how long no host may have attended the seat of a database: after that its data may be a copy.
  let graceSeconds: Int64

  /// The times of a verifier's policy.
  ///
  /// - Parameter graceSeconds: nil: ``usualGraceSeconds``.
  package init(_ policy: Policy, graceSeconds: Int? = nil) {
    self.graceSeconds = Int64(graceSeconds ?? Self.usualGraceSeconds)
    maxTTLMilliseconds = policy.maxTTLMilliseconds
    futureToleranceMilliseconds = policy.futureToleranceMilliseconds
    expiryToleranceMilliseconds = policy.expiryToleranceMilliseconds
  }

  /// Fifteen seconds less than the usual future tolerance: up to nine less a grace makes no floor higher.
  package static let usualGraceSeconds = 45

  /// For how many seconds after its issue second a token can be current: ⌈(maxTTL + expiryTolerance) / 1 s⌉ + 1.
  var lifeSeconds: Int64 { (maxTTLMilliseconds + expiryToleranceMilliseconds + 999) / 1000 + 1 }

  /// How many seconds of issue one slot of a database has: a minute, or for long lives a sixtieth of them, ⌊life / 60⌋, rounded up to
  /// whole minutes. More slots would make founding, and the first claim of a connection, slow.
  var slotSeconds: Int64 { max(60, (lifeSeconds / 60 + 59) / 60 * 60) }

  /// ⌈futureTolerance / 1 s⌉: how many seconds ahead of a host's clock a token may be issued.
  var aheadSeconds: Int64 { (futureToleranceMilliseconds + 999) / 1000 }
}

/// What a fleet is, in 16 hexadecimal digits: every seat keeps it, so that hosts with another list of seats, another order
/// or other times are turned away.
package struct FleetDigest: Sendable, Hashable, CustomStringConvertible {
  /// 16 lower-case hexadecimal digits.
  package let description: String

  /// The first 16 digits of SHA-256 over the protocol's version, the fleet's name, maxTTL, futureTolerance and expiryTolerance in
  /// milliseconds, and each seat's address as it is written, in order, or for a database the grace in seconds; each followed by a
  /// line feed.
  ///
  /// - Throws: a fault if OpenSSL fails.
  package init(of fleet: FleetAddress, _ policy: FleetPolicy) throws(Fault) {
    let text = fleet.digestLines(policy).map { "\($0)\n" }.joined()
    var hasher = try SHA256Hasher()
    description = String(try hasher.digest(of: text.utf8Span.span).description.prefix(16))
  }
}
