internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenJSON
internal import MediaTokenSystem

extension Handler {
  /// `POST /v1/verify-batch`: one token a line, one answer a line. The status says only that every line was looked at.
  ///
  /// In parts, so that who asks about one token does not wait for thousands. None is spent before the whole request was
  /// found to be a question.
  func verifyBatch(
    _ request: borrowing Request, _ query: Span<UInt8>, _ scratch: inout Scratch, with response: inout Response
  ) -> Answering {
    do throws(RequestError) {
      guard var progress = response.progress as? BatchProgress else {
        let (name, _) = try readHead(of: request, to: .batch, query, &scratch)
        let limit = state.configuration.limits.batchLines
        guard Self.lines(of: request.body, upTo: limit) <= limit else { throw .tooManyLines(limit: limit) }
        response.progress = BatchProgress(name: name)
        return .partly
      }
      try Self.read(query, mayHaveToken: false, into: &scratch)
      let judge = TenantsJudge(
        handler: self, defaults: scratch.question,
        context: QuestionContext(name: progress.name, peer: request.peer, endpoint: "verify-batch"))
      var writer = JSONWriter()
      swap(&writer.bytes, &response.body)
      progress.answerPart(of: request.body, BatchAnswerer(judge, mayHaveInstant: false), &writer)
      swap(&writer.bytes, &response.body)
      response.status = 200
      response.contentType = "application/x-ndjson"
      response.progress = progress
      return progress.offset < request.body.count ? .partly : .now
    } catch {
      refuse(error, with: &response)
      return .now
    }
  }

  /// How many lines there are; `limit` + 1 if they are more.
  private static func lines(of body: Span<UInt8>, upTo limit: Int) -> Int {
    var (lines, start) = (0, 0)
    while start < body.count, lines <= limit {
      start = (body.firstIndex(of: UInt8(ascii: "\n"), from: start) ?? body.count) + 1
      lines += 1
    }
    return lines
  }
}

/// How far a batch is.
private struct BatchProgress: Sendable {
  let name: RequestName
  /// Where the next line begins in the body, and its number.
  var offset = 0
  private var line = 1

  init(name: RequestName) { self.name = name }

  /// Lines and bytes of one part: by what tokens cost, a millisecond at most. A longer line is a part of its own.
  private static let longestPart = (lines: 16, bytes: 64 * 1024)

  /// Answers the lines of the next part.
  mutating func answerPart<Judge>(
    of body: Span<UInt8>, _ answerer: BatchAnswerer<Judge>, _ writer: inout JSONWriter
  ) {
    var (end, lines) = (offset, 0)
    while end < body.count, lines < Self.longestPart.lines, end - offset < Self.longestPart.bytes {
      end = min((body.firstIndex(of: UInt8(ascii: "\n"), from: end) ?? body.count) + 1, body.count)
      lines += 1
    }
    var counts = BatchCounts()
    answerer.answerLines(body.extracting(offset..<end), from: line, &writer, &counts)
    (offset, line) = (end, line + lines)
  }
}

/// Holds the tokens of a batch against the tenants; what a line says goes before what the query says.
private struct TenantsJudge: BatchJudge, @unchecked Sendable {
  // Used by one thread, within one request.
  let handler: Handler
  let defaults: Question
  let context: QuestionContext
  /// What to expect of a token whose line says nothing: of most, so it is found once.
  let byDefault: Result<Expectation, Expectation.Undecided>

  init(handler: Handler, defaults: Question, context: QuestionContext) {
    (self.handler, self.defaults, self.context) = (handler, defaults, context)
    byDefault = Result { () throws(Expectation.Undecided) in try handler.state.expectation(defaults) }
  }

  func judge(_ token: Span<UInt8>, _ line: BatchLine.Words?) throws(BatchRefusal) -> VerifiedToken {
    let expectation: Expectation
    do throws(Expectation.Undecided) {
      expectation = try self.expectation(line)
    } catch {
      throw .incomplete(error.sentence)
    }
    switch handler.decide(token, expectation, as: context) {
    case .success(let token): return token
    case .failure(let refusal): throw .refusal(refusal)
    }
  }

  private func expectation(_ line: BatchLine.Words?) throws(Expectation.Undecided) -> Expectation {
    guard let line, line.requestor != nil || line.resource != nil else { return try byDefault.get() }
    var question = Question()
    note(line.requestor, defaults.hasRequestor ? defaults.requestor : nil, .requestor, &question)
    note(line.resource, defaults.hasResource ? defaults.resource : nil, .resource, &question)
    return try handler.state.expectation(question)
  }

  private func note(
    _ said: String?, _ otherwise: [UInt8]?, _ parameter: Question.Parameter, _ question: inout Question
  ) {
    guard let value = said.map({ Array($0.utf8) }) ?? otherwise else { return }
    _ = question.set(parameter, value.span)
  }
}
