internal import MediaToken
internal import MediaTokenBatch
internal import MediaTokenHTTP
internal import MediaTokenSystem

extension Handler {
  /// `POST /v1/verify-batch`: one token per line, one answer per line. The status says only that every line was read.
  ///
  /// In parts, so that a question about one token does not wait for thousands. No token is spent before the whole request was
  /// found to be well formed.
  func verifyBatch(
    _ request: borrowing Request, _ query: Span<UInt8>, _ scratch: inout Scratch, with response: inout Response
  ) -> Answering {
    do throws(RequestError) {
      guard let progress = response.progress as? BatchProgress else {
        let (name, _) = try readHead(of: request, to: .batch, query, &scratch)
        let limit = state.configuration.limits.batchLines
        guard request.body.numberOfLines(upTo: limit) <= limit else { throw .tooManyLines(limit: limit) }
        response.progress = BatchProgress(request.ticket, name, view)
        return .partly
      }
      try Self.read(query, mayHaveToken: false, into: &scratch)
      let judge = BatchJudge(
        handler: self, defaults: scratch.question,
        context: QuestionContext(name: progress.name, peer: request.peer, endpoint: .batch, trace: request.trace))
      response.status = 200
      response.contentType = "application/x-ndjson"
      var answers = BatchAnswers()
      swap(&answers.writer.bytes, &response.body)
      defer { swap(&answers.writer.bytes, &response.body) }
      let answering = progress.goOn(in: request.body, judge, &answers)
      counters.add(.agreement(true), UInt64(answers.counts.agreeing))
      counters.add(.agreement(false), UInt64(answers.counts.disagreeing))
      return answering
    } catch {
      refuse(error, with: &response)
      return .now
    }
  }
}

/// How far a batch is. Of one worker, as the batch is.
final class BatchProgress: @unchecked Sendable {
  // Used by one thread.
  /// What the request is called.
  let name: RequestName
  /// What the worker's loop calls it.
  let ticket: Ticket
  /// What it began with: a reload that comes before its last line changes nothing for it.
  let view: CurrentState.View
  /// Where the next line begins in the body.
  private var offset = 0
  /// The lines before that are not answered yet.
  private var round = BatchRound(mayHaveInstant: false)
  /// Whether all lines of the round were read.
  private var isRoundRead = false

  init(_ ticket: Ticket, _ name: RequestName, _ view: CurrentState.View) {
    (self.ticket, self.name, self.view) = (ticket, name, view)
  }

  /// Lines and bytes of one part: by what tokens cost, a millisecond at most. A longer line is a part of its own.
  private static let longestPart = (lines: 16, bytes: 64 * 1024)

  /// Does the next part: reads lines, or writes the answers to a round.
  ///
  /// A round is as long as it may be where tokens wait for the replay memory, and one part where none does.
  func goOn(in body: Span<UInt8>, _ judge: BatchJudge, _ answers: inout BatchAnswers) -> Answering {
    if !isRoundRead {
      readPart(of: body, judge)
      isRoundRead = offset == body.count || round.isFull || round.isSettled
    }
    guard isRoundRead else { return .partly }
    guard round.isSettled else { return .paused }
    round.write(to: &answers)
    isRoundRead = false
    return offset < body.count ? .partly : .now
  }

  private func readPart(of body: Span<UInt8>, _ judge: BatchJudge) {
    let start = offset
    for _ in 0..<Self.longestPart.lines {
      guard offset < body.count, offset - start < Self.longestPart.bytes, !round.isFull else { return }
      round.readLine(of: body, from: &offset) {
        judge.judge($0, $1, at: $2, of: self)
      } faulted: {
        judge.note($0)
      }
    }
  }

  /// Notes what came of a token that waited.
  ///
  /// - Returns: whether the round can be written.
  func settle(_ place: Int, _ result: Result<VerifiedToken, Refusal>) -> Bool {
    round.settle(place, result)
    return isRoundRead && round.isSettled
  }
}

/// Checks the tokens of a batch for the tenants; what a line says overrides what the query says.
struct BatchJudge {
  private let handler: Handler
  private let defaults: Question
  private let context: QuestionContext
  /// What to expect of a token whose line says nothing, as most do: computed once.
  private let byDefault: Result<Expectation, RequestError>

  init(handler: Handler, defaults: Question, context: QuestionContext) {
    (self.handler, self.defaults, self.context) = (handler, defaults, context)
    byDefault = Result { () throws(RequestError) in try handler.state.expectation(defaults, at: .batch) }
  }

  /// What comes of a token; nil: the batch is told later.
  func judge(
    _ token: Span<UInt8>, _ line: LineExpectation, at place: Int, of batch: BatchProgress
  ) -> BatchResult? {
    switch expectation(of: line) {
    case .failure(.undecided(let fault)): .judged(handler.decide(fault, as: context))
    case .failure(let error): .malformed(.incomplete(error.detail))
    case .success(let expectation):
      handler.decide(token, expectation, as: context, for: .line(place, of: batch)).map { .judged($0) }
    }
  }

  /// Counts and logs a fault that kept a line from being read.
  func note(_ fault: Fault) { _ = handler.decide(fault, as: context) }

  private func expectation(of line: LineExpectation) -> Result<Expectation, RequestError> {
    guard line.requestor != nil || line.resource != nil else { return byDefault }
    var question = Question()
    question.requestor = line.requestor.map { GivenName($0) } ?? defaults.requestor
    question.resource = line.resource.map { GivenResource($0) } ?? defaults.resource
    return Result { () throws(RequestError) in try handler.state.expectation(question, at: .batch) }
  }
}
