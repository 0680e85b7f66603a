internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats

/// The common parts of the commands of a replay table.
enum ReplayTableOptions {
  static let table = Option("table", .text(.path), "the table's file")
  static let capacity = Form.number(1...SharedReplayTable.largestCapacity)

  /// What a replay memory is needed for, which may be one that can't be used.
  static func memory<Value>(_ body: @autoclosure () throws(Problem) -> Value) throws(Problem) -> Value {
    try Problem.about("no replay memory", body())
  }

  /// The time from which a table vouches, in words if it vouches for all tokens.
  static func vouching(from instant: Instant) -> String {
    instant.millisecondsSinceEpoch == 0 ? "all tokens" : instant.description
  }
}
