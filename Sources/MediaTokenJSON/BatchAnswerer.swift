package import MediaToken
internal import MediaTokenSystem

/// Who decides about the tokens of a batch.
package protocol BatchJudge {
  /// The verdict on a token.
  ///
  /// - Parameter line: what the token's line says beside the token; nil where the line is the token.
  func judge(_ token: Span<UInt8>, _ line: BatchLine.Words?) throws(BatchRefusal) -> VerifiedToken
}

/// Why a line has no valid token.
package enum BatchRefusal: Error {
  /// The token is refused, or nobody can tell.
  case refusal(Refusal)
  /// The line leaves open what only it can say; what was expected.
  case incomplete(String)
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
      answer(withoutReturn(bytes.extracting(start..<end)), number, &writer, &counts)
      start = end + 1
      number += 1
    }
  }

  /// A line may end in CR LF.
  @_lifetime(copy line)
  private func withoutReturn(_ line: Span<UInt8>) -> Span<UInt8> {
    guard line.count > 0, line[line.count - 1] == UInt8(ascii: "\r") else { return line }
    return line.extracting(droppingLast: 1)
  }

  private func answer(
    _ line: Span<UInt8>, _ number: Int, _ writer: inout JSONWriter, _ counts: inout BatchCounts
  ) {
    if line.count > BatchLine.longest { return malformed(.tooLong, number, &writer, &counts) }
    if BatchLine.isBlank(line) {
      counts.blank += 1
      return
    }
    if line.beginsWithByteOrderMark { return malformed(.byteOrderMark, number, &writer, &counts) }
    guard BatchLine.isObject(line) else { return verify(line, nil, number, &writer, &counts) }
    do throws(BatchLineError) {
      let request = try BatchLine.parse(line, mayHaveInstant: mayHaveInstant)
      let words = request.words
      request.withToken { verify($0, words, number, &writer, &counts) }
    } catch {
      malformed(error, number, &writer, &counts)
    }
  }

  private func verify(
    _ token: Span<UInt8>, _ line: BatchLine.Words?, _ number: Int, _ writer: inout JSONWriter,
    _ counts: inout BatchCounts
  ) {
    writer.object { writer in
      begin(number, line?.id, &writer)
      do throws(BatchRefusal) {
        let valid = try judge.judge(token, line)
        writer.member("verdict", Verdict.validToken.answer.wireName)
        writer.member("identity", valid.identity.digest)
        writer.member("use", valid.use.rawValue)
        counts.valid += 1
      } catch {
        refuse(error, &writer, &counts)
      }
    }
    writer.endLine()
  }

  private func refuse(_ refusal: BatchRefusal, _ writer: inout JSONWriter, _ counts: inout BatchCounts) {
    switch refusal {
    case .refusal(.rejected(let rejection)):
      writer.member("verdict", rejection.verdict.answer.wireName)
      writer.member("reason", rejection.reason.rawValue)
      writer.member("detail", rejection.detail)
      if let identity = rejection.identity { writer.member("identity", identity.digest) }
      counts.refused += 1
    case .refusal(.undecided(let fault)):
      writer.member("fault", fault.answer.wireName)
      counts.undecided += 1
    case .incomplete(let expected):
      writer.member("error", expected)
      counts.malformed += 1
    }
  }

  /// The answer to a line that is no question.
  package func malformed(
    _ error: BatchLineError, _ number: Int, _ writer: inout JSONWriter, _ counts: inout BatchCounts
  ) {
    writer.object { writer in
      begin(number, error.id, &writer)
      writer.member("error", error.description)
    }
    writer.endLine()
    counts.malformed += 1
  }

  private func begin(_ number: Int, _ id: BatchLineID?, _ writer: inout JSONWriter) {
    writer.member("line", Int64(number))
    switch id {
    case .text(let text): writer.member("id", text)
    case .integer(let integer): writer.member("id", integer)
    case nil: break
    }
  }
}

extension BatchLine {
  /// What a line says beside the token.
  package struct Words: Sendable {
    package let id: BatchLineID?
    package let requestor: String?
    package let resource: String?
    package let instant: Instant?
  }

  fileprivate var words: Words { Words(id: id, requestor: requestor, resource: resource, instant: instant) }
}
