import MediaToken
import MediaTokenReplay
import Testing

@testable import MediaTokenExplain

@Suite struct ExplainedTokenTests {
  private let fixture: ExplainFixture

  init() throws { fixture = try ExplainFixture() }

  @Test func theLifeLineIsOfVerifiedFieldsOnly() throws {
    let token = try fixture.token(age: -20_000)
    let json = try fixture.explain(token).json
    #expect(
      json.contains(
        "\"life\":{\"issued\":\"2027-01-15T08:00:20.000Z\",\"ends\":\"2027-01-15T08:05:20.000Z\",\"acceptedFrom\":\"2027-01-15T07:59:20.000Z\",\"acceptedUntil\":\"2027-01-15T08:05:20.000Z\",\"skewMilliseconds\":20000}"
      ), "\(json)")
    var forged = token
    forged[forged.count - 20] ^= 1
    let other = try fixture.explain(forged).json
    #expect(other.contains("\"verdict\":\"INVALID_SIGNATURE\"") && !other.contains("\"life\""), "\(other)")
    #expect(other.contains("\"binding\":[]") && !other.contains("TNT"), "\(other)")
  }

  @Test func theBindingSaysWhatWasAskedAndWhatIsSigned() throws {
    let other = try fixture.explain(try fixture.token(resource: "TBS")).json
    #expect(
      other.contains(
        #""binding":[{"name":"requestor","outcome":"passed","expected":"REF30","found":"REF30"},{"name":"resource","outcome":"failed","expected":"TNT","found":"TBS"}]"#
      ), "\(other)")
    let asked = AskedBinding(requestor: false, resource: true)
    let open = try fixture.explain(try fixture.token(), asked: asked).json
    let expected = #"{"name":"requestor","outcome":"not-checked","expected":"not asked","found":"REF30"}"#
    #expect(open.contains(expected), "\(open)")
    #expect(open.contains(#"{"name":"expected","value":"any requestor, resource TNT"}"#), "\(open)")
  }

  @Test func aTableIsLookedAtAndNothingIsClaimed() throws {
    let table = try SharedReplayTable(anonymousWithCapacity: 100, policy: .standard)
    let verifier = try TokenVerifier(
      trustedKeys: fixture.verifier.trustedKeys, policy: .standard, replayMemory: table)
    let token = try fixture.token()
    for _ in 0..<3 {
      let explained = try fixture.explain(token, lookingAt: .table(table))
      #expect(explained.answer == Verdict.validToken.answer)
      #expect(explained.json.contains(#""use":{"state":"unused"}"#))
    }
    // What was explained is still to be used, once.
    _ = try verifier.verify(token, requestor: .exactly("REF30"), resource: .exactly("TNT"), at: ExplainFixture.now)
    let used = try fixture.explain(token, lookingAt: .table(table))
    #expect(used.answer == Verdict.tokenReplayed.answer && used.reason == .alreadyUsed)
    #expect(used.json.contains(#""use":{"state":"used"}"#))
    #expect(used.viewerSentence == Reason.alreadyUsed.viewerSentence)
  }

  @Test func aTableThatCanNotAnswerIsAFault() throws {
    let table = try SharedReplayTable(anonymousWithCapacity: 100, policy: .standard)
    table.retire()
    let token = try fixture.token()
    #expect(throws: UnexplainedToken.self) { try fixture.explain(token, lookingAt: .table(table)) }
    // A token that is refused before it is not looked up: its verdict is known.
    let expired = try fixture.explain(try fixture.token(age: 86_400_000), lookingAt: .table(table))
    #expect(expired.reason == .expired && expired.json.contains(#""use":{"state":"unknown"}"#))
  }

  @Test func noAnswerHasTheSessionGUID() throws {
    for token in [try fixture.token(), try fixture.token(resource: "TBS"), try fixture.token(age: 86_400_000)] {
      let json = try fixture.explain(token).json
      #expect(json.contains("present, not shown") && !json.contains(ExplainFixture.guid))
      #expect(json.hasPrefix(#"{"notice":"nothing here lets anyone play; no token was used up","verdict":""#))
    }
  }

  @Test func everySentenceForViewersIsPlain() {
    let sentences = Reason.allCases.map(\.viewerSentence) + Action.allCases.map(\.viewerSentence)
    for sentence in sentences {
      #expect(sentence.hasSuffix(".") && sentence.utf8.count < 130, "\(sentence)")
      for word in ["token", "signature", "MVPD", "requestor", "resource", "error"] {
        #expect(!sentence.contains(word), "\(sentence)")
      }
    }
  }
}
