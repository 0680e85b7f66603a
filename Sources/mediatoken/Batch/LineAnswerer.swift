internal import MediaToken
internal import MediaTokenFleet
internal import MediaTokenJSON
internal import MediaTokenSystem

/// Answers the lines of a block, one JSON object a line.
struct LineAnswerer: Sendable {
  private let judge: OptionsJudge
  private let mayHaveInstant: Bool
  /// Spends many tokens at the price of one; nil if the memory spends each at once.
  private let fleet: FleetMemory?

  /// - Parameter mayHaveInstant: whether a line may say what time it is: a shared replay memory goes by the system's clock
  ///   alone.
  init(verifier: TokenVerifier, expectations: ExpectationOptions, mayHaveInstant: Bool) {
    judge = OptionsJudge(verifier: verifier, expectations: expectations)
    self.mayHaveInstant = mayHaveInstant
    fleet = verifier.replayMemory as? FleetMemory
  }

  /// Fills in the block's answers and counts.
  func answer(_ block: LineBlock) {
    var writer = JSONWriter(appendingTo: block.answers)
    block.answers = []
    writer.bytes.removeAll(keepingCapacity: true)
    var counts = BatchCounts()
    let answerer = BatchAnswerer(judge, mayHaveInstant: mayHaveInstant)
    if block.isTooLongLine {
      answerer.malformed(.tooLong, block.firstLine, &writer, &counts)
    } else {
      let storage = block.storage
      let lines = storage.span.extracting(first: block.used)
      if let fleet {
        answerRounds(lines, from: block.firstLine, in: fleet, &writer, &counts)
      } else {
        answerer.answerLines(lines, from: block.firstLine, &writer, &counts)
      }
    }
    block.answers = writer.bytes
    block.counts = counts
  }

  private func answerRounds(
    _ lines: Span<UInt8>, from firstLine: Int, in fleet: FleetMemory, _ writer: inout JSONWriter,
    _ counts: inout BatchCounts
  ) {
    var (offset, number) = (0, firstLine)
    while offset < lines.count {
      let round = BatchRound(
        reading: lines, from: &offset, line: &number, judge, mayHaveInstant: mayHaveInstant)
      round.answer(fleet.spend(round.claims), &writer, &counts)
    }
  }
}

/// Holds tokens against the options; what the line says goes before.
private struct OptionsJudge: BatchJudge, QualifyingBatchJudge, Sendable {
  let verifier: TokenVerifier
  let expectations: ExpectationOptions

  func judge(_ token: Span<UInt8>, _ line: BatchLine.Words?) throws(BatchRefusal) -> VerifiedToken {
    do throws(Refusal) {
      return try verifier.verify(
        token, requestor: requestor(line), resource: resource(line), at: instant(line))
    } catch {
      throw .refusal(error)
    }
  }

  func qualify(_ token: Span<UInt8>, _ line: BatchLine.Words?) throws(BatchRefusal) -> UnspentToken {
    do throws(Refusal) {
      return try verifier.qualify(
        token, requestor: requestor(line), resource: resource(line), at: instant(line))
    } catch {
      throw .refusal(error)
    }
  }

  private func requestor(_ line: BatchLine.Words?) -> ExpectedRequestor {
    line?.requestor.map { .exactly($0) } ?? expectations.requestor
  }

  private func resource(_ line: BatchLine.Words?) -> ExpectedResource {
    line?.resource.map { .exactly($0) } ?? expectations.resource
  }

  private func instant(_ line: BatchLine.Words?) -> Instant { line?.instant ?? expectations.instant ?? .now }
}
