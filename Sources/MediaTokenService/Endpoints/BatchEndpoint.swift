internal import MediaToken
internal import MediaTokenJSON

extension Handler {
  /// `POST /v1/verify-batch`: one token a line, one answer a line. The status says only that every line was looked at.
  func verifyBatch(
    _ request: borrowing HTTPRequest, _ query: Span<UInt8>, _ worker: WorkerMemory,
    _ scratch: inout WorkerMemory.Scratch,
    with response: inout HTTPResponse
  ) {
    do throws(RequestError) {
      try Self.read(query, mayHaveToken: false, into: &scratch)
      let name = try RequestName(request, worker)
      guard Self.isBatch(request.fields) else { throw .mediaType }
      let limit = worker.view.state.configuration.limits.batchLines
      guard Self.lines(of: request.body.span) <= limit else { throw .tooManyLines(limit: limit) }
      let judge = TenantsJudge(
        handler: self, worker: worker, defaults: scratch.question,
        context: QuestionContext(name: name, peer: request.peer, endpoint: "verify-batch"))
      response.status = 200
      response.contentType = .ndjson
      var writer = JSONWriter()
      var counts = BatchCounts()
      swap(&writer.bytes, &response.body)
      writer.bytes.removeAll(keepingCapacity: true)
      BatchAnswerer(judge, mayHaveInstant: false).answerLines(request.body.span, from: 1, &writer, &counts)
      swap(&writer.bytes, &response.body)
    } catch {
      refuse(error, with: &response)
    }
  }

  private static let contentType = Array("content-type".utf8)

  private static func isBatch(_ fields: borrowing HTTPFields) -> Bool {
    switch fields.find(contentType.span) {
    case .none: return true
    case .repeated: return false
    case .one(let place):
      let value = fields.value(place)
      let end = FormText.index(of: UInt8(ascii: ";"), in: value, from: 0)
      let type = value.extracting(..<end)
      return type.isExactlyIgnoringCase("application/x-ndjson") || type.isExactlyIgnoringCase("text/plain")
    }
  }

  private static func lines(of body: Span<UInt8>) -> Int {
    var lines = body.isEmpty || body[body.count - 1] == UInt8(ascii: "\n") ? 0 : 1
    for index in body.indices where body[index] == UInt8(ascii: "\n") { lines += 1 }
    return lines
  }
}

/// Holds the tokens of a batch against the tenants; what a line says goes before what the query says.
private struct TenantsJudge: BatchJudge, @unchecked Sendable {
  // Used by one thread, within one request.
  let handler: Handler
  let worker: WorkerMemory
  let defaults: Question
  let context: QuestionContext

  func judge(_ token: Span<UInt8>, _ line: BatchLine.Words?) throws(BatchRefusal) -> VerifiedToken {
    var question = Question()
    note(line?.requestor, defaults.hasRequestor ? defaults.requestor : nil, .requestor, &question)
    note(line?.resource, defaults.hasResource ? defaults.resource : nil, .resource, &question)
    let expectation: Expectation
    do throws(Expectation.Undecided) {
      expectation = try worker.view.state.expectation(question)
    } catch {
      throw .incomplete(error.sentence)
    }
    switch handler.decide(token, expectation, as: context, worker) {
    case .success(let token): return token
    case .failure(let refusal): throw .refusal(refusal)
    }
  }

  private func note(
    _ said: String?, _ otherwise: [UInt8]?, _ parameter: Question.Parameter, _ question: inout Question
  ) {
    guard let value = said.map({ Array($0.utf8) }) ?? otherwise else { return }
    _ = question.set(parameter, value.span)
  }
}
