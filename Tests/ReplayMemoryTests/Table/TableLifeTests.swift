import Foundation
import Glibc
import MediaTokenSystem
import Synchronization
import Testing

@testable import MediaToken

/// Opening, closing, and what happens to the file meanwhile: cases 122, 125, 126 and 143.
@Suite("A table's life")
struct TableLifeTests {
  let fixture: TableFixture
  var now: Int64 { fixture.now }

  init() throws { fixture = try TableFixture() }

  // MARK: creating

  @Test func existingTableIsNeverOverwritten() throws {
    try fixture.create()
    #expect(try fixture.open().spend(claim(1, issued: now, now: now)) == .firstUse)
    #expect(
      try !SharedReplayTable.create(
        at: fixture.path, capacity: 100, policy: .standard, mode: 0o600, vouchesFor: .allTokens))
    #expect(try fixture.open().spend(claim(1, issued: now, now: now)) == .alreadyUsed)
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder) == ["replay.table"])
  }

  /// Locks and links belong to openings, not to processes, so that threads show what processes would.
  @Test func allThatCreateAtOnceHaveOneTable() throws {
    for round in 0..<200 {
      let path = "\(fixture.folder)/\(round)"
      let firstUses = Atomic<Int>(0)
      let others = Atomic<Int>(0)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        do {
          let table = try SharedReplayTable(openingOrCreating: path, capacity: 10, policy: .standard)
          // Issued at the floor of a new table, by a clock that was not set forward.
          let floor = table.loadFloorSeconds()
          let outcome = try table.spend(claim(1, issued: floor, now: floor - 66))
          if outcome == .firstUse {
            firstUses.add(1, ordering: .sequentiallyConsistent)
          } else {
            others.add(1, ordering: .sequentiallyConsistent)
          }
        } catch {
          Issue.record(error)
        }
      }
      #expect(firstUses.load(ordering: .sequentiallyConsistent) == 1)
      #expect(others.load(ordering: .sequentiallyConsistent) == 3)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder).count == 200)
  }

  // MARK: many openers at once

  /// An opener that finds the table clean must be alone with the file, while another may hold a shared lock for a moment. When
  /// that one lets go, those that came meanwhile must not keep each other out.
  @Test func openersThatWaitToBeAloneComeIn() throws {
    try fixture.create()
    guard let file = try TableFile.open(fixture.path) else { throw CocoaError(.fileNoSuchFile) }
    try file.lock(alone: false)
    let opened = Atomic<Int>(0)
    let openers = try (0..<64).map { _ in
      try WorkerThread { [fixture] in
        if (try? fixture.open()) != nil { opened.add(1, ordering: .relaxed) }
      }
    }
    // For all to begin; one that begins later makes the test easier, not false.
    WorkerThread.sleep(milliseconds: 200)
    #expect(opened.load(ordering: .relaxed) == 0)
    file.unlock()
    // From here on, and not from when the test had to wait for a thread to run on, as a time limit would count.
    let end = MonotonicTime.now + 300_000_000_000
    while opened.load(ordering: .relaxed) < 64, MonotonicTime.now < end { WorkerThread.sleep(milliseconds: 10) }
    try #require(opened.load(ordering: .relaxed) == 64)
    for opener in openers { opener.join() }
  }

  // MARK: closing and opening again

  @Test func onlyTheLastOneOutMarksTheTableClean() throws {
    try fixture.create()
    var one: SharedReplayTable? = try fixture.open()
    var other: SharedReplayTable? = try fixture.open()
    #expect(try fixture.read(.clean) == 0)
    withExtendedLifetime(one) {}
    one = nil
    #expect(try fixture.read(.clean) == 0)
    #expect(try fixture.read(.lastCleanClose) == 0)
    withExtendedLifetime(other) {}
    other = nil
    #expect(try fixture.read(.clean) == 1)
    #expect(try fixture.read(.lastCleanClose) >= UInt64(now * 1000))
    let third = try fixture.open()
    #expect(try fixture.read(.clean) == 0)
    withExtendedLifetime(third) {}
  }

  @Test(arguments: [(isOtherBoot: true, isClean: UInt64(1)), (false, 0)])
  func otherBootAfterACleanCloseOrAKillInThisOneNeedsNoFloor(_ isOtherBoot: Bool, _ isClean: UInt64) throws {
    try spendOnce()
    try fixture.write(isClean, .clean)
    if isOtherBoot { try fixture.write(1, .bootFirst) }
    #expect(try fixture.open().spend(claim(1, issued: now, now: now)) == .alreadyUsed)
    #expect(try fixture.read(.vouchesFrom) == 0)
    let boot = try BootIdentity.current().0
    #expect(try fixture.read(.bootFirst) == boot)
  }

  @Test(arguments: [TableFormat.Field.bootFirst, .bootSecond])
  func otherBootWithoutACleanCloseRaisesTheFloorAboveTheLease(_ field: TableFormat.Field) throws {
    try spendOnce()
    try fixture.write(0, .clean)
    try fixture.write(1, field)
    #expect((now + 15...max(now, wallClock()) + 20).contains(Int64(try fixture.read(.lease))))
    // Later than the kernel's clock, however long this test takes.
    let lease = now + 1000
    try fixture.write(UInt64(lease), .lease)
    let table = try fixture.open()
    #expect(try fixture.read(.vouchesFrom) == UInt64(lease * 1000 + 66_000))
    #expect(try table.spend(claim(2, issued: now, now: now)) == .predatesMemory)
    #expect(try table.spend(claim(3, issued: lease + 66, now: lease + 6)) == .firstUse)
  }

  /// By how much the lease is above the clock, and a former floor, in seconds.
  @Test(arguments: [(-1000, nil), (15, 100_000)] as [(Int64, Int64?)])
  func floorIsAboveTheClockIfThatIsLaterThanTheLeaseAndNeverLowered(_ lease: Int64, _ former: Int64?) throws {
    try spendOnce()
    let high = former.map { UInt64(now + $0) * 1000 }
    if let high { try fixture.write(high, .vouchesFrom) }
    for (value, field) in [(0, .clean), (1, .bootFirst), (UInt64(now + lease), .lease)]
      as [(UInt64, TableFormat.Field)]
    {
      try fixture.write(value, field)
    }
    withExtendedLifetime(try fixture.open()) {}
    let floor = try fixture.read(.vouchesFrom)
    #expect(high.map { floor == $0 } ?? (floor >= UInt64(now * 1000 + 66_000)))
  }

  /// A spend that no lease covers would be granted again after power loss, if the clock came back earlier.
  @Test func noSpendIsAtOrPastTheLease() throws {
    try fixture.create()
    let table = try fixture.open()
    let created = Int64(try fixture.read(.highest))
    for second in [created, created + 1, created + 14, created + 100, created + 3000] {
      #expect(try table.spend(claim(UInt64(second), issued: second, now: second)) == .firstUse)
      let (lease, durable) = (try fixture.read(.lease), try fixture.read(.durableLease))
      #expect(lease >= durable && durable > UInt64(second))
      #expect(try fixture.read(.highest) == UInt64(second))
    }
  }

  private func spendOnce() throws {
    try fixture.create()
    #expect(try fixture.open().spend(claim(1, issued: now, now: now + 1)) == .firstUse)
  }

  // MARK: the file goes away

  @Test(arguments: ["deleted", "replaced", "moved"]) func goneFileRetiresTheTableForAll(_ how: String) throws {
    try fixture.create()
    let (one, other) = (try fixture.open(), try fixture.open())
    #expect(try one.spend(claim(1, issued: now, now: now + 1)) == .firstUse)
    switch how {
    case "deleted": try fixture.delete()
    case "moved": try fixture.move(fixture.path, to: fixture.folder + "/elsewhere")
    default:
      try FileManager.default.copyItem(atPath: fixture.path, toPath: fixture.folder + "/copy")
      try fixture.move(fixture.folder + "/copy", to: fixture.path)
    }
    // The claimer that moves the clock on sees it, and then all are refused.
    #expect(throws: Fault.replayMemoryUnavailable) { try one.spend(claim(2, issued: now, now: now + 2)) }
    #expect(throws: Fault.replayMemoryUnavailable) { try other.spend(claim(3, issued: now, now: now + 1)) }
    if how == "replaced" {
      #expect(try fixture.open().spend(claim(1, issued: now, now: now + 2)) == .alreadyUsed)
    } else {
      #expect(fixture.refusal() == TableProblem.missing)
    }
  }

  @Test func hostMayChangeItsFolder() throws {
    try fixture.create()
    let relative = String(repeating: "../", count: 64) + fixture.path.dropFirst()
    // Not by changing the folder, which is that of all tests.
    var found: String?
    if let file = try TableFile.open(relative) {
      try file.checkPlace()
      found = file.path
    }
    #expect(found?.hasPrefix("/") == true)
  }

  /// Case 197, with what even root meets: a folder above that leads in circles for a while.
  @Test func faultsThatDoNotProveTheFileGoneHeal() throws {
    try fixture.create()
    let (one, other) = (try fixture.open(), try fixture.open())
    #expect(try one.spend(claim(1, issued: now, now: now + 1)) == .firstUse)
    let aside = fixture.folder + ".aside"
    try fixture.move(fixture.folder, to: aside)
    defer { try? FileManager.default.removeItem(atPath: aside) }
    try FileManager.default.createSymbolicLink(atPath: fixture.folder, withDestinationPath: fixture.folder)
    for table in [one, other] {
      // Again and again, also in one second: as long as it is not known no token is granted.
      for _ in 0..<3 {
        #expect(throws: Fault.replayMemoryUnavailable) { try table.spend(claim(2, issued: now, now: now + 2)) }
        #expect(throws: Fault.replayMemoryUnavailable) {
          try table.maintain(at: Instant(millisecondsSinceEpoch: now * 1000))
        }
      }
      #expect(!table.isRetired)
    }
    try FileManager.default.removeItem(atPath: fixture.folder)
    try fixture.move(aside, to: fixture.folder)
    #expect(try one.spend(claim(2, issued: now, now: now + 2)) == .firstUse)
    #expect(try other.spend(claim(2, issued: now, now: now + 2)) == .alreadyUsed)
    try other.maintain(at: Instant(millisecondsSinceEpoch: now * 1000))
  }

  // MARK: another boot

  /// Case 196.
  @Test func tableInUseUnderAnotherBootIsRefusedAtOnce() throws {
    try fixture.create()
    let held = try fixture.open()
    try fixture.write(1, .bootFirst)
    #expect(fixture.refusal() == TableProblem.otherBoot)
    #expect(try held.spend(claim(1, issued: now, now: now)) == .firstUse)
    #expect(try fixture.read(.bootFirst) == 1)
    withExtendedLifetime(held) {}
  }

  @Test func allThatOpenAtOnceAfterARestartSucceed() throws {
    try fixture.create()
    for round in 0..<100 {
      try fixture.write(0, .clean)
      try fixture.write(UInt64(round), .bootFirst)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in #expect(fixture.refusal() == nil) }
    }
  }

  @Test func tableThatWasCreatedAnewKnowsNoEarlierToken() throws {
    try fixture.create()
    let old = try fixture.open()
    #expect(try old.spend(claim(1, issued: now, now: now)) == .firstUse)
    try fixture.delete()
    try fixture.create(vouchesFor: .tokensFromNowOn)
    #expect(try fixture.open().spend(claim(1, issued: now, now: now)) == .predatesMemory)
    withExtendedLifetime(old) {}
  }

  // MARK: size
}
