import Foundation
import Testing

@testable import MediaToken

/// A table that replaced a lost one while the clock was behind: cases 103 and 195.
@Suite("A warming table")
struct WarmingTests {
  let fixture: TableFixture
  var now: Int64 { fixture.now }

  init() throws { fixture = try TableFixture() }

  @Test func tokenOfALostTableIsNotGrantedOnceTheClockIsSetForward() throws {
    try createBehind(milliseconds: 3_600_000)
    let (one, other) = (try fixture.open(), try fixture.open())
    let before = wallClock()
    // The lost table may have granted it ten minutes ago.
    #expect(try one.spend(claim(1, issued: now - 600, life: 3600, now: now)) == .predatesMemory)
    #expect(try other.spend(claim(1, issued: now - 600, life: 3600, now: now)) == .predatesMemory)
    let floor = one.loadFloorSeconds()
    #expect((before + 66...wallClock() + 67).contains(floor))
    #expect(try other.spend(claim(2, issued: floor - 1, life: 3600, now: now + 2)) == .predatesMemory)
    #expect(try other.spend(claim(3, issued: floor, life: 3600, now: floor - 66)) == .firstUse)
    // Once is enough.
    #expect(one.loadFloorSeconds() == floor)
  }

  @Test(arguments: [(1000, false), (2900, true)]) func twoSecondsAreNoStep(_ lag: Int64, _ isRaised: Bool) throws {
    try createBehind(milliseconds: lag)
    let before = try fixture.read(.vouchesFrom)
    let table = try fixture.open()
    _ = try table.spend(claim(1, issued: now, now: wallClock()))
    #expect((try fixture.read(.vouchesFrom) > before) == isRaised)
  }

  /// A claimer with a clock from before it was set back again.
  @Test func claimersClockCountsToo() throws {
    try createBehind(milliseconds: 0)
    let before = try fixture.read(.vouchesFrom)
    let table = try fixture.open()
    #expect(try table.spend(claim(1, issued: now + 600, now: now + 600)) == .predatesMemory)
    #expect(try fixture.read(.vouchesFrom) > before + 500_000)
  }

  @Test func timerSeesTheStepToo() throws {
    try createBehind(milliseconds: 3_600_000)
    let before = try fixture.read(.vouchesFrom)
    try fixture.open().maintain(at: Instant(millisecondsSinceEpoch: now * 1000))
    #expect(try fixture.read(.vouchesFrom) >= before + 3_600_000)
  }

  @Test func warmingEndsWithTheLongestLifeByTheBootClock() throws {
    try createBehind(milliseconds: 0)
    let clocks = try Clocks.now()
    let longest = Policy.standard.maxTTLMilliseconds + Policy.standard.expiryToleranceMilliseconds + 66_000
    let end = try fixture.read(.warmingUntil)
    #expect(end <= clocks.bootAfter + UInt64(longest) && end + 60_000 > clocks.bootBefore + UInt64(longest))
    let before = try fixture.read(.vouchesFrom)
    let table = try fixture.open()
    try fixture.write(clocks.bootBefore, .warmingUntil)
    #expect(try table.spend(claim(1, issued: now, now: now + 1)) == .predatesMemory)
    #expect(try fixture.read(.warmingUntil) == 0)
    #expect(try table.spend(claim(2, issued: now + 600, now: now + 600)) == .firstUse)
    #expect(try fixture.read(.vouchesFrom) == before)
  }

  @Test func stepThatIsFirstSeenAfterWarmingCounts() throws {
    try createBehind(milliseconds: 3_600_000)
    let table = try fixture.open()
    try fixture.write(try Clocks.now().bootBefore, .warmingUntil)
    #expect(try table.spend(claim(1, issued: now - 600, life: 3600, now: now)) == .predatesMemory)
    #expect(try fixture.read(.warmingUntil) == 0)
  }

  @Test func tableForAllTokensIsNotWarming() throws {
    try fixture.create()
    #expect(try fixture.read(.warmingUntil) == 0)
    #expect(try fixture.open().spend(claim(1, issued: now + 600, now: now + 600)) == .firstUse)
  }

  /// It is not known what the clock was set to in between.
  @Test func warmingTableThatMeetsAnotherBootBeginsAgain() throws {
    try createBehind(milliseconds: 0)
    withExtendedLifetime(try fixture.open()) {}
    #expect(try fixture.read(.clean) == 1)
    try fixture.write(1, .bootFirst)
    try fixture.write(1, .warmingUntil)
    try fixture.write(1, .machineStart)
    #expect(try ReplayTableInfo(reading: fixture.path).willRaiseFloor)
    let table = try fixture.open()
    let clocks = try Clocks.now()
    #expect(table.loadFloorSeconds() >= now + 66)
    #expect(try fixture.read(.warmingUntil) > clocks.bootBefore + 3_600_000)
    #expect(try fixture.read(.machineStart) > 1)
    withExtendedLifetime(table) {}
  }

  @Test func pauseBetweenTwoReadingsHidesNoStep() {
    let paused = Clocks(wall: 1_000_000, bootBefore: 1000, bootAfter: 51_000)
    #expect(paused.latestStart(ifNowIs: paused.wall) == 999_000)
    #expect(paused.earliestStart(ifNowIs: paused.wall) == 949_000)
    #expect(paused.earliestStart(ifNowIs: -5) == 0)
    #expect(Clocks(wall: .max, bootBefore: .max, bootAfter: .max).latestStart(ifNowIs: .max) == 0)
  }

  /// A new table, as if it had been made while the clock was this far behind.
  private func createBehind(milliseconds: Int64) throws {
    try fixture.create(vouchesFor: .tokensFromNowOn)
    for field in [TableFormat.Field.vouchesFrom, .machineStart] {
      try fixture.write(try fixture.read(field) - UInt64(milliseconds), field)
    }
    for field in [TableFormat.Field.epoch, .highest, .lease, .durableLease] {
      try fixture.write(try fixture.read(field) - UInt64(milliseconds / 1000), field)
    }
  }
}

extension SharedReplayTable {
  /// The first whole second at which an issued token is not older than the floor.
  func loadFloorSeconds() -> Int64 { (Int64(table.load(.vouchesFrom)) + 999) / 1000 }
}
