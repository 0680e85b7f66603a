import MediaToken
import MediaTokenSystem
import Testing

@testable import MediaTokenService

/// How a tag is made, and which ones are equal.
@Suite struct ViewerTagTests {
  /// Midnight in UTC, at which rotations of 1 and of 24 hours begin.
  private static let midnight: Int64 = 1_763_856_000_000
  static let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
  static let otherKey = String(repeating: "ff", count: 64)

  private let folder = TagFolder()

  private func tags(_ key: String = Self.key, hours: Int64 = 24) throws -> ViewerTags {
    try ViewerTags(ViewerTagSettings(key: folder.write(key), rotateHours: hours))
  }

  private func tag(
    _ tags: ViewerTags, _ guid: String = "feedface", _ requestor: ExactText = "REF30", at milliseconds: Int64
  ) -> String? {
    tags.tag(of: guid, for: requestor, at: Instant(millisecondsSinceEpoch: milliseconds))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// What Python's `hmac` makes of the same: `hmac.new(key, (ms // 3600000 // hours).to_bytes(8, "big") + requestor + b"\0" + guid,
  /// "sha256").hexdigest()[:16]`.
  @Test(
    arguments: [
      (key, 24, midnight - 1, "REF30", "feedface", "a73931f8684ce028"),
      (key, 24, midnight, "REF30", "feedface", "c26822c5f05bc070"),
      (key, 1, midnight + 3_599_999, "REF30", "feedface", "361db568af7c9a07"),
      (key, 1, midnight + 3_600_000, "REF30", "feedface", "fffcb78dff59042c"),
      (key, 744, midnight, "Zürich TV", "a b", "9c466bf14fab1213"),
      (otherKey, 24, midnight, "REF30", "feedface", "fa6a24c936e2376d"),
      (key, 24, 0, "REF30", "x", "e813023512a16e46"),
    ] as [(String, Int64, Int64, String, String, String)])
  func `a tag is what another HMAC makes of the same`(
    key: String, hours: Int64, milliseconds: Int64, requestor: String, guid: String, wanted: String
  ) throws {
    #expect(tag(try tags(key, hours: hours), guid, ExactText(requestor), at: milliseconds) == wanted)
  }

  @Test func `an account keeps its tag for a rotation and no longer`() throws {
    let tags = try tags(hours: 24)
    let day: Int64 = 86_400_000
    let found = [0, 1, day - 1].map { tag(tags, at: Self.midnight + $0) }
    #expect(Set(found).count == 1)
    #expect(Set([-1, 0, day, 2 * day].map { tag(tags, at: Self.midnight + $0) }).count == 4)
  }

  @Test func `hosts with one key agree, and no others`() throws {
    let one = try tags()
    #expect(tag(one, at: Self.midnight) == tag(try tags(Self.key.uppercased() + "\n"), at: Self.midnight))
    #expect(tag(one, at: Self.midnight) != tag(try tags(Self.otherKey), at: Self.midnight))
    #expect(tag(one, at: Self.midnight) != tag(try tags(hours: 23), at: Self.midnight))
  }

  @Test func `accounts and requestors are kept apart`() throws {
    let tags = try tags()
    let pairs: [(String, ExactText)] = [
      ("ab", "c"), ("b", "ca"), ("ab", "C"), ("Ab", "c"), ("é", "c"), ("e\u{301}", "c"),
    ]
    #expect(Set(pairs.map { tag(tags, $0.0, $0.1, at: Self.midnight) }).count == pairs.count)
  }

  @Test func `no account has no tag`() throws {
    #expect(tag(try tags(), "", at: Self.midnight) == nil)
  }

  @Test func `a tag is 16 lower-case hexadecimal digits`() throws {
    let tags = try tags()
    for guid in ["x", String(repeating: "long ", count: 1000)] {
      let found = try #require(tag(tags, guid, at: Self.midnight))
      #expect(found.utf8.count == 16 && found.allSatisfy { "0123456789abcdef".contains($0) })
    }
  }
}

/// What the daemon says about tags.
@Suite struct ViewerTagAnswerTests {
  private let folder = TagFolder()

  private func setting(hours: Int = 1) -> String {
    #""viewerTag": {"key": "\#(folder.write(ViewerTagTests.key))", "rotateHours": \#(hours)}"#
  }

  private static let everything = #""log": {"verdicts": "all", "linesPerSecond": 1000}"#

