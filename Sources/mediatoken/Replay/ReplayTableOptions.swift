internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats

/// The common parts of the commands of a replay table.
enum ReplayTableOptions {
  static let table = Option("table", .text(.path), "the table's file")
  static let capacity = Form.number(1...SharedReplayTable.largestCapacity)

  /// The message for a replay memory that can't be used.
  static func unusable(_ error: Problem) -> Problem {
    error.about("no replay memory")
  }

  /// The time from which a table vouches, in words if it vouches for all tokens.
  static func vouching(from instant: Instant) -> String {
    instant.millisecondsSinceEpoch == 0 ? "all tokens" : instant.description
  }
}
