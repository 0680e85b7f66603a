import Testing

@testable import MediaToken

@Suite("Where an entry may be")
struct EntryPlaceTests {
  static let extremes: [UInt64] = [
    0, 1, .max, .max - 1, .max << 28, .max >> 36, 1 << 63, 0xFFFF_FFFF, 0xFFFF_FFFF << 32,
  ]

  @Test(arguments: extremes, [2, 3, 1000, 1 << 30, (1 << 32) - 1] as [UInt64])
  func tagIsNeitherEmptyNorRetired(_ word: UInt64, _ buckets: UInt64) {
    for other in Self.extremes {
      let place = EntryPlace(hash: (word, other), buckets: buckets)
      #expect(place.tag != 0 && place.tag < TableFormat.tagMask)
      for end in [0, 1, TableFormat.endMask] {
        let entry = place.word(end: end)
        #expect(entry != 0 && entry != .max)
        #expect(place.isOurs(entry))
      }
    }
  }

  @Test(arguments: extremes, [2, 3, 1000, 1 << 30, (1 << 32) - 1] as [UInt64])
  func bucketsDifferAndAreInTheTable(_ word: UInt64, _ buckets: UInt64) {
    for other in Self.extremes {
      let place = EntryPlace(hash: (other, word), buckets: buckets)
      #expect(place.first != place.second)
      for bucket in [place.first, place.second] {
        #expect(bucket % TableFormat.entriesPerBucket == 0)
        #expect((0..<Int(buckets) * TableFormat.entriesPerBucket).contains(bucket))
      }
    }
  }

  @Test func likeIdentitiesSpreadEvenly() {
    let buckets = 100
    var load = [Int](repeating: 0, count: buckets)
    for number in 0..<50_000 {
      let place = EntryPlace(of: token(UInt64(number)), seed: (1, 2), buckets: UInt64(buckets))
      load[place.first / TableFormat.entriesPerBucket] += 1
      load[place.second / TableFormat.entriesPerBucket] += 1
    }
    // 1000 each; ten standard deviations.
    #expect(load.allSatisfy { (685...1315).contains($0) })
  }

  @Test func anotherSeedIsAnotherPlace() {
    let places = Set((0..<100).map { EntryPlace(of: token(1), seed: ($0, 0), buckets: 1 << 30) })
    #expect(places.count == 100)
  }

  @Test func entryIsDeadFromItsEndOn() {
    let word = EntryPlace(of: token(1), seed: (1, 2), buckets: 2).word(end: 10)
    #expect(!EntryPlace.isDead(word, after: EntryPlace.elapsed(at: 1009, since: 1000)))
    #expect(EntryPlace.isDead(word, after: EntryPlace.elapsed(at: 1010, since: 1000)))
    #expect(EntryPlace.isDead(word, after: EntryPlace.elapsed(at: 1011, since: 1000)))
    #expect(EntryPlace.isDead(0, after: EntryPlace.elapsed(at: 0, since: 1000)))
  }
}

@Suite("When an entry ends")
struct UntilTests {
  static let now: Int64 = 1_800_000_000

  /// When a token was issued, its life and the expiry tolerance in milliseconds; when its entry ends, in seconds after now.
  @Test(
    arguments: [
      // Rounded up, no longer than the table's longest life, and with the table's tolerance.
      (now * 1000, 999, 0, 1), (now * 1000, 1000, 0, 1), (now * 1000, 1001, 0, 2), (now * 1000, 3_599_000, 0, 3599),
      (now * 1000, 3_600_000, 0, 3600), (now * 1000, 3_601_000, 0, 3600), (now * 1000, .max, 0, 3600),
      (now * 1000, 1000, 5000, 6),
      // What overflows is no end.
      (.max, 3_600_000, 0, nil), (.max - 3_600_000, 3_600_000, 0, nil),
    ] as [(Int64, Int64, Int64, Int64?)])
  func endIsThatOfTheToken(_ issued: Int64, _ ttl: Int64, _ tolerance: Int64, _ seconds: Int64?) throws {
    let header = try Self.header(tolerance)
    #expect(header.until(Self.claim(issued, ttl)) == seconds.map { UInt64(Self.now + $0) })
  }

