/// The meaning of a node's error. Errors are told apart by their first word, and a few by more.
enum ErrorReply: Hashable {
  /// The script is not known by its name.
  case noScript
  /// The node has no epoch, or had it for other data.
  case noEpoch
  case refused(NodeRefusal)
  /// Its clock shows this second, too far from ours for a start.
  case clock(second: Int64)
  /// It has an epoch, although the operator vouched that it never had one.
  case hasEpoch
  /// Its data are not those that the operator vouched for.
  case otherData
  /// It has no answer now: it is full, busy, loading, or something else is wrong.
  case none

  /// People are told `told`; nil: all of the text.
  init(_ text: String, told: String? = nil) {
    let said = Self.words(of: told ?? text)
    let words = text.split(separator: " ", maxSplits: 1)
    switch words.first {
    case "NOSCRIPT": self = .noScript
    case "MTEPOCH": self = .noEpoch
    case "MTROLE": self = .refused(.replica)
    case "MTNODE": self = .refused(.otherNode)
    case "MTFLEET": self = .refused(.otherFleet)
    case "MTRETIRED": self = .refused(.retired)
    case "MTCLOCK":
      let second = words.last.flatMap { Int64($0) }
      self = second.flatMap { FleetClock.seconds.contains($0) ? .clock(second: $0) : nil } ?? .none
    case "MTOLD": self = .hasEpoch
    case "MTDATA": self = .otherData
    // DENIED: protected mode.
    case "NOAUTH", "WRONGPASS", "NOPERM", "DENIED": self = .refused(.denied(said))
    case "MISCONF", "NOREPLICAS", "READONLY", "OOM": self = .refused(.takesNoWrites(said))
    default:
      self = Self.refusalsInScripts.contains { text.contains($0) } ? .refused(.denied(said)) : .none
    }
  }

  /// The text of an error, without the place in our script where it happened, which Redis 7 adds.
  static func words(of text: String) -> StoreWords {
    let parts = text.split(separator: " script: ")
    guard parts.count > 1, let place = parts.last, place.prefix(40).count(where: \.isHexDigit) == 40 else {
      return StoreWords(text)
    }
    return StoreWords(parts.dropLast().joined(separator: " script: "))
  }

  /// An error that is NOPERM outside of a script is an ERR in plain words inside: those of Redis 6 and 7.0, and of Redis 8
  /// and Valkey 8. A node that words it differently is down instead of refused; RedisNodeTests tells, with the process at
  /// hand.
  private static let refusalsInScripts = ["The user executing the script can't", "ACL failure in script"]
}
