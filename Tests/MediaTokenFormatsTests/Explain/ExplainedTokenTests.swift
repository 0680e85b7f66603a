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
        "\"life\":{\"issued\":\"2027-01-15T08:00:20.000Z\",\"ends\":\"2027-01-15T08:05:20.000Z\",\"acceptedFrom\":\"2027-01-15T07:59:20.000Z\",\"acceptedUntil\":\"2027-01-15T08:05:20.000Z\",\"skewMilliseconds\":20000,\"summary\":\"It goes on for 5 minutes 20 seconds. The issue time is 20 seconds ahead of the clock here, which allows 1 minute.\"}"
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
      #expect(
        explained.json.contains(
          #""use":{"state":"unused"},"useSummary":"Not used so far, as the replay memory has it.""#))
    }
    // What was explained is still to be used, once.
    _ = try verifier.verify(token.span, requestor: .exactly("REF30"), resource: .exactly("TNT"), at: now)
    let used = fixture.explain(token, at: now, peekingAt: .table(table))
    #expect(used.answer == Verdict.tokenReplayed.answer && used.reason == .alreadyUsed)
    #expect(used.json.contains(#""use":{"state":"used"},"useSummary":"Used before.""#))
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
      let open: [BoundName] = (requestor ? [] : [.requestor]) + (resource ? [] : [.resource])
      let explained = fixture.explain(token, asked: asked)
      #expect(explained.conclusion == .notCompared(open))
      #expect(explained.answer == nil && explained.action == nil && explained.viewerSentence == nil)
      #expect(explained.explanation.reports[5].outcome == .notChecked)
      let names = open.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
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
      fresh.conclusion == .notCompared([.requestor, .resource]) && fresh.json.contains(#""state":"unused""#))
    _ = try verifier.verify(token.span, requestor: .anyRequestor, resource: .anyResource, at: now)
    #expect(fixture.explain(token, asked: asked, at: now, peekingAt: .table(table)).reason == .alreadyUsed)
  }

  @Test func noAnswerHasTheSessionGUID() throws {
    for token in [try fixture.token(), try fixture.token(resource: "TBS"), try fixture.token(age: 86_400_000)] {
      let json = fixture.explain(token).json
      #expect(json.contains("present, not shown") && !json.contains(ExplainFixture.guid))
      #expect(json.hasPrefix(#"{"notice":"nothing here lets anyone play; no token was used up","verdict":""#))
    }
  }

  /// Whose mistake it is comes before everything else.
  @Test func theFirstSentenceTellsTokenQuestionAndServiceApart() throws {
    let good = fixture.explain(try fixture.token())
    #expect(good.headline == "This token would be accepted." && good.next == ["Nothing: the video may start."])
    let other = fixture.explain(try fixture.token(resource: "TBS"))
    #expect(other.headline == "Refused: the token was issued for another resource.")
    #expect(other.meaning.contains("Look which of the two is wrong"))
    let open = fixture.explain(try fixture.token(), asked: .none)
    #expect(open.headline == "Not refused, but not checked: requestor and resource." && open.sentenceForNow == nil)
    let token = try fixture.token()
    let unserved = ExplainedToken(
      token.span, with: fixture.verifier, requestor: .noMatch, resource: .noMatch, at: ExplainFixture.now,
      peekingAt: .none, in: .commandLine)
    #expect(unserved.headline == "The requestor that was asked about is not served here.")
    #expect(unserved.sentenceForNow == nil && unserved.meaning.hasPrefix("The token may be good"))
    let undecided = fixture.explain(try fixture.token(), peekingAt: .unreachable)
    #expect(undecided.headline == "No verdict: there is a fault on this side.")
    #expect(undecided.meaning.hasPrefix("REPLAY_MEMORY_UNAVAILABLE says nothing about the token."))
    for explained in [open, unserved, undecided] { #expect(!explained.headline.contains("Refused:")) }
    let torn = fixture.explain(Array(try fixture.token().prefix(100)))
    #expect(torn.next.first?.contains("copying can cut it off") == true && torn.explanation.life == nil)
    #expect(torn.useSummary == nil)
  }

  @Test func aReportHasNoTokenAndNoViewer() throws {
    let report = fixture.explain(try fixture.token(age: 86_400_000)).report
    #expect(
      report.map(\.name) == [
        "Verdict", "Reason", "Action", "Adobe's code", "Expected", "Found", "Name in the log", "Whole name",
      ])
    #expect(report[0].value == "TOKEN_EXPIRED (3)" && report[6].value.count == 16)
    #expect(report[4].value.hasPrefix("a time from 20") && report[5].value.contains("1 day after the issue time"))
    #expect(!report.contains { $0.value.contains(ExplainFixture.guid) || $0.value.contains("signatureInfo") })
    let undecided = fixture.explain(try fixture.token(), peekingAt: .unreachable).report
    #expect(undecided[0].value == "none" && undecided[1].value == "REPLAY_MEMORY_UNAVAILABLE (65)")
  }

  /// A token of an hour ahead is not said to be good in a moment.
  @Test func aTokenFromAheadIsNotSaidToBeGoodInAMoment() throws {
    let ahead = fixture.explain(try fixture.token(age: -3_600_000))
    #expect(
      ahead.next.first?.contains("the token is accepted in 59 minutes at the earliest") == true, "\(ahead.next)")
    #expect(ahead.explanation.life?.summary.hasPrefix("It begins in 59 minutes.") == true)
    #expect(ahead.viewerSentence == Action.report.viewerSentence && ahead.meaning.contains("the clock here"))
    let soon = fixture.explain(try fixture.token(age: -70_000))
    #expect(soon.viewerSentence == Action.retry.viewerSentence)
  }

  /// A cure names rules and questions as its reader types them.
  @Test func curesAreInTheWordsOfTheirReader() throws {
    let policy = try Policy(maxTTLMilliseconds: 3_600_000, mvpds: MVPDList(allowing: nil, denying: ["Sample_MVPD"]))
    let path = try TokenPath(trustedKeys: fixture.verifier.trustedKeys, policy: policy, replayMemory: .none)
    func next(_ path: TokenPath?, _ token: [UInt8], _ wording: Wording) -> String {
      fixture.explain(token, by: path, in: wording).next.last ?? ""
    }
    let (denied, ahead) = (try fixture.token(), try fixture.token(age: -3_600_000))
    #expect(next(path, denied, .commandLine).contains("remove the provider from --deny-mvpd,"))
    #expect(next(path, denied, .service).contains("remove the provider from denyMVPDs,"))
    #expect(next(nil, ahead, .commandLine).contains("raise futureToleranceMilliseconds."))
    #expect(next(nil, ahead, .configuredCommand).contains("raise futureToleranceMilliseconds."))
    let document = try fixture.token(resource: "<rss version=\"2.0\"><channel><title>TNT</title></channel></rss>")
    #expect(next(nil, document, .configuredCommand).contains("--resource-channel"))
    #expect(next(nil, document, .service).contains("resourceChannel, or the whole document with resourceDocument."))
    for reason in Reason.allCases {
      #expect(!reason.cure.text(in: .service).contains("--"), "\(reason)")
      #expect(!reason.cure.text(in: .configuredCommand).contains("MVPDs") || reason.verdict == .mvpdNotAllowed)
    }
  }

  /// Of a token that ends inside its signature nothing was signed; what happened is plain nevertheless.
  @Test func aTokenThatEndsInsideItsSignatureWasCutOff() throws {
    let token = Array(try fixture.token().prefix(100))
    let notes = fixture.explain(token).explanation.failed?.notes.map(\.value) ?? []
    #expect(notes.contains("it was cut off after 100 bytes: it ends inside the signature"), "\(notes)")
    #expect(fixture.explain(token).next.last?.contains("has no room for the whole token") == true)
    // Its signature ends, and another tag follows.
    let other = Array("<signatureInfo>AAAA<x>".utf8)
    let found = fixture.explain(other).explanation.failed?.notes ?? []
    #expect(!found.contains { $0.value.contains("cut off after") })
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
