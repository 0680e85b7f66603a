internal import CommandLineOptions
internal import MediaToken
internal import MediaTokenReplay

extension Command {
  /// `mediatoken replay grow`.
  static let replayGrow = Command(
    words: ["replay", "grow"],
    summary: "Make room in a table, also while it is in use.",
    operand: nil, options: ReplayGrowCommand.options,
    notes: [
      "Whoever uses the table goes on, without a restart: no use is forgotten, no token is lost, and no claim waits. Type"
        + " it again if it was cut off; wherever that was, the table is as it was or has grown.",
      "It takes 32 bytes of disk for each token of the new capacity, beside what the table has, which it keeps. If there is"
        + " no room for them the table stays as it is. A table can grow seven times, and never shrinks.",
      "Run it as the user whose table it is. capacity=N in an address is the least that a table must have, so no"
        + " configuration has to change.",
      "Example:\n  runuser -u mediatokend -- mediatoken replay grow \\\n"
        + "    --table /var/lib/mediatoken/replay.table --capacity 2000000",
    ],
    run: ReplayGrowCommand.run)
}

/// Makes room in tables.
enum ReplayGrowCommand {
  private static let capacity = Option.value(
    "capacity", "N", "how many tokens can be alive at once from now on; more than the table has")

  static let options = [ReplayTableOptions.table, capacity]

  static func run(_ arguments: Arguments) throws(ToolError) -> Int32 {
    let path = try arguments.required(ReplayTableOptions.table)
    guard let capacity = try arguments.number(capacity, in: 1...Int64(SharedReplayTable.largestCapacity)) else {
      throw arguments.usage("expected \(Self.capacity.usage)")
    }
    try StandardOutput.write(text(about: try grow(path, Int(capacity))))
    return ExitStatus.done
  }

  private static func grow(_ path: String, _ capacity: Int) throws(ToolError) -> ReplayTableInfo {
    do throws(ReplayTableError) {
      try SharedReplayTable.grow(at: path, toCapacity: capacity)
      return try ReplayTableInfo(reading: path)
    } catch {
      throw ReplayTableOptions.unusable(error)
    }
  }

  private static func text(about info: ReplayTableInfo) -> String {
    VerdictText.line("table", info.path) + VerdictText.line("capacity", "\(info.capacity)")
      + VerdictText.line("liveEntries", "\(info.liveEntries)")
      + VerdictText.line("percentFull", "\(info.percentFull)") + VerdictText.line("bytes", "\(info.bytes)")
      + "note: its users have the room already\n"
  }
}
