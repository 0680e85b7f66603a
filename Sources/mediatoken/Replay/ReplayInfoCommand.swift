internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenSystem

extension Command {
  static let replayInfo = Command(
    words: ["replay", "info"],
    summary: "Show a table's size, load, clock and tolerances.",
    options: [ReplayTableOptions.table, OutputOptions.json],
    notes: [
      "Changes nothing and does not disturb the table's users. Times are in UTC, tolerances in milliseconds.",
      """
      boot says whether the machine was restarted since the table was opened last. After a restart, a table that \
      was not closed, or that was made less than a token's longest life before, refuses what was issued before it \
      is opened again: spends may be lost, or the clock was set in between. That lasts about a minute, and needs \
      no action.
      """,
      """
      clockLead is how far the highest clock that the table has seen is ahead of this machine's. More than two \
      seconds, and every use of the table is a fault until the clock has caught up. condition and next are there if a \
      good token would not be played, and say what to do.
      """,
    ],
    run: ReplayInfoCommand.run)
}

enum ReplayInfoCommand {
  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    let path = try arguments.required(ReplayTableOptions.table)
    let info = try ReplayTableOptions.memory(ReplayTableInfo(reading: path))
    try StandardOutput.write(arguments.has(OutputOptions.json) ? json(info) : text(info))
    return ExitStatus.done
  }

  private static func text(_ info: ReplayTableInfo) -> String {
    let lines =
      [
        ("table", info.path), ("capacity", "\(info.capacity)"), ("liveEntries", "\(info.liveEntries)"),
        ("percentFull", "\(info.percentFull)"), ("buckets", "\(info.buckets)"), ("parts", "\(info.parts)"),
        ("bytes", "\(info.bytes)"),
        ("vouchesFrom", ReplayTableOptions.vouching(from: info.vouchesFrom)),
        ("maxTTL", "\(info.tolerances.maxTTLMilliseconds)"),
        ("futureTolerance", "\(info.tolerances.futureToleranceMilliseconds)"),
        ("expiryTolerance", "\(info.tolerances.expiryToleranceMilliseconds)"),
        ("highestClock", info.highestClock?.description ?? "none, the table is retired"),
        ("clockLead", info.clockLeadSeconds.map { "\($0) s" } ?? "none"),
        ("lease", info.lease.description),
        ("lastCleanClose", info.lastCleanClose?.description ?? "never"),
        ("state", state(info)),
        ("boot", boot(info)),
      ] + (info.condition(at: .now).words(at: .now).map { [("condition", $0.detail), ("next", $0.cure)] } ?? [])
    return lines.map { VerdictText.line($0.0, $0.1) }.joined()
  }

  private static func state(_ info: ReplayTableInfo) -> String {
    if info.isRetired { return "retired: move it away and create a new one" }
    if info.isClean { return "closed cleanly" }
    return info.isOfThisBoot ? "in use, or its last user was killed" : "not closed"
  }

  private static func boot(_ info: ReplayTableInfo) -> String {
    if info.isOfThisBoot { return "this one: the machine was not restarted since the table was opened last" }
    let cause =
      "another one: since the table was opened last the machine was restarted, or it is in use in a container with a boot"
      + " id of its own"
    if !info.willRaiseFloor { return cause + "; it was closed cleanly, so nothing is lost" }
    return cause + "; the next to open it raises vouchesFrom, because "
      + (info.isClean ? "its clock can't be compared with this boot's" : "spends may be lost")
  }

  private static func json(_ info: ReplayTableInfo) -> String {
    OutputOptions.line { writer in
      writer.member("table", info.path)
      writer.member("capacity", Int64(info.capacity))
      writer.member("liveEntries", Int64(info.liveEntries))
      writer.member("percentFull", Int64(info.percentFull))
      writer.member("buckets", Int64(info.buckets))
      writer.member("parts", Int64(info.parts))
      writer.member("bytes", Int64(info.bytes))
      writer.member("vouchesFrom", info.vouchesFrom.description)
      writer.member("maxTTLMilliseconds", info.tolerances.maxTTLMilliseconds)
      writer.member("futureToleranceMilliseconds", info.tolerances.futureToleranceMilliseconds)
      writer.member("expiryToleranceMilliseconds", info.tolerances.expiryToleranceMilliseconds)
      if let highest = info.highestClock { writer.member("highestClock", highest.description) }
      if let lead = info.clockLeadSeconds { writer.member("clockLeadMilliseconds", lead * 1000) }
      writer.member("lease", info.lease.description)
      if let closed = info.lastCleanClose { writer.member("lastCleanClose", closed.description) }
      writer.member("isClean", info.isClean)
      writer.member("isOfThisBoot", info.isOfThisBoot)
      writer.member("isWarming", info.isWarming)
      writer.member("willRaiseFloor", info.willRaiseFloor)
      writer.member("isRetired", info.isRetired)
      if let words = info.condition(at: .now).words(at: .now) {
        writer.member("condition", words.detail)
        writer.member("next", words.cure)
      }
    }
  }
}
