import MediaToken
import Testing

@testable import MediaTokenFormats

@Suite struct ExplainedTokenTests {
  private let fixture: ExplainFixture

  init() throws { fixture = try ExplainFixture() }

  @Test func theLifeLineIsOfVerifiedFieldsOnly() throws {
    let token = try fixture.token(age: -20_000)
    let json = fixture.explain(token).json
    #expect(
      json.contains(
        "\"life\":{\"issued\":\"2027-01-15T08:00:20.000Z\",\"ends\":\"2027-01-15T08:05:20.000Z\",\"acceptedFrom\":\"2027-01-15T07:59:20.000Z\",\"acceptedUntil\":\"2027-01-15T08:05:20.000Z\",\"skewMilliseconds\":20000}"
      ), "\(json)")
    var forged = token
    forged[forged.count - 20] ^= 1
    let other = fixture.explain(forged).json
    #expect(other.contains("\"verdict\":\"INVALID_SIGNATURE\"") && !other.contains("\"life\""), "\(other)")
    #expect(other.contains("\"binding\":[]") && !other.contains("TNT"), "\(other)")
  }

  @Test func theBindingSaysWhatWasAskedAndWhatIsSigned() throws {
    let other = fixture.explain(try fixture.token(resource: "TBS")).json
    #expect(
      other.contains(
        #""binding":[{"name":"requestor","outcome":"passed","expected":"REF30","found":"REF30"},{"name":"resource","outcome":"failed","expected":"TNT","found":"TBS"}]"#
      ), "\(other)")
    let asked = AskedBinding(requestor: false, resource: true)
    let open = fixture.explain(try fixture.token(), asked: asked).json
    let expected = #"{"name":"requestor","outcome":"not-checked","expected":"not asked","found":"REF30"}"#
    #expect(open.contains(expected), "\(open)")
    #expect(open.contains(#"{"name":"expected","value":"any requestor, resource TNT"}"#), "\(open)")
  }

  /// A table's clock is the kernel's.
  @Test func aTableIsLookedAtAndNothingIsClaimed() throws {
    let table = try SharedReplayTable(anonymousWithCapacity: 100, policy: .standard)
    let verifier = try TokenPath(
      trustedKeys: fixture.verifier.trustedKeys, policy: .standard, replayMemory: table)
    let now = Instant.now
    let token = try fixture.token(at: now)
    for _ in 0..<3 {
      let explained = fixture.explain(token, at: now, peekingAt: .table(table))
      #expect(explained.answer == Verdict.validToken.answer)
      #expect(explained.json.contains(#""use":{"state":"unused"}"#))
    }
    // What was explained is still to be used, once.
    _ = try verifier.verify(token, requestor: .exactly("REF30"), resource: .exactly("TNT"), at: now)
    let used = fixture.explain(token, at: now, peekingAt: .table(table))
    #expect(used.answer == Verdict.tokenReplayed.answer && used.reason == .alreadyUsed)
    #expect(used.json.contains(#""use":{"state":"used"}"#))
    #expect(used.viewerSentence == Reason.alreadyUsed.viewerSentence)
  }

  @Test func aTableThatCanNotAnswerIsAFaultWithAllElseThatIsKnown() throws {
    let table = try SharedReplayTable(anonymousWithCapacity: 100, policy: .standard)
    table.retire()
    let token = try fixture.token()
    let undecided = fixture.explain(token, peekingAt: .table(table))
    #expect(undecided.conclusion == .undecided(.replayMemoryUnavailable))
    let outcomes = undecided.explanation.reports.map(\.outcome)
    #expect(outcomes == Array(repeating: .passed, count: 6) + [.noAnswer])
    let json = undecided.json
    #expect(json.contains(#""fault":"REPLAY_MEMORY_UNAVAILABLE","number":65,"action":"retry""#), "\(json)")
    #expect(json.contains(#""viewer":"Please wait a moment"#) && !json.contains("VALID_TOKEN"), "\(json)")
    #expect(json.contains(#""life":{"#) && json.contains(#""found":"REF30""#), "\(json)")
    #expect(json.contains("no answer: the replay memory was deleted, replaced or retired"), "\(json)")
    #expect(fixture.explain(token, peekingAt: .unreachable).conclusion == undecided.conclusion)
    // A token that is refused before it is not looked up: its verdict is known.
    let expired = fixture.explain(try fixture.token(age: 86_400_000), peekingAt: .table(table))
    #expect(expired.reason == .expired && expired.json.contains(#""use":{"state":"unknown"}"#))
  }

  /// What was compared with itself is not valid for that.
  @Test func noVerdictIsGivenAsLongAsANameIsNotCompared() throws {
    let token = try fixture.token()
    for (requestor, resource) in [(true, false), (false, true), (false, false)] {
      let asked = AskedBinding(requestor: requestor, resource: resource)
      let open = (requestor ? [] : ["requestor"]) + (resource ? [] : ["resource"])
      let explained = fixture.explain(token, asked: asked)
      #expect(explained.conclusion == .notCompared(open))
      #expect(explained.answer == nil && explained.action == nil && explained.viewerSentence == nil)
      #expect(explained.explanation.reports[5].outcome == .notChecked)
      let names = open.map { "\"\($0)\"" }.joined(separator: ",")
      #expect(explained.json.contains("\"notChecked\":[\(names)],\"now\""), "\(explained.json)")
      for name in ["verdict", "number", "action", "adobeCode", "viewer", "VALID_TOKEN"] {
        #expect(!explained.json.contains("\"\(name)\""), "\(name): \(explained.json)")
      }
      // What is refused for something else is refused.
      let expired = fixture.explain(try fixture.token(age: 86_400_000), asked: asked)
      #expect(expired.reason == .expired && expired.explanation.reports[5].outcome == .notChecked)
      #expect(!expired.json.contains("notChecked"))
    }
    #expect(fixture.explain(token).conclusion == .valid)
    let other = fixture.explain(
      try fixture.token(resource: "TBS"), asked: AskedBinding(requestor: false, resource: true))
    #expect(other.reason == .otherResource && other.explanation.reports[5].outcome == .failed)
  }

  /// Whether it was used is looked up all the same.
  @Test func aUsedTokenIsRefusedAlsoWithoutTheNames() throws {
    let table = try SharedReplayTable(anonymousWithCapacity: 100, policy: .standard)
    let verifier = try TokenPath(
      trustedKeys: fixture.verifier.trustedKeys, policy: .standard, replayMemory: table)
    let now = Instant.now
    let token = try fixture.token(at: now)
    let asked = AskedBinding(requestor: false, resource: false)
    let fresh = fixture.explain(token, asked: asked, at: now, peekingAt: .table(table))
    #expect(
      fresh.conclusion == .notCompared(["requestor", "resource"]) && fresh.json.contains(#""state":"unused""#))
    _ = try verifier.verify(token, requestor: .anyRequestor, resource: .anyResource, at: now)
    #expect(fixture.explain(token, asked: asked, at: now, peekingAt: .table(table)).reason == .alreadyUsed)
  }

  @Test func noAnswerHasTheSessionGUID() throws {
    for token in [try fixture.token(), try fixture.token(resource: "TBS"), try fixture.token(age: 86_400_000)] {
      let json = fixture.explain(token).json
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
