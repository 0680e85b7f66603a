internal import MediaToken
internal import MediaTokenJSON
internal import MediaTokenSystem

/// Answers the lines of a block, one JSON object a line.
struct LineAnswerer: Sendable {
  private let answerer: BatchAnswerer<OptionsJudge>

  /// - Parameter mayHaveInstant: whether a line may say what time it is: a shared replay memory goes by the system's clock
  ///   alone.
  init(verifier: TokenVerifier, expectations: ExpectationOptions, mayHaveInstant: Bool) {
    answerer = BatchAnswerer(
      OptionsJudge(verifier: verifier, expectations: expectations), mayHaveInstant: mayHaveInstant)
  }

  /// Fills in the block's answers and counts.
  func answer(_ block: LineBlock) {
    var writer = JSONWriter(appendingTo: block.answers)
    block.answers = []
    writer.bytes.removeAll(keepingCapacity: true)
    var counts = BatchCounts()
    if block.isTooLongLine {
      answerer.malformed(.tooLong, block.firstLine, &writer, &counts)
    } else {
      let storage = block.storage
      answerer.answerLines(storage.span.extracting(first: block.used), from: block.firstLine, &writer, &counts)
    }
    block.answers = writer.bytes
    block.counts = counts
  }
}

/// Holds tokens against the options; what the line says goes before.
private struct OptionsJudge: BatchJudge, Sendable {
  let verifier: TokenVerifier
  let expectations: ExpectationOptions

  func judge(_ token: Span<UInt8>, _ line: BatchLine.Words?) throws(BatchRefusal) -> VerifiedToken {
    do throws(Refusal) {
      return try verifier.verify(
        token, requestor: line?.requestor.map { .exactly($0) } ?? expectations.requestor,
        resource: line?.resource.map { .exactly($0) } ?? expectations.resource,
        at: line?.instant ?? expectations.instant ?? .now)
    } catch {
      throw .refusal(error)
    }
  }
}
