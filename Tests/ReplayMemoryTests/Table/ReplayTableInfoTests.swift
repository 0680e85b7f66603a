import Foundation
import Testing

@testable import MediaToken

@Suite("ReplayTableInfo")
struct ReplayTableInfoTests {
  /// A folder of its own: in one that others change a clock seems to be behind.
  private let fixture: TableFixture
  private var path: String { fixture.path }

  init() throws { fixture = try TableFixture() }

  @Test func aRetiredTableStaysRetired() throws {
    let table = try open(capacity: 10)
    let now = wallClock()
    #expect(try table.spend(claim(1, issued: now, now: now)) == .firstUse)
    table.retire()
    // The highest clock of a retired table is the greatest number there is: no later clock may lower it.
    for later in now..<now + 3 {
      #expect(throws: Fault.replayMemoryUnavailable) { try table.spend(claim(2, issued: later, now: later)) }
    }
    let info = try ReplayTableInfo(reading: path)
    #expect(info.isRetired && info.liveEntries == 0 && info.clockLeadSeconds == nil)
    #expect(throws: Problem.self) { try SharedReplayTable(opening: path, policy: .standard) }
  }

  @Test func aNewTableHasALeaseAboveItsClock() throws {
    _ = try SharedReplayTable.create(at: path, capacity: 10, policy: .standard, mode: 0o600, vouchesFor: .allTokens)
    let info = try ReplayTableInfo(reading: path)
    let highest = try #require(info.highestClock)
    #expect(info.lease > highest)
    #expect(info.vouchesFrom == Instant(millisecondsSinceEpoch: 0))
  }

  @Test func infoCountsWhatLivesAndChangesNothing() throws {
    let table = try open(capacity: 200_000)
    // All at one moment: on a busy machine the first might end before the last is used.
    let now = wallClock()
    for number in 0..<150_000 {
      #expect(try table.spend(claim(UInt64(number), issued: now, life: 300, now: now)) == .firstUse)
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let info = try ReplayTableInfo(reading: path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(info.liveEntries == 150_000 && info.percentFull == 75 && info.capacity == 200_000)
    #expect(info.bytes == before.count && info.buckets == 50_000)
    #expect(!info.isClean && info.isOfThisBoot && info.lastCleanClose == nil)
    #expect(info.tolerances.maxTTLMilliseconds == Policy.standard.maxTTLMilliseconds)
    withExtendedLifetime(table) {}
  }

  @Test func whatIsNoTableIsAnError() throws {
    #expect(throws: Problem.self) { try ReplayTableInfo(reading: path) }
    #expect(throws: Problem.self) { try ReplayTableInfo(reading: "/tmp") }
    try Data(count: 10_000).write(to: URL(fileURLWithPath: path))
    #expect(throws: Problem.self) { try ReplayTableInfo(reading: path) }
  }

  private func open(capacity: Int) throws -> SharedReplayTable {
    _ = try SharedReplayTable.create(
      at: path, capacity: capacity, policy: .standard, mode: 0o600, vouchesFor: .allTokens)
    return try SharedReplayTable(opening: path, policy: .standard)
  }
}
