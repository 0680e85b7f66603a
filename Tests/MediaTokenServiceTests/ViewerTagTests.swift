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

/// What the daemon says about tags; where the replay memory answers at once, Tests/Cases/endpoints/tags.txt has it.
@Suite struct ViewerTagAnswerTests {
  @Test func `an answer that comes later has a tag`() throws {
    let folder = TagFolder()
    let settings = ViewerTagSettings(key: folder.write(ViewerTagTests.key), rotateHours: 1)
    let fixture = try LaterFixture(
      ServiceFixture.json(#""viewerTag": {"key": "\#(settings.key)", "rotateHours": 1}"#))
    let client = try fixture.connect()
    let issued = Instant.now
    client.verify(try ServiceFixture.token { $0.issueTime = issued })
    fixture.memory.answer(0, .success(.firstUse))
    let answer = try #require(client.answer())
    let tag = try #require(ViewerTags(settings).tag(of: ServiceFixture.guid, for: "REF30", at: issued))
    #expect(answer.status == 200)
    #expect(answer.body.contains("\"viewerTag\":\"\(String(decoding: tag, as: UTF8.self))\""))
  }
}
