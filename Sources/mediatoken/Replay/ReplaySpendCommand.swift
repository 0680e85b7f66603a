internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenSystem

extension Command {
  static let replaySpend = Command(
    words: ["replay", "spend"],
    summary: "Use up tokens by identity, one per line; for scripts and proofs.",
    options: [ReplayTableOptions.table, ReplaySpendCommand.replay, ReplayOption.retryWindow] + FleetOption.all
      + PolicyTimes.all,
    notes: [
      """
      Standard input: IDENTITY EXPIRY [REQUEST_ID|- [ISSUED]], with one space between. IDENTITY is the token's \
      identity in 64 hexadecimal digits; EXPIRY its own end, issue time plus ttl, in seconds since 1970, rounded \
      up and without any tolerance: the table adds its own. ISSUED is its issue time, rounded down; without it, \
      now, and then EXPIRY may be no further ahead than the table's maxTTL. Always name the same EXPIRY and ISSUED \
      for a token: they decide how long it is remembered.
      """,
      """
      With a fleet ISSUED is required, because it says where the nodes keep the token, and a line whose EXPIRY has \
      passed is expired. Give the times that the hosts use: other times are another fleet, whose nodes refuse you \
      before the first line.
      """,
      """
      Standard output, one line for each, at once: first, used, retry, expired, predates, or error and why. No \
      signature is checked here.
      """,
      .exitStatus("3 if the memory failed, else 1 if a line was anything but first or retry, else 0."),
    ],
    run: ReplaySpendCommand.run)
}

enum ReplaySpendCommand {
  static let replay = Option(
    "replay", .replayAddress,
    "instead of --table: redis:FLEET@NODE,..., postgres:FLEET@HOST/DATABASE or shared:PATH, which means the same as --table PATH"
  )

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    let choice = try choice(arguments)
    let spender = try Spender(choice, policy: try PolicyTimes.policy(arguments))
    var reader = LineReader(StandardStreams.input)
    var counts = SpendCounts()
    while reader.next() { try answer(reader.lines, spender, &counts) }
    if let failure = reader.failure {
      throw Problem("cannot read on after line \(counts.lines): \(failure.description)")
    }
    StandardError.say(counts.summary + (counts.exitStatus == ExitStatus.undecided ? spender.cause : ""))
    return counts.exitStatus
  }

  /// Throws a usage error unless exactly one memory was named that remembers.
  private static func choice(_ arguments: Arguments) throws(Problem) -> ReplayChoice {
    let address: ReplayAddress
    switch (try arguments[ReplayTableOptions.table], try arguments[replay]) {
    case (let path?, nil): address = .shared(path: ExactText(path), capacity: nil)
    case (nil, let chosen?): address = chosen
    case (nil, nil):
      throw arguments.usage("there is no replay memory; give \(ReplayTableOptions.table.usage) or \(replay.usage)")
    case (_?, _?):
      throw arguments.usage("\(ReplayTableOptions.table.usage) and \(replay.usage) are both given; give one")
    }
    switch address {
    case .none:
      throw arguments.usage("none: in \(replay.usage) remembers nothing; give a table or a fleet")
    case .shared(_, _?):
      throw arguments.usage(
        "capacity=N is not understood in \(replay.usage) here; mediatoken replay create makes tables")
    case .shared:
      if let option = PolicyTimes.all.first(where: { arguments.has($0) }) {
        throw arguments.usage(
          "a table has its own times; leave out \(option.usage)")
      }
    case .fleet: break
    }
    return ReplayChoice(
      address: address, retryWindowMilliseconds: try arguments[ReplayOption.retryWindow],
      fleet: try FleetOption.settings(arguments, for: address))
  }

  private static func answer(
    _ lines: Span<UInt8>, _ spender: Spender, _ counts: inout SpendCounts
  ) throws(Problem) {
    var start = 0
    while start < lines.count {
      let end = lines.endOfLine(from: start)
      try write(spender.answer(lines.extracting(lines.withoutLineEnd(start..<end))), &counts)
      start = end
    }
  }

  /// Each answer is written by itself, so that a spend is reported when it happens.
  private static func write(_ answer: SpendAnswer, _ counts: inout SpendCounts) throws(Problem) {
    counts.add(answer)
    try StandardOutput.write(answer.line)
  }
}
