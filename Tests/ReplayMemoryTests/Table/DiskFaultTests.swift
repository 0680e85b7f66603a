import Foundation
import Glibc
import MediaTokenSystem
import Synchronization
import Testing

@testable import MediaToken

/// A page that the system cannot give, as on a disk that fails or is full: cutting the file short does the same everywhere. What
/// real disks do is in `Tests/Scenarios/faults/failing-disks.py`.
@Suite("A disk that fails under a table")
struct DiskFaultTests {
  let fixture: TableFixture

  init() throws { fixture = try TableFixture() }

  /// Leaves this many bytes of the file.
  private func cut(to bytes: Int) throws {
    // SAFETY: the path is a string that Swift terminates, for the call only.
    try #require(unsafe truncate(fixture.path, bytes) == 0, "error \(errno)")
  }

  private func spend(_ number: UInt64, in table: SharedReplayTable) -> Result<UseOutcome, Fault> {
    do throws(Fault) {
      return .success(try table.spend(claim(number, issued: fixture.now, now: fixture.now)))
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: [0, TableFormat.headerBytes]) func itIsAFaultAndStaysOne(_ left: Int) throws {
    try fixture.create(capacity: 10_000)
    let table = try fixture.open()
    #expect(spend(0, in: table) == .success(.firstUse))
    try cut(to: left)
    for number in 0..<100 as Range<UInt64> {
      let claim = claim(number, issued: fixture.now, now: fixture.now)
      table.prepare(for: claim.identity)
      #expect(spend(number, in: table) == .failure(.replayMemoryUnavailable))
      #expect(table.peek(at: claim) == .failure(.replayMemoryUnavailable))
      #expect(!table.isUsed(claim))
    }
    let now = Instant(millisecondsSinceEpoch: fixture.now * 1000)
    #expect(table.isRetired && table.clockLeadSeconds(at: now) == nil && table.liveEntries(at: now) == 0)
    #expect(throws: Fault.replayMemoryUnavailable) { try table.maintain(at: now) }
  }

  @Test func theTableIsNotLeftAsClosedCleanly() throws {
    try fixture.create(capacity: 10_000)
    do {
      let table = try fixture.open()
      try cut(to: TableFormat.headerBytes)
      #expect(spend(0, in: table) == .failure(.replayMemoryUnavailable))
    }
    #expect(try fixture.read(.clean) == 0)
    // Nor as retired: another process has pages of its own.
    #expect(try fixture.read(.highest) != TableFormat.retired)
  }

  @Test func laterPartsAreGuardedToo() throws {
    try fixture.create(capacity: 100)
    let table = try fixture.open()
    let first = try #require(table.parts.last?.end)
    try SharedReplayTable.grow(at: fixture.path, toCapacity: 10_000)
    #expect(spend(0, in: table) == .success(.firstUse))
    try cut(to: first)
    #expect(spend(1, in: table) == .failure(.replayMemoryUnavailable))
  }

  @Test func otherTablesGoOn() throws {
    try fixture.create(capacity: 10_000)
    let other = try TableFixture()
    try other.create(capacity: 10_000)
    // Guards that were used before.
    for _ in 0..<20 { _ = try other.open() }
    let (broken, whole) = (try fixture.open(), try other.open())
    try cut(to: TableFormat.headerBytes)
    #expect(spend(0, in: broken) == .failure(.replayMemoryUnavailable))
    #expect(try whole.spend(claim(0, issued: other.now, now: other.now)) == .firstUse)
    #expect(!whole.isRetired)
  }

  @Test func noThreadGrantsWhatBeginsLater() throws {
    try fixture.create(capacity: 100_000)
    let table = try fixture.open()
    let isCut = Atomic<Bool>(false)
    let granted = Atomic<Int>(0)
    let grantedLater = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 5) { worker in
      if worker == 0 {
        while granted.load(ordering: .relaxed) < 1000 { WorkerThread.sleep(milliseconds: 1) }
        #expect(throws: Never.self) { try cut(to: TableFormat.headerBytes) }
        return isCut.store(true, ordering: .sequentiallyConsistent)
      }
      var (number, later) = (UInt64(worker) << 32, 0)
      while later < 1000 {
        let isLater = isCut.load(ordering: .sequentiallyConsistent)
        if isLater { later += 1 }
        number += 1
        guard case .success = spend(number, in: table) else { continue }
        if isLater { grantedLater.add(1, ordering: .relaxed) } else { granted.add(1, ordering: .relaxed) }
      }
    }
    #expect(grantedLater.load(ordering: .relaxed) == 0)
  }
}
