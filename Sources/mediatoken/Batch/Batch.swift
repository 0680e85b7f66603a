internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenService
internal import MediaTokenSystem

/// `verify --batch`: one answer per line, in order. No answer waits for more input.
struct Batch {
  let judge: Judge

  /// Answers of so many bytes are written before there are more: short lines have answers that are far longer.
  private static let writeSize = 64 * 1024

  /// The path `-` is standard input. If the file can't be read to its end, the lines before were answered.
  func run(on path: String) throws(Problem) -> Int32 {
    if path == "-" { return try run(on: StandardStreams.input) }
    let file = try rethrow(FileDescriptor(opening: path, for: .reading)) { (error: SystemError) in
      Problem("cannot open the batch: \(error.description)")
    }
    return try run(on: file.number)
  }

  private func run(on descriptor: Int32) throws(Problem) -> Int32 {
    var (reader, answers) = (LineReader(descriptor), BatchAnswers())
    // A replay memory that remembers goes by the system's clock alone.
    var round = BatchRound(mayHaveInstant: !judge.store.isEnforced)
    let isTerminal = CurrentProcess.isTerminal(descriptor)
    while reader.next() {
      if isTerminal { TerminalLine.warn(reader.lines) }
      var offset = 0
      while offset < reader.lines.count {
        round.readLines(of: reader.lines, from: &offset, qualify)
        round.end(spending: { judge.store.spend($0) }, to: &answers)
        if answers.writer.bytes.count >= Self.writeSize || offset == reader.lines.count { try write(&answers) }
      }
    }
    let counts = answers.counts
    let why = counts.undecided > 0 ? ReplayCause.words(.replayMemoryUnavailable, from: judge.store) : ""
    StandardError.say(counts.summary + why + (judge.note.map { "; \($0)" } ?? ""))
    if let failure = reader.failure {
      throw Problem("cannot read on after line \(counts.lines): \(failure.description)")
    }
    if counts.undecided > 0 { return ExitStatus.undecided }
    return counts.refused + counts.malformed > 0 ? ExitStatus.refused : ExitStatus.done
  }

  private func qualify(_ token: Span<UInt8>, _ line: LineExpectation) throws(Refusal) -> UnspentToken {
    let rules = try rethrow(
      judge.rules(requestor: line.requestor.map { .exactly($0) }, resource: line.resource)
    ) { (error: RequestError) -> Refusal in
      if case .undecided(let fault) = error { .undecided(fault) } else { .undecided(.internalFault) }
    }
    return try rules.path.qualify(
      token, requestor: rules.requestor, resource: rules.resource, at: line.instant ?? judge.instant ?? .now)
  }

  private func write(_ answers: inout BatchAnswers) throws(Problem) {
    try StandardOutput.write(answers.writer.bytes.span)
    for disagreement in answers.disagreements { StandardError.say(disagreement.description) }
    answers.removeWritten()
  }
}
