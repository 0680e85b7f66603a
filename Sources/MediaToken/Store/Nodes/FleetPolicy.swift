/// The times that a fleet is made for: part of its digest, so hosts that differ in one of them do not share nodes.
package struct FleetPolicy: Sendable, Hashable {
  /// The longest life that is granted.
  package let maxTTLMilliseconds: Int64
  /// The time by which a token's issue may be ahead of the clock.
  package let futureToleranceMilliseconds: Int64
  /// The time after its end in which a token is still accepted.
  package let expiryToleranceMilliseconds: Int64
  /// The time in which no host may have maintained the node of a database: after that its data may be a copy.
  let graceSeconds: Int64

  /// Without a grace ``usualGraceSeconds``.
  package init(_ policy: Policy, graceSeconds: Int? = nil) {
    self.graceSeconds = Int64(graceSeconds ?? Self.usualGraceSeconds)
    maxTTLMilliseconds = policy.maxTTLMilliseconds
    futureToleranceMilliseconds = policy.futureToleranceMilliseconds
    expiryToleranceMilliseconds = policy.expiryToleranceMilliseconds
  }

  /// Fifteen seconds less than the usual future tolerance: up to nine less a grace makes no floor higher.
  package static let usualGraceSeconds = Int(Setting.grace.standard)

  /// The seconds after its issue second in which a token can be current: ⌈(maxTTL + expiryTolerance) / 1 s⌉ + 1.
  var lifeSeconds: Int64 { (maxTTLMilliseconds + expiryToleranceMilliseconds + 999) / 1000 + 1 }

  /// The seconds of issue that one slot of a database has: a minute, or for long lives a sixtieth of them, ⌊life / 60⌋,
  /// rounded up to whole minutes. More slots would make initialisation, and the first claim of a connection, slow.
  var slotSeconds: Int64 { max(60, (lifeSeconds / 60 + 59) / 60 * 60) }

  /// The seconds by which the floor of a node that begins is above all clocks.
  func floorSeconds(hasGrace: Bool) -> Int64 { max(aheadSeconds + 12, hasGrace ? graceSeconds + 21 : 0) }

  /// ⌈futureTolerance / 1 s⌉: the seconds by which a token's issue may be ahead of a host's clock.
  var aheadSeconds: Int64 { (futureToleranceMilliseconds + 999) / 1000 }
}

/// The digest of a fleet: every node keeps it, so that hosts with another list of nodes, another order or other times are
/// turned away.
package struct FleetDigest: Sendable, Hashable, CustomStringConvertible {
  /// 16 lower-case hexadecimal digits.
  package let description: String

  /// Follows it in the epoch of a retired node, which is another fleet's to hosts of earlier versions.
  static let retired = ":retired"

  /// The first 16 digits of SHA-256 over the protocol's version, the fleet's name, maxTTL, futureTolerance and
  /// expiryTolerance in milliseconds, and each node's address as it is written, in order, or for a database the grace in
  /// seconds; each followed by a line feed.
  package init(of fleet: FleetAddress, _ policy: FleetPolicy) throws(Fault) {
    let text = fleet.digestLines(policy).map { "\($0)\n" }.joined()
    var hasher = try SHA256Hasher()
    description = String(try hasher.digest(of: text.utf8Span.span).description.prefix(16))
  }
}
