import MediaTokenFormats
import MediaTokenIssuer
import MediaTokenSystem
import Testing

@testable import MediaToken
@testable import MediaTokenHTTP
@testable import MediaTokenService

/// What is printed, in every way that Swift has, of values that hold secrets.
@Suite struct RedactionTests {
  private let secret = ServiceFixture.guid

  /// All texts of a value, and of one that it is inside.
  private func texts(_ value: Any) -> String {
    let holders: [Any] = [value, [value], ["name": value], Optional(value) as Any, (value, 1)]
    var texts = ""
    for one in holders {
      texts += "\(one) \(String(describing: one)) \(String(reflecting: one)) "
      print(one, to: &texts)
      debugPrint(one, to: &texts)
      dump(one, to: &texts)
    }
    return texts
  }

  private func hides(_ value: Any, _ secret: String = ServiceFixture.guid) -> Bool {
    let bytes = secret.utf8.map { "\($0)" }.joined(separator: ", ")
    let texts = texts(value)
    return !texts.contains(secret) && !texts.contains(bytes)
  }

  private func verified() throws -> VerifiedToken {
    let verifier = try TokenPath(trustedKeys: ServiceFixture.keys(), policy: .standard, replayMemory: .none)
    let token = try ServiceFixture.token(resource: "a\nb")
    return try verifier.verify(token.span, requestor: .exactly("REF30"), resource: .exactly("a\nb"), at: .now)
  }

  @Test func `the way to look finds what is not hidden`() {
    struct Open { let guid: String }
    #expect(!hides(Open(guid: secret)) && !hides(Array(secret.utf8)))
  }

  @Test func `a verified token shows for whom it was issued, and not the viewer`() throws {
    let token = try verified()
    let result = Result<VerifiedToken, Refusal>.success(token)
    #expect(token.sessionGUID == secret && hides(token) && hides(result))
    let name = token.identity.logName
    #expect("\(token)" == "token \(name): requestor \"REF30\", resource \"a\\u{a}b\", mvpd \"\(token.mvpdID)\"")
  }

  @Test func `a refusal shows verdict, reason and sentence`() throws {
    let verifier = try TokenPath(trustedKeys: ServiceFixture.keys(), policy: .standard, replayMemory: .none)
    let token = try ServiceFixture.token()
    let refusal = try #require(throws: Refusal.self) {
      try verifier.verify(token.span, requestor: .exactly("other"), resource: .exactly("TNT"), at: .now)
    }
    #expect(
      "\(refusal)".hasPrefix("INVALID_REQUESTOR_ID (other-requestor): the token was issued for another requestor"))
    #expect("\(Refusal.undecided(.replayMemoryFull))" == "REPLAY_MEMORY_FULL: no verdict")
    #expect(hides(refusal))
  }

  @Test func `tokens, GUIDs and passwords are not shown`() throws {
    let secret = secret
    let bytes = Array(secret.utf8)
    var development = DevelopmentToken(
      requestorID: "REF30", resourceID: "TNT", issueTime: .now, sessionGUID: secret)
    development.mvpdID = "MVPD"
    #expect(hides(development))
    #expect(
      hides(UseRequest(id: secret, callerUID: 7)) && texts(UseRequest(id: secret, callerUID: 7)).contains("user 7"))
    #expect(
      hides(KeyFile(name: "a.pem", bytes: bytes)) && texts(KeyFile(name: "a.pem", bytes: bytes)).contains("a.pem"))
    #expect(hides(KeyCollection(keystorePassword: secret)))
    var question = Question()
    #expect(question.set(.token, bytes.span) && hides(question))
    var response = Response()
    response.body = bytes
    response.addField("Set-Cookie", secret)
    #expect(hides(response))
    #expect(
      hides(
        WrittenDecision(resource: "x", serviceProvider: "x", mvpd: "x", token: bytes, notBefore: 0, notAfter: 0)))
    let json = try JSONTree(
      parsing: Array(
        #"{"decisions": [{"authorized": true, "resource": "TNT", "token": {"serializedToken": "\#(secret)"}}]}"#
          .utf8
      ).span,
      levels: 8)
    let document = try DecisionDocument(json)
    let answer = try document.answer(for: .exactly("TNT"))
    #expect(hides(json) && hides(document) && hides(answer))
  }

  @Test func `what makes a request the same again is not shown`() throws {
    let identity = try verified().identity
    var hasher = try SHA256Hasher()
    let id = try Ballot.ID.of(UseRequest(id: "request"), for: identity, &hasher)
    #expect(hides(Ballot(id, second: 9), "\(id.first)") && hides(id, "\(id.first)") && hides(id, "\(id.last)"))
    let word = try #require(RetryWord(UseRequest(id: "request"), for: identity, seed: (1, 2), window: 60))
    #expect(hides(word, "\(word.word(until: 0, firstUse: 0))"))
  }
}
