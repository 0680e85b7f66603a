package import MediaToken
internal import MediaTokenSystem

/// Who decides about the tokens of a batch.
package protocol BatchJudge {
  /// The verdict on a token.
  ///
  /// - Parameter line: what the token's line says beside the token; nil where the line is the token.
  func judge(_ token: Span<UInt8>, _ line: BatchLine.Words?) throws(BatchRefusal) -> VerifiedToken
}

/// Answers the lines of a batch, one JSON object a line, in order; blank lines are only counted.
package struct BatchAnswerer<Judge: BatchJudge & Sendable>: Sendable {
  private let judge: Judge
  private let mayHaveInstant: Bool

  /// - Parameter mayHaveInstant: whether a line may say what time it is; not where the system's clock decides.
  package init(_ judge: Judge, mayHaveInstant: Bool) {
    self.judge = judge
    self.mayHaveInstant = mayHaveInstant
  }

  /// Answers every line of a text, the first of which has the number `firstLine`.
  package func answerLines(
    _ bytes: Span<UInt8>, from firstLine: Int, _ writer: inout JSONWriter, _ counts: inout BatchCounts
  ) {
    var start = 0
    var number = firstLine
    while start < bytes.count {
      let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) ?? bytes.count
      answer(bytes.extracting(start..<end).withoutReturn(), number, &writer, &counts)
      start = end + 1
      number += 1
    }
  }

  private func answer(
    _ line: Span<UInt8>, _ number: Int, _ writer: inout JSONWriter, _ counts: inout BatchCounts
  ) {
    switch BatchReading(line, mayHaveInstant: mayHaveInstant) {
    case .blank: counts.blank += 1
    case .malformed(let error): BatchAnswer.malformed(error, line: number, &writer, &counts)
    case .token: verify(line, nil, number, &writer, &counts)
    case .object(let question):
      let words = question.words
      question.withToken { verify($0, words, number, &writer, &counts) }
    }
  }

  private func verify(
    _ token: Span<UInt8>, _ line: BatchLine.Words?, _ number: Int, _ writer: inout JSONWriter,
    _ counts: inout BatchCounts
  ) {
    let answer = BatchAnswer(line: number, id: line?.id)
    do throws(BatchRefusal) {
      answer.valid(try judge.judge(token, line), &writer, &counts)
    } catch {
      answer.refused(error, &writer, &counts)
    }
  }

  /// The answer to a line that is no question.
  package func malformed(
    _ error: BatchLineError, _ number: Int, _ writer: inout JSONWriter, _ counts: inout BatchCounts
  ) {
    BatchAnswer.malformed(error, line: number, &writer, &counts)
  }
}
