import MediaToken
import MediaTokenIssuer
import Testing

@Suite("Issuer")
struct IssuerTests {
  @Test func signedBytesAreProductionsToTheByte() throws {
    #expect(
      try IssuerFixture.signedText(of: IssuerFixture.token())
        == "<authToken><sessionGUID>00112233445566778899aabbccddeeff</sessionGUID><requestorID>REF30</requestorID>"
        + "<resourceID>TNT</resourceID><ttl>300000</ttl><issueTime>2026-11-20 04:00:00 -0800</issueTime>"
        + "<mvpdId>Cablevision</mvpdId></authToken>")
  }

  @Test func everyFormIsValid() throws {
    for form in DevelopmentTokenIssuer.Form.allCases {
      let text = try IssuerFixture.text(of: IssuerFixture.token(), as: form)
      let valid = try IssuerFixture.verify(text)
      #expect(valid.resourceID == "TNT")
      #expect(valid.keyFingerprint == (try IssuerFixture.keyPair.get().fingerprint))
      #expect(valid.issueTime == IssuerFixture.noon)
    }
  }

  @Test func everyFieldArrivesAsItWasGiven() throws {
    var token = IssuerFixture.token(resource: "<a>&\"'é\u{1F600}\t\n]]>")
    token.root = "shortAuthorizationToken"
    token.ttlMilliseconds = 420_000
    token.mvpdID = "A & B"
    token.proxyMVPDID = "proxy <1>"
    let valid = try IssuerFixture.verify(IssuerFixture.text(of: token))
    #expect(valid.resourceID == ExactText(token.resourceID))
    #expect(valid.mvpdID == ExactText(token.mvpdID))
    #expect(valid.proxyMVPDID == token.proxyMVPDID.map { ExactText($0) })
    #expect(valid.ttlMilliseconds == 420_000)
    #expect(valid.sessionGUID == token.sessionGUID)
  }

  @Test func carriageReturnSurvivesAsText() throws {
    let valid = try IssuerFixture.verify(IssuerFixture.text(of: IssuerFixture.token(resource: "a\rb")))
    #expect(Array(valid.resourceID.text.utf8) == Array("a\rb".utf8))
  }

  /// Production closes the section after `]]`, writes a raw `>`, and opens a section.
  @Test func innerSectionEndIsSplitAsProductionDoes() throws {
    var token = IssuerFixture.token(resource: "<t><![CDATA[A & B]]></t>")
    token.resourceForm = .cdata
    #expect(
      try IssuerFixture.signedText(of: token)
        .contains("<resourceID><![CDATA[<t><![CDATA[A & B]]]]>><![CDATA[</t>]]></resourceID>"))
  }

  @Test(arguments: ["]]>", "]]]>", "]]]]>>", "a]]>b]]>c", "]", "]]", ">", "]>", "<![CDATA[", "]]>]]>", "] ]>"])
  func anyTextSurvivesCDATA(_ resource: String) throws {
    var token = IssuerFixture.token(resource: resource)
    token.resourceForm = .cdata
    #expect(try IssuerFixture.verify(IssuerFixture.text(of: token)).resourceID == ExactText(resource))
  }

  @Test(arguments: [
    (0, "2026-11-20 12:00:00 +0000"), (330, "2026-11-20 17:30:00 +0530"), (-840, "2026-11-19 22:00:00 -1400"),
  ])
  func offsetIsWrittenAndMeansTheSameInstant(_ minutes: Int, _ written: String) throws {
    var token = IssuerFixture.token()
    token.utcOffsetMinutes = minutes
    #expect(try IssuerFixture.signedText(of: token).contains("<issueTime>\(written)</issueTime>"))
    #expect(try IssuerFixture.verify(IssuerFixture.text(of: token)).issueTime == IssuerFixture.noon)
  }

  @Test func signedBytesCanBeAnything() throws {
    var issuer = try DevelopmentTokenIssuer(IssuerFixture.keyPair.get())
    var output: [UInt8] = []
    let bytes = Array("<simpleAuthenticationToken></simpleAuthenticationToken>".utf8)
    try issuer.issue(exactly: bytes.span, into: &output)
    #expect(throws: Refusal.self) { try IssuerFixture.verify(String(decoding: output, as: UTF8.self)) }
    do {
      _ = try IssuerFixture.verify(String(decoding: output, as: UTF8.self))
    } catch Refusal.rejected(let rejection) {
      #expect(rejection.reason == .unknownRoot)
    }
  }

  @Test func tokensAreAppendedAndDistinctOnlyByWhatTheySay() throws {
    var issuer = try DevelopmentTokenIssuer(IssuerFixture.keyPair.get())
    var output: [UInt8] = []
    for _ in 0..<2 {
      try issuer.issue(IssuerFixture.token(), into: &output)
      output.append(UInt8(ascii: "\n"))
    }
    let lines = output.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 2)
    #expect(lines[0] == lines[1])
    #expect(DevelopmentToken.randomSessionGUID() != DevelopmentToken.randomSessionGUID())
    #expect(DevelopmentToken.randomSessionGUID().utf8.count == 32)
  }

  @Test func whatXMLCannotCarryIsRefusedByField() throws {
    for bad in ["\u{0}", "\u{1}", "\u{B}", "\u{FFFE}", "\u{FFFF}"] {
      let problem = #expect(throws: Problem.self) {
        try IssuerFixture.text(of: IssuerFixture.token(resource: "a" + bad))
      }
      #expect(problem?.fact.hasPrefix("resourceID holds a character that XML can't carry") == true)
    }
    var token = IssuerFixture.token(resource: "a\rb")
    token.resourceForm = .cdata
    let problem = #expect(throws: Problem.self) { try IssuerFixture.text(of: token) }
    #expect(problem?.fact.hasPrefix("resourceID holds a character that XML can't carry") == true)
  }

  @Test func impossibleTokensAreRefused() throws {
    func refusal(_ change: (inout DevelopmentToken) -> Void) -> String? {
      var token = IssuerFixture.token()
      change(&token)
      do {
        _ = try IssuerFixture.text(of: token)
        return nil
      } catch {
        return (error as? Problem)?.description
      }
    }
    let root = "the root name is not ASCII letters, digits, _ . and -, beginning with a letter or _"
    let years = "the issue time is not in the years 1970 to 9999"
    #expect(refusal { $0.root = "" } == root)
    #expect(refusal { $0.root = "a b" } == root)
    #expect(refusal { $0.root = "1a" } == root)
    #expect(refusal { $0.ttlMilliseconds = -1 } == "expected a life of 0 milliseconds or more, found -1")
    #expect(
      refusal { $0.utcOffsetMinutes = 841 } == "expected an offset of at most 14 hours from UTC, found 841 minutes")
    #expect(refusal { $0.issueTime = Instant(millisecondsSinceEpoch: 0) } == years)
    #expect(refusal { $0.issueTime = Instant(millisecondsSinceEpoch: .max) } == years)
    #expect(refusal { $0.issueTime = Instant(millisecondsSinceEpoch: 253_402_329_600_000) } == years)
    #expect(refusal { $0.ttlMilliseconds = 0 } == nil)
  }
}
