import MediaToken
import MediaTokenFormats
import MediaTokenIssuer
import Testing

/// Lines whose tokens are spent together are answered as if each had been spent by itself.
@Suite("Batch rounds")
struct BatchRoundTests {
  private let now = Instant(millisecondsSinceEpoch: 1_795_176_000_000)
  private let fixture: ExplainFixture
  private var verifier: TokenPath { fixture.verifier }

  init() throws { fixture = try ExplainFixture() }

  private func qualify(_ token: Span<UInt8>, _ line: LineExpectation) throws(Refusal) -> UnspentToken {
    try verifier.qualify(
      token, requestor: line.requestor.map { .exactly($0) } ?? .anyRequestor, resource: .anyResource, at: now)
  }

  private func tokens(_ count: Int) throws -> [String] {
    try (0..<count).map { _ in
      let token = try fixture.token(age: 0, at: now, as: .base64) {
        $0.sessionGUID = DevelopmentToken.randomSessionGUID()
      }
      return String(decoding: token, as: UTF8.self)
    }
  }

  /// The answers to all rounds of a text, and how many tokens each spent.
  private func answers(
    to text: String, _ say: (Int) -> [Result<UseOutcome, Fault>]
  ) -> (text: String, claims: [Int], counts: BatchCounts) {
    var (offset, claims, answers) = (0, [Int](), BatchAnswers())
    var round = BatchRound(mayHaveInstant: false)
    let bytes = Array(text.utf8)
    while offset < bytes.count {
      round.readLines(of: bytes.span, from: &offset, qualify)
      round.end(
        spending: {
          claims.append($0.count)
          return say($0.count)
        }, to: &answers)
    }
    return (String(decoding: answers.writer.bytes, as: UTF8.self), claims, answers.counts)
  }

  /// The answers to a text whose tokens are spent one by one.
  private func answersToSingleLines(of text: String) -> BatchAnswers {
    var (start, answers) = (0, BatchAnswers())
    var round = BatchRound(mayHaveInstant: false)
    let bytes = Array(text.utf8)
    while start < bytes.count {
      let line = bytes.span.extracting(start..<bytes.span.endOfLine(from: start))
      start += line.count
      var offset = 0
      round.readLines(of: line, from: &offset, qualify)
      round.end(
        spending: { claims in
          #expect(claims.count <= 1)
          return claims.map { claim in Result { () throws(Fault) in try verifier.replayMemory.spend(claim) } }
        }, to: &answers)
    }
    return answers
  }

  private func mixed() throws -> String {
    let tokens = try tokens(3)
    return [
      tokens[0], "", "no token", "{\"token\":\"\(tokens[1])\",\"id\":7}", "{\"tok", " \t",
      "{\"token\":\"\(tokens[2])\",\"requestor\":\"OTHER\",\"id\":\"x\"}\r", tokens[2] + "\r", tokens[0],
    ].joined(separator: "\n")
  }

  @Test func answersAreThoseOfSingleLines() throws {
    let text = try mixed()
    let rounds = answers(to: text) { Array(repeating: .success(.notEnforced), count: $0) }
    let singles = answersToSingleLines(of: text)
    #expect(rounds.text == String(decoding: singles.writer.bytes, as: UTF8.self))
    #expect(rounds.counts.summary == singles.counts.summary)
    #expect(rounds.counts.summary == "9 lines: 4 valid, 2 refused, 1 malformed, 0 undecided, 2 blank")
    #expect(rounds.claims == [4])
  }

  @Test func eachAnswerGoesToItsOwnLine() throws {
    let said: [Result<UseOutcome, Fault>] = [
      .success(.firstUse), .success(.alreadyUsed), .failure(.replayMemoryUnavailable), .success(.retry),
    ]
    let lines = answers(to: try mixed()) { _ in said }.text.split(separator: "\n")
    let expected = [
      "{\"line\":1,\"verdict\":\"VALID_TOKEN\"", "{\"line\":3,\"verdict\":\"INVALID_TOKEN_FORMAT\"",
      "{\"line\":4,\"id\":7,\"verdict\":\"TOKEN_REPLAYED\"", "{\"line\":5,\"error\":",
      "{\"line\":7,\"id\":\"x\",\"verdict\":\"INVALID_REQUESTOR_ID\"",
      "{\"line\":8,\"fault\":\"REPLAY_MEMORY_UNAVAILABLE\",\"action\":\"retry\",\"adobeCode\":\"ERROR_UNKNOWN\"}",
      "{\"line\":9,\"verdict\":\"VALID_TOKEN\"",
    ]
    #expect(lines.count == expected.count)
    for (line, beginning) in zip(lines, expected) { #expect(line.hasPrefix(beginning), "\(line)") }
    #expect(lines[0].contains("\"use\":\"first\"") && lines[6].contains("\"use\":\"retry\""))
  }

  @Test func aRoundSpendsAtMostSixtyFourTokens() throws {
    let text = (try tokens(130) + ["no token", ""]).joined(separator: "\n")
    let rounds = answers(to: text) { Array(repeating: .success(.firstUse), count: $0) }
    #expect(rounds.claims == [64, 64, 2])
    #expect(rounds.counts.valid == 130 && rounds.counts.refused == 1)
    #expect(rounds.text.split(separator: "\n").last?.hasPrefix("{\"line\":131,") == true)
  }

  @Test func aTokenWithoutAnAnswerIsUndecided() throws {
    let rounds = answers(to: try tokens(3).joined(separator: "\n")) { _ in [.success(.firstUse)] }
    #expect(rounds.counts.valid == 1 && rounds.counts.undecided == 2)
  }
}
