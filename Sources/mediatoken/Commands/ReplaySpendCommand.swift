internal import CommandLineOptions
internal import MediaToken
internal import MediaTokenReplay
internal import MediaTokenSystem

extension Command {
  /// `mediatoken replay spend`.
  static let replaySpend = Command(
    words: ["replay", "spend"],
    summary: "Use up tokens by identity, one a line; for scripts and proofs.",
    operand: nil, options: [ReplayTableOptions.table, ReplayOption.retryWindow],
    notes: [
      "Standard input: IDENTITY EXPIRY [REQUEST_ID|- [ISSUED]], with one space between. IDENTITY is the token's"
        + " identity in 64 hexadecimal digits; EXPIRY its own end, issue time plus ttl, in seconds since 1970, rounded"
        + " up and without any tolerance: the table adds its own. ISSUED is its issue time, rounded down; without it,"
        + " now, and then EXPIRY may be no further ahead than the table's maxTTL. Always name the same EXPIRY and ISSUED"
        + " for a token: they decide how long it is remembered.",
      "Standard output, one line for each, at once: first, used, retry, expired, predates, or error and why. No"
        + " signature is checked here.",
      "Exit status: 3 if the table failed, else 1 if a line was anything but first or retry, else 0.",
    ],
    run: ReplaySpendCommand.run)
}

/// Uses up tokens.
enum ReplaySpendCommand {
  static func run(_ arguments: Arguments) throws(ToolError) -> Int32 {
    let path = try arguments.required(ReplayTableOptions.table)
    let window = try ReplayOption.window(arguments)
    let spender = try Spender(path, retryWindowMilliseconds: window)
    var reader = LineReader(StandardStreams.input)
    let block = LineBlock()
    var counts = SpendCounts()
    while try next(&reader, block, behind: counts) { try answer(block, spender, &counts) }
    StandardError.say(counts.summary)
    return counts.exitStatus
  }

  private static func next(
    _ reader: inout LineReader, _ block: LineBlock, behind counts: SpendCounts
  ) throws(ToolError) -> Bool {
    do throws(SystemError) {
      return try reader.next(into: block)
    } catch {
      throw .unable("cannot read on behind line \(counts.lines): \(error.description)")
    }
  }

  private static func answer(
    _ block: LineBlock, _ spender: Spender, _ counts: inout SpendCounts
  ) throws(ToolError) {
    if block.isTooLongLine { return try write(.malformed("expected a line, found one that is too long"), &counts) }
    let storage = block.storage
    let bytes = storage.span.extracting(first: block.used)
    var start = 0
    while start < bytes.count {
      let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) ?? bytes.count
      try write(spender.answer(bytes.extracting(start..<end)), &counts)
      start = end + 1
    }
  }

  /// Each answer by itself, so that nobody is told of a spend later than it happened.
  private static func write(_ answer: SpendAnswer, _ counts: inout SpendCounts) throws(ToolError) {
    counts.add(answer)
    try StandardOutput.write(answer.line)
  }
}
