import Foundation
import Testing

@testable import MediaToken

/// What a memory says about the next claim, compared with what the next claim comes to.
@Suite("ReplayMemoryCondition")
final class ReplayMemoryConditionTests {
  private let folder: TestFolder
  private var path: String { folder.path("replay.table") }
  /// When the memory of a test was made, by its own clock: a busy machine may need long from the beginning of the test to there.
  private var start = Instant.now
  private var claims: UInt64 = 0

  init() throws { folder = try TestFolder() }

  private func after(_ seconds: Int64) -> Instant {
    Instant(millisecondsSinceEpoch: start.millisecondsSinceEpoch + seconds * 1000)
  }

  private func memory(_ address: String) throws -> any Store {
    try ReplayAddress(address).open(policy: .standard)
  }

  private func anonymous(capacity: Int) throws -> any Store {
    started(try SharedReplayTable(anonymousWithCapacity: capacity, policy: .standard))
  }

  private func started(_ memory: any Store) -> any Store {
    // Its clock, seen from 1970.
    for case .clockLeadSeconds(let second?) in memory.readings(at: Instant(millisecondsSinceEpoch: 0)) {
      start = Instant(millisecondsSinceEpoch: second * 1000)
    }
    return memory
  }

  /// Claims an unused token, issued and presented at this moment, which lives for a minute.
  private func claim(at now: Instant, in memory: any Store) -> Result<UseOutcome, Fault> {
    claims += 1
    let identity = TokenIdentity(digest: SHA256Digest(words: claims, claims &* 0x9E37_79B9_7F4A_7C15, 2, 3))
    let claim = UseClaim(identity: identity, issueTime: now, ttlMilliseconds: 60_000, now: now, request: nil)
    return Result { () throws(Fault) in try memory.spend(claim) }
  }

  /// A table that vouches from 6 s after it was made, as no token may be dated ahead.
  private func strict() throws -> any Store {
    let policy = try Policy(futureToleranceMilliseconds: 0)
    return started(try ReplayAddress("shared:\(path)?capacity=1000").open(policy: policy))
  }

  /// What `replay info` says without opening the table.
  @Test func fileTellsWhatTheMemorySays() throws {
    let memory = try strict()
    for second in [0, 5, 7, 3600, -1, -2, -3, -59, -61, -3600, -86_400] as [Int64] {
      let now = after(second)
      #expect(try ReplayTableInfo(reading: path).condition(at: now) == memory.condition(at: now), "\(second)")
    }
    (memory as? SharedReplayTable)?.retire()
    #expect(try ReplayTableInfo(reading: path).condition(at: start) == .retired)
  }

