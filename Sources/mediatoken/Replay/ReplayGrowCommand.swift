internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem

extension Command {
  static let replayGrow = Command(
    words: ["replay", "grow"],
    summary: "Make room in a table, even while it is in use.",
    options: ReplayGrowCommand.options,
    notes: [
      """
      Users of the table go on without a restart: no use is forgotten, no token is lost, and no claim \
      waits. If it is interrupted, run it again: the table is unchanged or has grown.
      """,
      """
      It takes 32 bytes of disk for each token of the new capacity, besides those that the table has and keeps. If \
      there is no room for them the table stays as it is. A table can grow seven times, and never shrinks.
      """,
      """
      Run it as the user whose table it is. capacity=N in an address is the least that a table must have, so no \
      configuration has to change.
      """,
      .example(
        """
        runuser -u mediatokend -- mediatoken replay grow \\
          --table /var/lib/mediatoken/replay.table --capacity 2000000
        """),
    ],
    run: ReplayGrowCommand.run)
}

enum ReplayGrowCommand {
  private static let capacity = Option(
    "capacity", ReplayTableOptions.capacity,
    "how many tokens can be alive at once from now on; more than the table has")

  static let options: [any CommandOption] = [ReplayTableOptions.table, capacity]

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    let path = try arguments.required(ReplayTableOptions.table)
    let capacity = try arguments.required(capacity)
    let info = try ReplayTableOptions.memory(grow(path, capacity))
    try StandardOutput.write(text(about: info))
    return ExitStatus.done
  }

  private static func grow(_ path: String, _ capacity: Int) throws(Problem) -> ReplayTableInfo {
    try SharedReplayTable.grow(at: path, toCapacity: capacity)
    return try ReplayTableInfo(reading: path)
  }

  private static func text(about info: ReplayTableInfo) -> String {
    VerdictText.line("table", info.path) + VerdictText.line("capacity", "\(info.capacity)")
      + VerdictText.line("liveEntries", "\(info.liveEntries)")
      + VerdictText.line("percentFull", "\(info.percentFull)") + VerdictText.line("bytes", "\(info.bytes)")
      + "note: its users have the room already\n"
  }
}
