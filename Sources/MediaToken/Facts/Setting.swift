/// A number that an operator chooses in the daemon's file or in C's policy: one row, by which both name it, check it and
/// describe it.
package struct Setting: Sendable {
  /// Its name in the daemon's file, with its unit.
  package let name: String
  /// Its member of `mediatoken_policy`.
  package let member: String
  package let range: ClosedRange<Int64>
  package let unit: SettingUnit
  package let standard: Int64
  /// Its work, in lower case and without a full stop.
  package let sentence: String

  package func sentence(_ note: String?) -> String { note.map { "\(sentence); \($0)" } ?? sentence }

  /// - Parameters:
  ///   - name: as the caller knows it.
  ///   - wider: what holds in place of ``range``.
  ///   - other: what else may be written, with a comma before it.
  /// - Throws: ``Problem`` for a value that is out of the range.
  package func check(
    _ value: Int64, as name: String, in wider: ClosedRange<Int64>? = nil, or other: String = ""
  ) throws(Problem) {
    let range = wider ?? range
    guard range.contains(value) else {
      let unit = unit == .milliseconds ? " milliseconds" : ""
      throw Problem("\(name) must be \(range.lowerBound) to \(range.upperBound)\(unit)\(other), found \(value)")
    }
  }

  /// Issue times are whole seconds, so a token that was issued now may have spent one of them, and needs another to arrive.
  package static let maxTTL = Setting(
    name: "maxTTLMilliseconds", member: "max_ttl_ms",
    range: 2000...Limits.policySpanMilliseconds, unit: .milliseconds, standard: 3_600_000,
    sentence: "the longest life that is granted; a longer one is cut")
  package static let futureTolerance = Setting(
    name: "futureToleranceMilliseconds", member: "future_tolerance_ms",
    range: 0...Limits.policySpanMilliseconds, unit: .milliseconds, standard: 60_000,
    sentence: "how far ahead of the clock a token may be issued")
  package static let expiryTolerance = Setting(
    name: "expiryToleranceMilliseconds", member: "expiry_tolerance_ms",
    range: 0...Limits.policySpanMilliseconds, unit: .milliseconds, standard: 0,
    sentence: "how long after its end a token is still accepted")
  package static let retryWindow = Setting(
    name: "retryWindowMilliseconds", member: "retry_window_ms", range: Limits.retryWindows,
    unit: .milliseconds, standard: 0,
    sentence: "for how long a repeated request gets its first answer; whole seconds count")
  /// A database has a longer one where none is chosen.
  package static let deadline = Setting(
    name: "deadlineMilliseconds", member: "fleet_deadline_ms", range: 5...1000,
    unit: .milliseconds, standard: 50,
    sentence: "how long a token waits for a fleet's votes")
  /// Hosts maintain a database every 2 s; a copy of its data that is younger goes unnoticed.
  package static let grace = Setting(
    name: "graceSeconds", member: "fleet_grace_seconds", range: 5...3600, unit: .seconds,
    standard: 45,
    sentence: "for how long no host may have maintained a database before its data count as a copy")
}

extension Setting {
  /// What is no number, and what an option is for, too.
  package static let keys =
    "trusted public keys: a PEM or DER file, a certificate, a JKS keystore, or a folder of them"
}

package enum SettingUnit: String, Sendable, Hashable {
  case milliseconds = "ms"
  case seconds = "s"
  case bytes, lines, connections, threads, hours
  /// Nothing: it is a name, such as a port, or what the option's name says.
  case none = ""
}
