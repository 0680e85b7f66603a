internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenService
internal import MediaTokenSystem

extension Command {
  static let replayCreate = Command(
    words: ["replay", "create"],
    summary: "Make a table that remembers which tokens were used.",
    options: ReplayCreateCommand.options,
    notes: [
      """
      A new table refuses tokens that were issued before it began to vouch, which is the future tolerance and six \
      seconds from now: they may have been used before there was a table. The output says when the wait ends. \
      Until the longest life of such a token has passed, a restart or a clock that is set forward starts the wait \
      again.
      """,
      """
      With --fresh all tokens are accepted at once. You vouch for two things: that no token that may still \
      be alive was used before, here or elsewhere; and that no process has an older table of this path open. Any \
      token that was used is accepted once more. Refused where it can be seen to be wrong: a table with a name \
      like this one's in the same folder that is open or remembers living tokens. In a folder that has just \
      changed the command waits three seconds, so that processes using the former table notice that it is gone.
      """,
      """
      A table serves every policy that is not looser than the times that it was made for. It takes 32 bytes of disk for each \
      token of the capacity. Nothing is overwritten: to replace a table, stop its users and move it away.
      """,
      .example(
        """
        mediatoken replay create --table /var/lib/mediatoken/replay.table \\
          --capacity 1000000
        """),
    ],
    run: ReplayCreateCommand.run)
}

enum ReplayCreateCommand {
  private static let capacity = Option(
    "capacity", ReplayTableOptions.capacity,
    "how many tokens can be alive at once: playbacks a second times a token's life in seconds")
  private static let fresh = Flag(
    "fresh", "accept tokens issued before now: you vouch that none was used, and no older table is open")
  private static let mode = Option(
    "mode", .words(Mode.self), default: .owner, "who may use it: its owner, or its group too")

  private static let config = Option(
    "config", .text(.file), described: "the usual times",
    "make it for the times of this daemon's configuration")

  static let options: [any CommandOption] = [ReplayTableOptions.table, capacity, fresh, mode, config]

  private enum Mode: String, CaseIterable {
    case owner = "0600"
    case group = "0660"

    var bits: UInt32 { self == .owner ? 0o600 : 0o660 }
  }

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    let path = try arguments.required(ReplayTableOptions.table)
    let (capacity, mode) = (try arguments.required(capacity), try arguments[mode])
    let policy = try arguments[config].map { (file) throws(Problem) in
      try ReplayTableOptions.memory(ConfiguredReplay(file: file)).policy
    }
    let vouching = arguments.has(fresh) ? SharedReplayTable.Vouching.allTokens : .tokensFromNowOn
    let made = try ReplayTableOptions.memory(create(path, capacity, policy ?? .standard, mode, vouching))
    guard let info = made else {
      throw Problem(
        "\(VerdictText.shown(path)): the file exists already, and a table is never overwritten",
        cure: "stop its users and move it"
          + " away first")
    }
    try rethrow(StandardOutput.write(text(about: info))) { (error: Problem) in
      Problem("\(error.description); the table \(VerdictText.shown(path)) was made")
    }
    return ExitStatus.done
  }

  /// Nil if there is a file already.
  private static func create(
    _ path: String, _ capacity: Int, _ policy: Policy, _ mode: Mode, _ vouching: SharedReplayTable.Vouching
  ) throws(Problem) -> ReplayTableInfo? {
    if vouching == .allTokens {
      WorkerThread.sleep(
        milliseconds: Int(try SharedReplayTable.millisecondsUntilFormerUsersHaveNoticed(ofTableAt: path)))
    }
    let isMade = try SharedReplayTable.create(
      at: path, capacity: capacity, policy: policy, mode: mode.bits, vouchesFor: vouching)
    return isMade ? try ReplayTableInfo(reading: path) : nil
  }

  private static func text(about info: ReplayTableInfo) -> String {
    let isFresh = info.vouchesFrom.millisecondsSinceEpoch == 0
    return VerdictText.line("table", info.path) + VerdictText.line("capacity", "\(info.capacity)")
      + VerdictText.line("bytes", "\(info.bytes)")
      + VerdictText.line("vouchesFrom", ReplayTableOptions.vouching(from: info.vouchesFrom))
      + (isFresh
        ? "note: tokens issued before now are accepted too, also if they were used elsewhere\n"
        : "note: tokens issued before vouchesFrom are refused; they may have been used before there was a table\n")
      + "next: --replay " + DisplayText.shellWord(Array("shared:\(info.path)".utf8)) + "\n"
  }
}
