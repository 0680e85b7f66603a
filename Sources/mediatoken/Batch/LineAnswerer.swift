internal import MediaToken
internal import MediaTokenJSON
internal import SystemCalls

/// Answers the lines of a block, one JSON object a line.
struct LineAnswerer: Sendable {
  let verifier: TokenVerifier
  let expectations: ExpectationOptions
  /// Whether a line may say what time it is: a shared replay memory goes by the system's clock alone.
  let mayHaveInstant: Bool

  /// Fills in the block's answers and counts.
  func answer(_ block: LineBlock) {
    var writer = JSONWriter(appendingTo: block.answers)
    block.answers = []
    writer.bytes.removeAll(keepingCapacity: true)
    var counts = BatchCounts()
    if block.isTooLongLine {
      malformed(.tooLong, block.firstLine, &writer, &counts)
    } else {
      let storage = block.storage
      answerLines(storage.span.extracting(first: block.used), from: block.firstLine, &writer, &counts)
    }
    block.answers = writer.bytes
    block.counts = counts
  }

  private func answerLines(
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
    guard BatchLine.isObject(line) else {
      return verify(line, expectations, number, id: nil, &writer, &counts)
    }
    do throws(BatchLineError) {
      let request = try BatchLine.parse(line, mayHaveInstant: mayHaveInstant)
      let expectations = expectations.replaced(by: request)
      request.withToken { verify($0, expectations, number, id: request.id, &writer, &counts) }
    } catch {
      malformed(error, number, &writer, &counts)
    }
  }

  private func verify(
    _ token: Span<UInt8>, _ expectations: ExpectationOptions, _ number: Int, id: String?,
    _ writer: inout JSONWriter, _ counts: inout BatchCounts
  ) {
    writer.object { writer in
      begin(number, id, &writer)
      do throws(Refusal) {
        let valid = try verifier.verify(
          token, requestor: expectations.requestor, resource: expectations.resource,
          at: expectations.instant ?? .now)
        writer.member("verdict", Verdict.validToken.answer.wireName)
        writer.member("identity", valid.identity.description)
        writer.member("use", valid.use.rawValue)
        counts.valid += 1
      } catch {
        refuse(error, &writer, &counts)
      }
    }
    writer.endLine()
  }

  private func refuse(_ refusal: Refusal, _ writer: inout JSONWriter, _ counts: inout BatchCounts) {
    switch refusal {
    case .rejected(let rejection):
      writer.member("verdict", rejection.verdict.answer.wireName)
      writer.member("reason", rejection.reason.rawValue)
      writer.member("detail", rejection.detail)
      if let identity = rejection.identity { writer.member("identity", identity.description) }
      counts.refused += 1
    case .undecided(let fault):
      writer.member("fault", fault.answer.wireName)
      counts.undecided += 1
    }
  }

  private func malformed(
    _ error: BatchLineError, _ number: Int, _ writer: inout JSONWriter, _ counts: inout BatchCounts
  ) {
    writer.object { writer in
      begin(number, error.id, &writer)
      writer.member("error", error.description)
    }
    writer.endLine()
    counts.malformed += 1
  }

  private func begin(_ number: Int, _ id: String?, _ writer: inout JSONWriter) {
    writer.member("line", Int64(number))
    if let id { writer.member("id", id) }
  }
}

extension ExpectationOptions {
  /// These, but what the line says goes before.
  fileprivate func replaced(by line: borrowing BatchLine) -> ExpectationOptions {
    ExpectationOptions(
      requestor: line.requestor.map { .exactly($0) } ?? requestor,
      resource: line.resource.map { .exactly($0) } ?? resource, instant: line.instant ?? instant)
  }
}
