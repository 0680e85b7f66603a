internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenSystem
internal import Synchronization

/// `verify --batch`: one answer per line, in order, on all processors.
///
/// This thread reads, one worker per processor answers, and the worker that finishes the block whose turn it is writes it:
/// no answer waits for more input.
struct Batch {
  private let answerer: LineAnswerer
  private let verifier: TokenVerifier

  init(verifier: TokenVerifier, expectations: ExpectationOptions, mayHaveInstant: Bool) {
    self.verifier = verifier
    answerer = LineAnswerer(verifier: verifier.path, expectations: expectations, mayHaveInstant: mayHaveInstant)
  }

  /// The path `-` is standard input. If the file can't be read to its end, the lines before were answered.
  func run(on path: String) throws(Problem) -> Int32 {
    if path == "-" { return try run(on: StandardStreams.input) }
    let file = try open(path)
    return try run(on: file.number)
  }

  private func run(on descriptor: Int32) throws(Problem) -> Int32 {
    let processors = CurrentProcess.processors
    let pipeline = Monitor(Pipeline(capacity: 4 * processors))
    let workers = try start(processors, pipeline)
    let failure = read(descriptor, into: pipeline)
    pipeline.change { $0.complete() }
    for worker in workers { worker.join() }
    let counts = pipeline.change { $0.counts }
    Progress.end()
    let why = counts.undecided > 0 ? ReplayCause.words(.replayMemoryUnavailable, from: verifier.store) : ""
    StandardError.say(counts.summary + why)
    if let failure { throw Problem("cannot read on after line \(counts.lines): \(failure.description)") }
    return counts.exitStatus
  }

  private func open(_ path: String) throws(Problem) -> FileDescriptor {
    try rethrow(FileDescriptor(opening: path, for: .reading)) { (error: SystemError) in
      Problem("cannot open the batch: \(error.description)")
    }
  }

  private func start(_ count: Int, _ pipeline: Monitor<Pipeline>) throws(Problem) -> [WorkerThread] {
    var workers: [WorkerThread] = []
    do throws(SystemError) {
      for _ in 0..<count { workers.append(try WorkerThread { [answerer] in work(pipeline, answerer) }) }
    } catch {
      // One is enough.
      guard !workers.isEmpty else { throw Problem("cannot start a thread: \(error.description)") }
    }
    return workers
  }

  private func read(_ descriptor: Int32, into pipeline: Monitor<Pipeline>) -> SystemError? {
    var reader = LineReader(descriptor)
    let isTerminal = CurrentProcess.isTerminal(descriptor)
    do throws(SystemError) {
      while let block = pipeline.change(when: { $0.hasSpare }, { $0.takeSpare() }) {
        guard try reader.next(into: block) else { return nil }
        if isTerminal { warn(of: block) }
        pipeline.change { $0.add(block) }
      }
      return nil
    } catch {
      return error
    }
  }

  private func warn(of block: LineBlock) {
    let storage = block.storage
    TerminalLine.warn(storage.span.extracting(first: block.used))
  }
}

extension BatchCounts {
  fileprivate var exitStatus: Int32 {
    if undecided > 0 { return ExitStatus.undecided }
    return refused + malformed > 0 ? ExitStatus.refused : ExitStatus.done
  }
}

private func work(_ pipeline: Monitor<Pipeline>, _ answerer: LineAnswerer) {
  while let block = pipeline.change(when: { $0.hasNews }, { $0.takeWaiting() }) {
    answerer.answer(block)
    var next = pipeline.change { $0.finish(block) }
    while let current = next {
      write(current)
      next = pipeline.change { $0.noteWritten(current) }
      Progress.show(pipeline)
    }
  }
}

/// Writes a block's answers, or ends the program: without a reader there is no point in going on.
private func write(_ block: LineBlock) {
  do throws(Problem) {
    let answers = block.answers.writer.bytes
    try StandardOutput.write(answers.span)
    if !block.answers.disagreements.isEmpty { Progress.end() }
    for disagreement in block.answers.disagreements { StandardError.say(disagreement.description) }
  } catch {
    StandardError.say(error.description)
    CurrentProcess.exitAtOnce(error.exitStatus)
  }
}

/// The progress of a batch, for a person who looks at a terminal.
enum Progress {
  private static let isShown = StandardStreams.errorIsTerminal
  /// The time of the last line, in milliseconds since the epoch.
  private static let lastDrawn = Atomic<Int64>(0)

  /// Twice a second at most.
  static func show(_ pipeline: Monitor<Pipeline>) {
    guard isShown else { return }
    let now = Instant.now.millisecondsSinceEpoch
    let last = lastDrawn.load(ordering: .sequentiallyConsistent)
    guard now - last >= 500,
      lastDrawn.compareExchange(expected: last, desired: now, ordering: .sequentiallyConsistent).exchanged
    else { return }
    StandardError.raw("\r\(pipeline.change { $0.counts.lines }) lines")
  }

  static func end() {
    if isShown { StandardError.raw("\r\u{1B}[K") }
  }
}
