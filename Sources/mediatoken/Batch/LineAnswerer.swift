internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// Answers the lines of a block: checks their tokens by the options, which a line may override.
struct LineAnswerer: Sendable {
  private let verifier: TokenPath
  private let expectations: ExpectationOptions
  private let mayHaveInstant: Bool
  /// Spends many tokens at the price of one; nil if the memory spends each at once.
  private let fleet: FleetMemory?

  /// - Parameter mayHaveInstant: whether a line may say what time it is: a shared replay memory goes by the system's clock
  ///   alone.
  init(verifier: TokenPath, expectations: ExpectationOptions, mayHaveInstant: Bool) {
    self.verifier = verifier
    self.expectations = expectations
    self.mayHaveInstant = mayHaveInstant
    fleet = verifier.replayMemory as? FleetMemory
  }

  /// Fills in the block's answers.
  func answer(_ block: LineBlock) {
    block.answers.removeAll()
    if block.isTooLongLine {
      return block.answers.add(.malformed(.tooLong), line: block.firstLine, BatchLineLabel())
    }
    let storage = block.storage
    let lines = storage.span.extracting(first: block.used)
    // A memory that asks no one spends each token at once.
    var round = BatchRound(
      from: block.firstLine, mostLines: fleet == nil ? 1 : BatchRound.mostLines, mayHaveInstant: mayHaveInstant)
    var offset = 0
    while offset < lines.count {
      round.readLines(of: lines, from: &offset, qualify)
      round.end(spending: spend, to: &block.answers)
    }
  }

  private func qualify(_ token: Span<UInt8>, _ line: LineExpectation) throws(Refusal) -> UnspentToken {
    try verifier.qualify(
      token, requestor: line.requestor.map { .exactly($0) } ?? expectations.requestor,
      resource: line.resource ?? expectations.resource, at: line.instant ?? expectations.instant ?? .now)
  }

  private func spend(_ claims: [UseClaim]) -> [Result<UseOutcome, Fault>] {
    if let fleet { return fleet.spend(claims) }
    return claims.map { claim in Result { () throws(Fault) in try verifier.replayMemory.spend(claim) } }
  }
}
