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
      defer {
        swap(&writer.bytes, &response.body)
        response.progress = progress
      }
      response.status = 200
      response.contentType = "application/x-ndjson"
      if let uses { return progress.goOn(in: request.body, judge, uses, request.ticket, &writer) }
      progress.answerPart(of: request.body, BatchAnswerer(judge, mayHaveInstant: false), &writer)
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
  /// The lines before that whose tokens' uses are claimed, and not written yet.
  private var round: WaitingLines?

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

  /// Does the next part where the replay memory has to ask others. A round is gone through twice: once part by part, in
  /// which its tokens' uses are claimed and nothing is written, and once to be written, when all have their answers.
  mutating func goOn(
    in body: Span<UInt8>, _ judge: TenantsJudge, _ uses: WaitingUses, _ ticket: Ticket, _ writer: inout JSONWriter
  ) -> Answering {
    let round = self.round ?? WaitingLines(ticket, from: offset, line)
    self.round = round
    if !round.isClaimed {
      var unwritten = JSONWriter()
      answerPart(
        of: body, BatchAnswerer(ClaimingJudge(judge, round, uses), mayHaveInstant: false), &unwritten)
      round.isClaimed = offset == body.count || line - round.line >= WaitingLines.lines
      return round.isClaimed && !round.isSettled ? .paused : .partly
    }
    guard round.isSettled else { return .paused }
    var counts = BatchCounts()
    BatchAnswerer(SettledJudge(round), mayHaveInstant: false).answerLines(
      body.extracting(round.offset..<offset), from: round.line, &writer, &counts)
    self.round = nil
    return offset < body.count ? .partly : .now
  }
}