  private static func header(_ tolerance: Int64 = 0) throws -> TableHeader {
    try TableHeader(
      capacity: 1, policy: Policy(expiryToleranceMilliseconds: tolerance), now: now * 1000, path: "")
  }

  private static func claim(_ issued: Int64, _ ttl: Int64) -> UseClaim {
    UseClaim(
      identity: token(1), issueTime: Instant(millisecondsSinceEpoch: issued), ttlMilliseconds: ttl,
      now: Instant(millisecondsSinceEpoch: now * 1000), request: nil)
  }

  /// 28 bits of seconds: what does not fit is a fault and never wraps. What ended before the table is past.
  @Test(arguments: [-1, 0, 1] as [Int64])
  func endHasTwentyEightBits(_ beyond: Int64) throws {
    let header = try Self.header()
    let last = Int64(header.epoch) + Int64(TableFormat.endMask)
    let until = header.until(Self.claim((last + beyond - 1) * 1000, 1000))
    #expect(until == (beyond > 0 ? nil : UInt64(last + beyond)))
    for issued in [.min, -1, 0, 1] as [Int64] { #expect(header.until(Self.claim(issued, 1)) == header.epoch) }
  }

  @Test func endThatDoesNotFitIsAFault() throws {
    let table = try SharedReplayTable(anonymousWithCapacity: 10, policy: .standard)
    #expect(throws: Fault.replayMemoryUnavailable) {
      try table.spend(ReplayMemoryTests.claim(1, issued: wallClock() + 1 << 28, now: wallClock()))
    }
  }
}

@Suite("Retry words")
struct RetryWordTests {
  static let request = UseRequest(id: "a request of 21 bytes", callerUID: 7)

  static func word(_ request: UseRequest = request, _ number: UInt64 = 1, window: UInt64 = 10) -> RetryWord? {
    RetryWord(request, for: token(number), seed: (1, 2), window: window)
  }

  @Test func closedWindowHasNone() { #expect(Self.word(window: 0) == nil) }

  @Test(arguments: [(99, true), (100, true), (109, true), (110, false), (111, false)] as [(UInt64, Bool)])
  func requestIsRepeatedInsideItsWindow(_ now: UInt64, _ isRepeated: Bool) throws {
    let word = try #require(Self.word())
    #expect(word.isRepeated(in: word.word(until: 160, firstUse: 100), until: 160, now: now) == isRepeated)
  }

  @Test func anotherRequestCallerOrTokenIsNotRepeated() throws {
    let stored = try #require(Self.word()).word(until: 160, firstUse: 100)
    let others = [
      Self.word(UseRequest(id: "a request of 21 byteS", callerUID: 7)), Self.word(UseRequest(id: "", callerUID: 7)),
      Self.word(UseRequest(id: "a request of 21 bytes\0", callerUID: 7)),
      Self.word(UseRequest(id: Self.request.id.text, callerUID: 8)), Self.word(Self.request, 2),
    ]
    for other in others { #expect(try !#require(other).isRepeated(in: stored, until: 160, now: 100)) }
  }

  @Test func nothingStoredIsNotRepeated() throws {
    #expect(try !#require(Self.word()).isRepeated(in: 0, until: 160, now: 100))
  }

  @Test(arguments: [0xFFFE, 0xFFFF, 0x1_0000] as [UInt64]) func lifeHasSixteenBits(_ left: UInt64) throws {
    let word = try #require(Self.word())
    let stored = word.word(until: 1_000_000, firstUse: 1_000_000 - left)
    #expect((stored == 0) == (left > 0xFFFF))
    #expect(word.isRepeated(in: stored, until: 1_000_000, now: 1_000_000 - left) == (left <= 0xFFFF))
  }
}
