package import MediaToken
internal import MediaTokenSystem

/// The lines of a batch that are answered together, because their tokens' uses may be claimed together: of a replay memory
/// that has to ask others, many cost what one does.
///
/// Lines are read one by one and their tokens looked at at once. Those that may be used wait in the round; at its end they are
/// spent, the answers are written, in the order of the lines, and the next round begins.
package struct BatchRound {
  /// The most lines of a round: as many claims as go to a node of a fleet in one piece.
  private static let mostLines = 64

  /// From 1.
  private var firstLine = 1
  private let mayHaveInstant: Bool
  private var rows: [Row] = []

  /// The result of a line so far.
  private enum Row {
    /// A blank line is only counted.
    case blank
    case answered(BatchResult, BatchLineLabel)
    case waiting(WaitingToken, BatchLineLabel)
  }

  /// Judges a token, as received, before its use.
  package typealias Qualify = (_ token: Span<UInt8>, _ line: LineExpectation) throws(Refusal) -> UnspentToken

  /// `mayHaveInstant`: a line may say what time it is; not where the system's clock decides.
  package init(mayHaveInstant: Bool) { self.mayHaveInstant = mayHaveInstant }

  /// Reads the lines that begin at `offset`, which is moved past them, until the round has as many as it may have.
  package mutating func readLines(of text: Span<UInt8>, from offset: inout Int, _ qualify: Qualify) {
    while offset < text.count, rows.count < Self.mostLines {
      let end = text.endOfLine(from: offset)
      rows.append(row(text.extracting(text.withoutLineEnd(offset..<end)), qualify))
      offset = end
    }
  }

  private func row(_ line: Span<UInt8>, _ qualify: Qualify) -> Row {
    if line.count > BatchLine.longest { return .answered(.malformed(BatchLine.tooLong), BatchLineLabel()) }
    if BatchLine.isBlank(line) { return .blank }
    if line.beginsWithByteOrderMark { return .answered(.malformed(BatchLine.byteOrderMark), BatchLineLabel()) }
    guard BatchLine.isObject(line) else { return Self.row(line, LineExpectation(), BatchLineLabel(), qualify) }
    var id: BatchLineID?
    do throws(Problem) {
      let question = try BatchLine.parse(line, mayHaveInstant: mayHaveInstant, id: &id)
      let (expectation, label) = (question.expectation, question.label)
      return question.withToken { Self.row($0, expectation, label, qualify) }
    } catch {
      let result = error.fault.map { BatchResult.judged(.failure(.undecided($0))) } ?? .malformed(error)
      return .answered(result, BatchLineLabel(id: id))
    }
  }

  private static func row(
    _ token: Span<UInt8>, _ expectation: LineExpectation, _ label: BatchLineLabel, _ qualify: Qualify
  ) -> Row {
    do throws(Refusal) {
      return .waiting(WaitingToken(try qualify(token, expectation)), label)
    } catch {
      return .answered(.judged(.failure(error)), label)
    }
  }

  /// Spends the tokens that wait, writes the answers to all lines, and begins the next round after them. `spend` has the
  /// memory's answers to these claims, in their order. A token without an answer has no verdict.
  package mutating func end(
    spending spend: ([UseClaim]) -> [Result<UseOutcome, Fault>], to answers: inout BatchAnswers
  ) {
    let claims = rows.compactMap { if case .waiting(let token, _) = $0 { token.claim } else { nil } }
    var said = spend(claims)[...]
    for (line, row) in zip(firstLine..., rows) {
      switch row {
      case .blank: answers.addBlank()
      case .answered(let result, let label): answers.add(result, line: line, label)
      case .waiting(let token, let label):
        let result = token.settle(said.popFirst() ?? .failure(.replayMemoryUnavailable))
        answers.add(.judged(result), line: line, label)
      }
    }
    firstLine += rows.count
    rows.removeAll(keepingCapacity: true)
  }
}

/// A token that waits for its use, in a list: lists hold only what can be copied, and a token can't.
private final class WaitingToken {
  let claim: UseClaim
  private var token: UnspentToken?

  init(_ token: consuming UnspentToken) {
    claim = token.claim
    self.token = consume token
  }

  /// Once only.
  func settle(_ answer: Result<UseOutcome, Fault>) -> Result<VerifiedToken, Refusal> { token.settle(answer) }
}

extension Span<UInt8> {
  /// The end of the line that begins at `start`, its line feed included, which the last line may lack.
  package func endOfLine(from start: Int) -> Int {
    firstIndex(of: UInt8(ascii: "\n"), from: start).map { $0 + 1 } ?? count
  }

  /// A line may end in LF or CR LF.
  package func withoutLineEnd(_ line: Range<Int>) -> Range<Int> {
    var end = line.upperBound
    if end > line.lowerBound, self[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > line.lowerBound, self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return line.lowerBound..<end
  }
}
