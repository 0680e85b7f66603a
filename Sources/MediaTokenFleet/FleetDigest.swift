package import MediaToken

/// What a fleet is, in 16 hexadecimal digits: every seat keeps it, so that hosts with another list of seats, another order
/// or other times are turned away.
package struct FleetDigest: Sendable, Hashable, CustomStringConvertible {
  /// 16 lower-case hexadecimal digits.
  package let description: String

  /// The first 16 digits of SHA-256 over `mt1`, the fleet's name, maxTTL, futureTolerance and expiryTolerance in
  /// milliseconds, and each seat's address as it is written, in order; each followed by a line feed.
  ///
  /// - Throws: a fault if OpenSSL fails.
  package init(of fleet: FleetAddress, _ policy: FleetPolicy) throws(Fault) {
    let times = [
      policy.maxTTLMilliseconds, policy.futureToleranceMilliseconds, policy.expiryToleranceMilliseconds,
    ].map(\.description)
    let lines = ["mt1", fleet.name] + times + fleet.seats.map(\.text.text)
    let text = lines.map { "\($0)\n" }.joined()
    var hasher = try SHA256Hasher()
    description = String(try hasher.digest(of: text.utf8Span.span).description.prefix(16))
  }
}
