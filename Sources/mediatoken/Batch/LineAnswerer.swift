internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// Answers the lines of a block: checks their tokens by the options, which a line may override.
struct LineAnswerer: Sendable {
  private let verifier: TokenPath
  private let expectations: ExpectationOptions
  private let mayHaveInstant: Bool

  /// `mayHaveInstant`: a line may give the time. A shared replay memory goes by the system's clock alone.
  init(verifier: TokenPath, expectations: ExpectationOptions, mayHaveInstant: Bool) {
    self.verifier = verifier
    self.expectations = expectations
    self.mayHaveInstant = mayHaveInstant
  }

  func answer(_ block: LineBlock) {
    block.answers.removeAll()
    if block.isTooLongLine {
      return block.answers.add(.malformed(BatchLine.tooLong), line: block.firstLine, BatchLineLabel())
    }
    let storage = block.storage
    let lines = storage.span.extracting(first: block.used)
    // A store that asks no one spends each token at once; one that asks spends many at the price of one.
    var round = BatchRound(
      from: block.firstLine, mostLines: verifier.replayMemory.answersLater ? BatchRound.mostLines : 1,
      mayHaveInstant: mayHaveInstant)
    var offset = 0
    while offset < lines.count {
      round.readLines(of: lines, from: &offset, qualify)
      round.end(spending: { verifier.replayMemory.spend($0) }, to: &block.answers)
    }
  }

  private func qualify(_ token: Span<UInt8>, _ line: LineExpectation) throws(Refusal) -> UnspentToken {
    try verifier.qualify(
      token, requestor: line.requestor.map { .exactly($0) } ?? expectations.requestor,
      resource: line.resource ?? expectations.resource, at: line.instant ?? expectations.instant ?? .now)
  }
}
