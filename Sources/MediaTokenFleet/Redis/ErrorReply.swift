/// What an error of a seat means. Errors are told apart by their first word, and a few by more.
enum ErrorReply: Hashable {
  /// The script is not known by its name.
  case noScript
  /// The seat has no tenure, or had it for other data.
  case noTenure
  /// It must not be asked.
  case refused(SeatRefusal)
  /// Its clock shows this second, too far from ours for a birth.
  case clock(second: Int64)
  /// It has a tenure, although the operator vouched that it never had one.
  case hasTenure
  /// It has no answer now: it is full, busy, loading, or something else is wrong.
  case none

  init(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 1)
    switch words.first {
    case "NOSCRIPT": self = .noScript
    case "MTTENURE": self = .noTenure
    case "MTROLE": self = .refused(.replica)
    case "MTSEAT": self = .refused(.otherSeat)
    case "MTFLEET": self = .refused(.otherFleet)
    case "MTCLOCK":
      let second = words.last.flatMap { Int64($0) }
      self = second.flatMap { FleetClock.seconds.contains($0) ? .clock(second: $0) : nil } ?? .none
    case "MTOLD": self = .hasTenure
    // DENIED: protected mode. Inside a script some versions say in plain words what is NOPERM outside.
    case "NOAUTH", "WRONGPASS", "NOPERM", "DENIED": self = .refused(.credentials)
    default: self = text.contains("The user executing the script can't") ? .refused(.credentials) : .none
    }
  }
}
