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
    #expect(try table.spend(claim(1)) == .firstUse)
    table.retire()
    // The highest clock of a retired table is the greatest number there is: no later clock may lower it.
    for seconds in 0..<3 {
      #expect(throws: Fault.replayMemoryUnavailable) { try table.spend(claim(2, after: Int64(seconds))) }
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
    let now = Self.now
    for number in 0..<150_000 { #expect(try table.spend(claim(UInt64(number), at: now)) == .firstUse) }
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

  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  private func claim(_ number: UInt64, after seconds: Int64 = 0, at now: Int64 = now) throws -> UseClaim {
    let digits = String(number, radix: 16)
    let digest = try #require(
      SHA256Digest(hexadecimal: String(repeating: "0", count: 64 - digits.utf8.count) + digits))
    let now = now + seconds * 1000
    return UseClaim(
      identity: TokenIdentity(digest: digest), issueTime: Instant(millisecondsSinceEpoch: now),
      ttlMilliseconds: 300_000, now: Instant(millisecondsSinceEpoch: now), request: nil)
  }
}