  /// The fixture's account at a token's issue, as it should be called.
  private func wanted(_ instant: Instant, _ guid: String = ServiceFixture.guid) throws -> String {
    let tags = try ViewerTags(ViewerTagSettings(key: folder.write(ViewerTagTests.key), rotateHours: 1))
    return String(decoding: try #require(tags.tag(of: guid, for: "REF30", at: instant)), as: UTF8.self)
  }

  @Test func `the answer and its log line have the tag of the signed account`() throws {
    // Of the rotation before this one, whatever the time is: the token's time decides, not ours.
    let issued = Instant(millisecondsSinceEpoch: Instant.now.millisecondsSinceEpoch - 3_600_000)
    let token = try ServiceFixture.token {
      $0.issueTime = issued
      $0.ttlMilliseconds = 3_700_000
    }
    let tenants = #"[{"requestor": "REF30", "maxTTLMilliseconds": 7200000}]"#
    let fixture = try ServiceFixture(ServiceFixture.json(tenants: tenants, setting() + ", " + Self.everything))
    let answer = fixture.verify(token)
    let wanted = try wanted(issued)
    #expect(answer.status == 200 && answer.has("viewerTag", wanted))
    #expect(answer.body.contains(#""retry":false,"viewerTag":""#))
    let logged = fixture.logged()
    #expect(logged.contains(#""use":"first","viewerTag":"\#(wanted)""#))
    #expect(!logged.contains(ServiceFixture.guid))
    let other = fixture.verify(try ServiceFixture.token { $0.sessionGUID = "another" })
    let usual = try self.wanted(.now)
    #expect(other.body.contains("viewerTag") && !other.has("viewerTag", usual))
  }

  @Test func `the token of a decision has the tag of its account`() throws {
    let fixture = try ServiceFixture(ServiceFixture.json(setting()))
    let issued = Instant.now
    let token = String(decoding: try ServiceFixture.token(form: .base64) { $0.issueTime = issued }, as: UTF8.self)
    let decision = #"{"decisions":[{"resource":"TNT","authorized":true,"token":{"serializedToken":"\#(token)"}}]}"#
    let body = #"{"requestor":"REF30","resource":"TNT","decision":\#(decision)}"#
    let answer = fixture.ask("POST", "/v1/verify", [("Content-Type", "application/json")], Array(body.utf8))
    let wanted = try wanted(issued)
    #expect(answer.status == 200 && answer.has("viewerTag", wanted), "\(answer.body)")
  }

  @Test func `a refused token has no tag`() throws {
    let fixture = try ServiceFixture(ServiceFixture.json(setting() + ", " + Self.everything))
    let token = try ServiceFixture.token()
    _ = fixture.verify(token)
    _ = fixture.logged()
    for (refused, query) in [
      (token, "requestor=REF30&resource=TNT"), (try ServiceFixture.token(), "requestor=REF30&resource=TBS"),
      (try ServiceFixture.token(), "requestor=OTHER&resource=TNT"),
      (try ServiceFixture.token(age: 86_400_000), "requestor=REF30&resource=TNT"),
      (Array("nonsense".utf8), "requestor=REF30&resource=TNT"),
    ] {
      let answer = fixture.verify(refused, query)
      #expect(answer.status == 403 && !answer.body.contains("viewerTag"))
    }
    let logged = fixture.logged()
    #expect(logged.split(separator: "\n").count == 5 && !logged.contains("viewerTag"))
  }

  @Test func `a token without an account has no tag, and is valid`() throws {
    let fixture = try ServiceFixture(ServiceFixture.json(setting() + ", " + Self.everything))
    let answer = fixture.verify(try ServiceFixture.token { $0.sessionGUID = "" })
    #expect(answer.status == 200 && answer.has("verdict", "VALID_TOKEN") && answer.has("sessionGUID", ""))
    #expect(!answer.body.contains("viewerTag"))
    let logged = fixture.logged()
    #expect(logged.contains("VALID_TOKEN") && !logged.contains("viewerTag"))
  }

  @Test func `without the setting there is no tag`() throws {
    let fixture = try ServiceFixture(ServiceFixture.json(Self.everything))
    #expect(fixture.verify(try ServiceFixture.token()).status == 200)
    #expect(!fixture.verify(try ServiceFixture.token()).body.contains("viewerTag"))
    #expect(!fixture.logged().contains("viewerTag"))
  }

  @Test func `a proxy's headers have no tag, its log line has`() throws {
    let auth = #""auth": {"tokenHeader": "X-Token", "routes": [{"prefix": "/a", "resource": "TNT"}]}"#
    let fixture = try ServiceFixture(
      ServiceFixture.json([setting(), auth, Self.everything].joined(separator: ", ")))
    let issued = Instant.now
    let token = String(decoding: try ServiceFixture.token(form: .percent) { $0.issueTime = issued }, as: UTF8.self)
    let tag = try wanted(issued)
    let looked = fixture.ask("HEAD", "/v1/auth/a", [("x-token", token)])
    #expect(looked.status == 204)
    #expect(!fixture.logged().contains("viewerTag"))
    let answer = fixture.ask("GET", "/v1/auth/a", [("x-token", token)])
    #expect(answer.status == 200)
    for (name, value) in answer.headers { #expect(!name.lowercased().contains("tag") && !value.contains(tag)) }
    #expect(!answer.body.contains(tag))
    #expect(fixture.logged().contains(#""viewerTag":"\#(tag)""#))
  }

  @Test func `a repeated request has the tag of its first answer`() throws {
    let more = [
      setting(), Self.everything, #""requestIDHeader": "X-ID""#,
    ].joined(separator: ", ")
    let json = ServiceFixture.json(more)
      .replacing(#""shared:/test""#, with: #""shared:/test", "retryWindowMilliseconds": 60000"#)
    let fixture = try ServiceFixture(json)
    let issued = Instant.now
    let token = try ServiceFixture.token { $0.issueTime = issued }
    let wanted = try wanted(issued)
    for use in ["first", "retry"] {
      let answer = fixture.verify(token, "requestor=REF30&resource=TNT", [("x-id", "1")])
      #expect(answer.has("use", use) && answer.has("viewerTag", wanted), "\(answer.body)")
    }
  }

  @Test func `an answer that comes later has a tag`() throws {
    let fixture = try LaterFixture(ServiceFixture.json(setting()))
    let client = try fixture.connect()
    let issued = Instant.now
    client.verify(try ServiceFixture.token { $0.issueTime = issued })
    fixture.memory.answer(0, .success(.firstUse))
    let answer = try #require(client.answer())
    let wanted = try wanted(issued)
    #expect(answer.status == 200 && answer.body.contains(#""viewerTag":"\#(wanted)""#))
  }
}
