import MediaToken
import MediaTokenIssuer
import Testing

@testable import MediaTokenJSON

/// Lines whose tokens are spent together are answered as if each had been spent by itself.
@Suite("Batch rounds")
struct BatchRoundTests {
  private let now = Instant(millisecondsSinceEpoch: 1_795_176_000_000)
  private let verifier: TokenVerifier
  private let pair: DevelopmentKeyPair

  init() throws {
    pair = try DevelopmentKeyPair.generate(modulusBits: 2048)
    let keys = try TrustedKeys(
      parsing: [KeyFile(name: "test.pem", bytes: Array(pair.publicKeyPEM().utf8))], consent: .none)
    verifier = try TokenVerifier(trustedKeys: keys, replayMemory: .none)
  }

  private struct Judge: BatchJudge, QualifyingBatchJudge {
    let verifier: TokenVerifier
    let now: Instant

    func qualify(_ token: Span<UInt8>, _ line: BatchLine.Words?) throws(BatchRefusal) -> UnspentToken {
      do throws(Refusal) {
        return try verifier.qualify(
          token, requestor: line?.requestor.map { .exactly($0) } ?? .anyRequestor, resource: .anyResource, at: now)
      } catch {
        throw .refusal(error)
      }
    }

    func judge(_ token: Span<UInt8>, _ line: BatchLine.Words?) throws(BatchRefusal) -> VerifiedToken {
      let token = try qualify(token, line)
      do throws(Refusal) {
        return try token.spend(in: verifier.replayMemory)
      } catch {
        throw .refusal(error)
      }
    }
  }

  private var judge: Judge { Judge(verifier: verifier, now: now) }

  private func tokens(_ count: Int) throws -> [String] {
    var issuer = try DevelopmentTokenIssuer(pair)
    return try (0..<count).map { _ in
      var output: [UInt8] = []
      let token = DevelopmentToken(
        requestorID: "REF30", resourceID: "TNT", issueTime: now, sessionGUID: DevelopmentToken.randomSessionGUID())
      try issuer.issue(token, as: .base64, into: &output)
      return String(decoding: output, as: UTF8.self)
    }
  }

  /// The answers to all rounds of a text, and how many tokens each spent.
  private func answers(
    to text: String, _ say: (Int) -> [Result<UseOutcome, Fault>]
  ) -> (text: String, claims: [Int], counts: BatchCounts) {
    var (offset, line, claims) = (0, 1, [Int]())
    var (writer, counts) = (JSONWriter(), BatchCounts())
    let bytes = Array(text.utf8)
    while offset < bytes.count {
      let round = BatchRound(reading: bytes.span, from: &offset, line: &line, judge, mayHaveInstant: false)
      claims.append(round.claims.count)
      round.answer(say(round.claims.count), &writer, &counts)
    }
    return (String(decoding: writer.bytes, as: UTF8.self), claims, counts)
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
    var (writer, counts) = (JSONWriter(), BatchCounts())
    BatchAnswerer(judge, mayHaveInstant: false).answerLines(text.utf8Span.span, from: 1, &writer, &counts)
    #expect(rounds.text == String(decoding: writer.bytes, as: UTF8.self))
    #expect(rounds.counts.summary == counts.summary)
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
      "{\"line\":8,\"fault\":\"REPLAY_MEMORY_UNAVAILABLE\"}", "{\"line\":9,\"verdict\":\"VALID_TOKEN\"",
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