  @Test(arguments: [
    (
      ReplayMemoryCondition.warming(until: Instant(millisecondsSinceEpoch: 0)),
      " (before 1970-01-01T00:00:00.000Z)"
    ),
    (.clockBehind(seconds: 3598), " (by 3598 s)"), (.nodesMissing(usable: 1, needed: 2), " (1 of 2)"),
    (.nodesNameless(usable: 0, needed: 3), " (0 of 3)"), (.full, ""), (.unavailable, ""), (.retired, ""),
  ])
  func everyConditionHasItsWordsAndNumbers(_ condition: ReplayMemoryCondition, _ measure: String) throws {
    let words = try #require(condition.words(at: .now))
    #expect(condition.cause == words.detail + measure)
    for text in [words.detail, words.cure] { #expect(!text.isEmpty && !text.hasSuffix(".")) }
    #expect(ReplayMemoryCondition.usable.words(at: .now) == nil && ReplayMemoryCondition.usable.cause == nil)
  }

  /// In real time: a clock that ran faster would be taken for one that was set forward.
  @Test func newTableIsWarmingUntilItVouchesForATokenOfThatSecond() throws {
    let memory = try strict()
    guard case .warming(let until) = memory.condition(at: start) else {
      Issue.record("expected a warming table, found \(memory.condition(at: start))")
      return
    }
    #expect(claim(at: start, in: memory) == .success(.predatesMemory))
    #expect((6_000...).contains(until.millisecondsSinceEpoch - start.millisecondsSinceEpoch))
    let before = Instant(millisecondsSinceEpoch: until.millisecondsSinceEpoch - 1)
    #expect(memory.condition(at: before) == .warming(until: until))
    let whole = Instant(millisecondsSinceEpoch: (until.millisecondsSinceEpoch + 999) / 1000 * 1000)
    while Instant.now < whole { usleep(50_000) }
    #expect(memory.condition(at: whole) == .usable)
    #expect(claim(at: whole, in: memory) == .success(.firstUse))
  }

  @Test func warmingTableIsNewAgainWhenTheClockIsSetForward() throws {
    let memory = try strict()
    // Ready, and the claim that comes with it sees that the clock has jumped.
    #expect(memory.condition(at: after(1000)) == .usable)
    #expect(claim(at: after(1000), in: memory) == .success(.predatesMemory))
    guard case .warming(let until) = memory.condition(at: after(1000)) else {
      Issue.record("expected a warming table, found \(memory.condition(at: after(1000)))")
      return
    }
    #expect((after(1006)...).contains(until))
  }

  @Test func clockIsBehindFromTheThirdSecondOn() throws {
    let memory = try anonymous(capacity: 1000)
    #expect(claim(at: after(10), in: memory) == .success(.firstUse))
    for lead: Int64 in 0...2 {
      #expect(memory.condition(at: after(10 - lead)) == .usable)
      #expect(claim(at: after(10 - lead), in: memory) == .success(.firstUse))
    }
    #expect(memory.condition(at: after(7)) == .clockBehind(seconds: 3))
    #expect(claim(at: after(7), in: memory) == .failure(.replayMemoryUnavailable))
  }

  /// With two buckets each token looks at every entry, so it is known whether the next one finds room.
  @Test func fullIsWhatTheNextClaimFinds() throws {
    let memory = try anonymous(capacity: 1)
    var isFull = false
    for _ in 0..<20 {
      let condition = memory.condition(at: start)
      let outcome = claim(at: start, in: memory)
      #expect(condition == (outcome == .success(.firstUse) ? .usable : .full))
      isFull = outcome == .failure(.replayMemoryFull)
    }
    #expect(isFull)
    #expect(memory.readings(at: start).contains(.entries(16)))
  }

  /// Readiness that needs a claim to come back would never come back: no claims are sent to a daemon that is not ready.
  @Test func fullTableHasRoomWhenItsTokensHaveEndedWithoutAClaim() throws {
    let memory = try anonymous(capacity: 1)
    while claim(at: start, in: memory) == .success(.firstUse) {}
    #expect(memory.condition(at: after(59)) == .full)
    #expect(memory.condition(at: after(61)) == .usable)
    #expect(memory.readings(at: after(61)).contains(.entries(0)))
    #expect(claim(at: after(61), in: memory) == .success(.firstUse))
  }

  /// At its rated load a table has room for all but one in a million, although some buckets are full; not at 1.8 times that.
  @Test func tableAtItsRatedLoadIsUsableAndAnOverloadedOneIsFull() throws {
    let capacity = 20_000
    let memory = try anonymous(capacity: capacity)
    func fill(to live: Int) {
      while claims < live { _ = claim(at: start, in: memory) }
    }
    fill(to: capacity)
    #expect(memory.condition(at: start) == .usable)
    fill(to: capacity * 13 / 10)
    #expect(memory.condition(at: start) == .usable)
    fill(to: capacity * 18 / 10)
    #expect(memory.condition(at: start) == .full)
    let refused = (0..<1000).count { _ in claim(at: start, in: memory) == .failure(.replayMemoryFull) }
    #expect(refused > 10)
  }

  @Test func tableThatHasNoRoomForTheEndOfATokenIsUnavailable() throws {
    let memory = try anonymous(capacity: 1000)
    // 2²⁸ seconds less the longest life.
    #expect(memory.condition(at: after((1 << 28) - 7200)) == .usable)
    let later = after((1 << 28) + 10)
    #expect(memory.condition(at: later) == .unavailable)
    #expect(claim(at: later, in: memory) == .failure(.replayMemoryUnavailable))
  }
}
