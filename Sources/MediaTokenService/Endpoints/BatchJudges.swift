internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenJSON

/// Holds the tokens of a batch against the tenants; what a line says goes before what the query says.
struct TenantsJudge: BatchJudge, @unchecked Sendable {
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
    let expectation = try self.expectation(line)
    switch handler.decide(token, expectation, as: context) {
    case .success(let token): return token
    case .failure(let refusal): throw .refusal(refusal)
    }
  }

  /// What to expect of a line's token.
  func expectation(_ line: BatchLine.Words?) throws(BatchRefusal) -> Expectation {
    do throws(Expectation.Undecided) {
      return try expectation(of: line)
    } catch {
      throw .incomplete(error.sentence)
    }
  }

  private func expectation(of line: BatchLine.Words?) throws(Expectation.Undecided) -> Expectation {
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

// MARK: rounds

/// Lines of a batch whose tokens wait for their uses together: a round. Of one worker, as the batch is.
///
/// Unlike `BatchRound`, which reads as many lines as it takes to have 64 claims, it is filled part by part: nothing may take
/// long on a worker's thread.
final class WaitingLines: @unchecked Sendable {
  // Used by one thread.
  /// Where the first of the lines begins in the body, and its number.
  let offset: Int
  let line: Int
  /// What the batch's request is called.
  let ticket: Ticket
  /// Whether every line of it was looked at.
  var isClaimed = false
  /// What came of the tokens, in order; nil of those that wait.
  private var results: [Result<VerifiedToken, BatchRefusal>?] = []
  private var waiting = 0

  /// How many lines are a round: as many claims as go to a seat in one piece.
  static let lines = 64

  init(_ ticket: Ticket, from offset: Int, _ line: Int) {
    (self.ticket, self.offset, self.line) = (ticket, offset, line)
  }

  /// Whether no token waits.
  var isSettled: Bool { waiting == 0 }

  /// Where the next token has its place.
  var nextPlace: Int { results.count }

  /// Notes what came of the next token; nil: it waits.
  func add(_ result: Result<VerifiedToken, BatchRefusal>?) {
    results.append(result)
    if result == nil { waiting += 1 }
  }

  /// Notes what came of one that waited.
  ///
  /// - Returns: whether the round can be written.
  func settle(_ place: Int, _ result: Result<VerifiedToken, Refusal>) -> Bool {
    guard results[place] == nil else { return false }
    results[place] = result.mapError { .refusal($0) }
    waiting -= 1
    return isClaimed && isSettled
  }

  /// What came of a token.
  func result(_ place: Int) -> Result<VerifiedToken, BatchRefusal>? { results[place] }
}

/// Claims the uses of a round's tokens; what it says of them is not meant to be written.
struct ClaimingJudge: BatchJudge, @unchecked Sendable {
  // Used by one thread, within one request.
  private let tenants: TenantsJudge
  private let round: WaitingLines
  private let uses: WaitingUses

  init(_ tenants: TenantsJudge, _ round: WaitingLines, _ uses: WaitingUses) {
    (self.tenants, self.round, self.uses) = (tenants, round, uses)
  }

  func judge(_ token: Span<UInt8>, _ line: BatchLine.Words?) throws(BatchRefusal) -> VerifiedToken {
    do throws(BatchRefusal) {
      let expectation = try tenants.expectation(line)
      let refusal = tenants.handler.claimUse(
        of: token, expectation, as: tenants.context, from: uses, .line(round.nextPlace, of: round))
      round.add(refusal.map { .failure(.refusal($0)) })
    } catch {
      round.add(.failure(error))
    }
    throw .incomplete("its answer comes later")
  }
}

/// Says what came of a round's tokens, in their order.
final class SettledJudge: BatchJudge, @unchecked Sendable {
  // Used by one thread, within one request.
  private let round: WaitingLines
  private var place = 0

  init(_ round: WaitingLines) { self.round = round }

  func judge(_ token: Span<UInt8>, _ line: BatchLine.Words?) throws(BatchRefusal) -> VerifiedToken {
    defer { place += 1 }
    // Each token of the round has its place by the same reading of the same lines.
    return try (round.result(place) ?? .failure(.refusal(.undecided(.internalFault)))).get()
  }
}
