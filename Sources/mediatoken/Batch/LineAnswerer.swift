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
    var round = BatchRound(from: block.firstLine, mayHaveInstant: mayHaveInstant)
    var offset = 0
    while offset < lines.count {
      var waiting: [WaitingToken] = []
      while offset < lines.count, !round.isFull {
        round.readLine(of: lines, from: &offset) { judge($0, $1, at: $2, &waiting) }
      }
      if let fleet {
        for (token, said) in zip(waiting, fleet.spend(waiting.map(\.claim))) {
          round.settle(token.place, token.settle(said))
        }
      }
      round.write(to: &block.answers)
    }
  }

  /// What comes of a token; nil if its use is to be claimed with others, for which it is added to `waiting`.
  private func judge(
    _ token: Span<UInt8>, _ line: LineExpectation, at place: Int, _ waiting: inout [WaitingToken]
  ) -> BatchResult? {
    let requestor = line.requestor.map { .exactly($0) } ?? expectations.requestor
    let resource = line.resource ?? expectations.resource
    let instant = line.instant ?? expectations.instant ?? .now
    guard fleet != nil else {
      return .judged(
        Result { () throws(Refusal) in
          try verifier.verify(token, requestor: requestor, resource: resource, at: instant)
        })
    }
    do throws(Refusal) {
      let unspent = try verifier.qualify(token, requestor: requestor, resource: resource, at: instant)
      waiting.append(WaitingToken(unspent, at: place))
      return nil
    } catch {
      return .judged(.failure(error))
    }
  }
}

/// A token that waits for its use, in a list: lists hold only what can be copied, and a token can't.
private final class WaitingToken {
  let claim: UseClaim
  /// Its line's place in the round.
  let place: Int
  private var token: UnspentToken?

  init(_ token: consuming UnspentToken, at place: Int) {
    claim = token.claim
    self.place = place
    self.token = consume token
  }

  /// What comes of it by the memory's answer; once.
  func settle(_ answer: Result<UseOutcome, Fault>) -> Result<VerifiedToken, Refusal> { token.settle(answer) }
}
