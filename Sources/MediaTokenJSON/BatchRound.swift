package import MediaToken
internal import MediaTokenSystem

/// Who looks at the tokens of a batch whose uses are claimed together.
package protocol QualifyingBatchJudge {
  /// Steps 1 to 6 of the path.
  ///
  /// - Parameter line: what the token's line says beside the token; nil where the line is the token.
  func qualify(_ token: Span<UInt8>, _ line: BatchLine.Words?) throws(BatchRefusal) -> UnspentToken
}

/// Some lines of a batch whose tokens are spent together, by a replay memory that is asked for many at the price of one.
///
/// The answers are those of ``BatchAnswerer``, and their order too.
package struct BatchRound {
  /// How many tokens one round spends.
  package static let mostClaims = 64

  private var rows: [Row] = []
  /// What the replay memory is to be asked, in the order of the lines.
  package private(set) var claims: [UseClaim] = []

  /// Reads lines until a token more would be too many, or to the end of the text.
  ///
  /// - Parameters:
  ///   - offset: where the first line begins; afterwards where the next round does.
  ///   - number: the first line's number; afterwards the next round's.
  ///   - mayHaveInstant: whether a line may say what time it is; not where the system's clock decides.
  package init(
    reading bytes: Span<UInt8>, from offset: inout Int, line number: inout Int, _ judge: some QualifyingBatchJudge,
    mayHaveInstant: Bool
  ) {
    while offset < bytes.count, claims.count < Self.mostClaims {
      let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: offset) ?? bytes.count
      read(bytes.extracting(offset..<end).withoutReturn(), number, judge, mayHaveInstant)
      offset = end + 1
      number += 1
    }
  }

  private mutating func read(
    _ line: Span<UInt8>, _ number: Int, _ judge: some QualifyingBatchJudge, _ mayHaveInstant: Bool
  ) {
    switch BatchReading(line, mayHaveInstant: mayHaveInstant) {
    case .blank: rows.append(.blank)
    case .malformed(let error): rows.append(.malformed(error, line: number))
    case .token: qualify(line, nil, number, judge)
    case .object(let question):
      let words = question.words
      question.withToken { qualify($0, words, number, judge) }
    }
  }

  private mutating func qualify(
    _ token: Span<UInt8>, _ line: BatchLine.Words?, _ number: Int, _ judge: some QualifyingBatchJudge
  ) {
    let answer = BatchAnswer(line: number, id: line?.id)
    do throws(BatchRefusal) {
      let waiting = WaitingToken(try judge.qualify(token, line))
      claims.append(waiting.claim)
      rows.append(.waiting(waiting, answer))
    } catch {
      rows.append(.refused(error, answer))
    }
  }

  /// Writes the answers to all lines.
  ///
  /// - Parameter answers: what the replay memory says to ``claims``, in their order. A claim without one has no verdict.
  package consuming func answer(
    _ answers: [Result<UseOutcome, Fault>], _ writer: inout JSONWriter, _ counts: inout BatchCounts
  ) {
    var rest = answers[...]
    for row in rows {
      switch row {
      case .blank: counts.blank += 1
      case .malformed(let error, let line): BatchAnswer.malformed(error, line: line, &writer, &counts)
      case .refused(let refusal, let answer): answer.refused(refusal, &writer, &counts)
      case .waiting(let waiting, let answer):
        do throws(Refusal) {
          let said = rest.popFirst() ?? .failure(.replayMemoryUnavailable)
          answer.valid(try waiting.settle(said), &writer, &counts)
        } catch {
          answer.refused(.refusal(error), &writer, &counts)
        }
      }
    }
  }

  /// What a line came to so far.
  private enum Row {
    case blank
    case malformed(BatchLineError, line: Int)
    case refused(BatchRefusal, BatchAnswer)
    case waiting(WaitingToken, BatchAnswer)
  }
}

/// A token in a list: lists hold only what can be copied, and a token can't.
private final class WaitingToken {
  let claim: UseClaim
  private var token: UnspentToken?

  init(_ token: consuming UnspentToken) {
    claim = token.claim
    self.token = consume token
  }

  /// Once; the answer to a claim lets one in.
  func settle(_ answer: Result<UseOutcome, Fault>) throws(Refusal) -> VerifiedToken {
    guard let token = token.take() else { throw .undecided(.internalFault) }
    return try token.settle(answer)
  }
}
