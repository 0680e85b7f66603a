import Foundation
import Glibc
import Testing

@testable import MediaToken

@Suite("Growth")
struct GrowthTests {
  let fixture: TableFixture
  var now: Int64 { fixture.now }

  init() throws { fixture = try TableFixture() }

  private func grow(to capacity: Int) throws(Problem) {
    try SharedReplayTable.grow(at: fixture.path, toCapacity: capacity)
  }

  private func refusal(growingTo capacity: Int) -> Problem? {
    do throws(Problem) {
      try grow(to: capacity)
      return nil
    } catch {
      return error.reason
    }
  }

  private func instant(_ second: Int64) -> Instant { Instant(millisecondsSinceEpoch: second * 1000) }

  @Test func fullTableInUseHasRoomAndForgetsNothing() throws {
    try fixture.create(capacity: 8)
    let (one, other) = (try fixture.open(retryWindow: 60), try fixture.open(retryWindow: 60))
    let request = UseRequest(id: "r", callerUID: 1)
    for number in 0..<16 {
      #expect(try one.spend(claim(UInt64(number), issued: now, now: now, request: request)) == .firstUse)
    }
    #expect(throws: Fault.replayMemoryFull) { try other.spend(claim(100, issued: now, now: now)) }
    #expect(one.shareWithoutRoom(at: instant(now)) == 1)
    try grow(to: 1000)
    #expect(one.shareWithoutRoom(at: instant(now)) == 0, "new tokens go into the new part")
    for number in 0..<16 {
      #expect(try other.spend(claim(UInt64(number), issued: now, now: now)) == .alreadyUsed)
      #expect(try other.spend(claim(UInt64(number), issued: now, now: now, request: request)) == .retry)
    }
    for number in 100..<1000 {
      #expect(try other.spend(claim(UInt64(number), issued: now, now: now)) == .firstUse)
      #expect(try one.spend(claim(UInt64(number), issued: now, now: now)) == .alreadyUsed)
    }
    #expect(one.shareWithoutRoom(at: instant(now)) < 0.01)
    #expect(one.capacity == 1000 && other.liveEntries(at: instant(now)) == 916)
    let info = try ReplayTableInfo(reading: fixture.path)
    #expect(info.capacity == 1000 && info.liveEntries == 916 && info.parts == 2 && info.percentFull == 91)
  }

  @Test func grownTableOpensAgainAsOftenAsItGrew() throws {
    try fixture.create(capacity: 8)
    for part in 0..<7 {
      #expect(try fixture.open().spend(claim(UInt64(part), issued: now, now: now)) == .firstUse)
      try grow(to: 100 << part)
      let table = try fixture.open()
      for number in 0...part {
        #expect(try table.spend(claim(UInt64(number), issued: now, now: now)) == .alreadyUsed)
      }
    }
    #expect(refusal(growingTo: 100_000) == TableProblem.grownTooOften)
    let size = try FileManager.default.attributesOfItem(atPath: fixture.path)[.size] as? Int
    #expect(try ReplayTableInfo(reading: fixture.path).bytes == size)
    let table = try SharedReplayTable(openingOrCreating: fixture.path, capacity: 6400, policy: .standard)
    #expect(try table.spend(claim(3, issued: now, now: now)) == .alreadyUsed)
  }

  @Test func partIsLookedAtUntilAllThatIsInItHasEnded() throws {
    try fixture.create(capacity: 8)
    let table = try fixture.open()
    // As late as a token of this second can end: dated ahead, with the longest life.
    #expect(try table.spend(claim(1, issued: now + 60, life: 3600, now: now)) == .firstUse)
    try grow(to: 100)
    let end = Int64(table.table.load(headerAt: TableFormat.endOffset(ofPart: 0)))
    #expect((now + 3660...now + 3680).contains(end))
    #expect(try table.spend(claim(1, issued: now + 60, life: 3600, now: now + 3659)) == .alreadyUsed)
    #expect(try table.spend(claim(2, issued: end, now: end)) == .firstUse)
    #expect(table.liveEntries(at: instant(end)) == 1)
  }

  @Test(arguments: [1, 99, 100]) func onlyMoreIsAccepted(_ capacity: Int) throws {
    try fixture.create(capacity: 100)
    let before = try Data(contentsOf: URL(filePath: fixture.path))
    #expect(refusal(growingTo: capacity) == TableProblem.notMore(found: 100))
    #expect(try Data(contentsOf: URL(filePath: fixture.path)).count == before.count)
  }

  @Test func noTableCanGrowThatIsNotThereOrRetired() throws {
    #expect(refusal(growingTo: 10) == TableProblem.missing)
    try fixture.create(capacity: 8)
    try fixture.write(.max, .highest)
    #expect(refusal(growingTo: 100) == TableProblem.retired)
    #expect(refusal(growingTo: SharedReplayTable.largestCapacity + 1) == TableProblem.badCapacity((1 << 32) + 1))
  }

  /// What is left where growth was cut off before its part was there: a longer file, and a header that says so.
  @Test(arguments: [4096, 1_000_000]) func growthThatWasCutOffIsDoneAgain(_ leftover: Int) throws {
    try fixture.create(capacity: 8)
    #expect(try fixture.open().spend(claim(1, issued: now, now: now)) == .firstUse)
    let end = TablePart(firstOfCapacity: 8).end
    try fixture.write(UInt64(end + leftover), .reserved)
    for size in [end, end + 1, end + leftover] {
      try #require(FileHandle(forUpdatingAtPath: fixture.path)).truncate(atOffset: UInt64(size))
      #expect(try fixture.open().spend(claim(1, issued: now, now: now)) == .alreadyUsed)
    }
    try grow(to: 100)
    let part = TablePart(capacity: 100, after: TablePart(firstOfCapacity: 8))
    #expect(try ReplayTableInfo(reading: fixture.path).bytes == part.end)
    #expect(try fixture.open().spend(claim(1, issued: now, now: now)) == .alreadyUsed)
    try #require(FileHandle(forUpdatingAtPath: fixture.path)).truncate(atOffset: UInt64(part.end - 1))
    #expect(fixture.refusal() == TableProblem.size(expected: part.end, found: part.end - 1))
  }

  /// What power loss may leave of growth that it undid: the end of a part that is the last one again.
  @Test func endOfAPartIsReckonedAnew() throws {
    try fixture.create(capacity: 8)
    let table = try fixture.open()
    table.table.store(UInt64(now + 1), headerAt: TableFormat.endOffset(ofPart: 0))
    #expect(try table.spend(claim(1, issued: now, life: 3600, now: now)) == .firstUse)
    try grow(to: 100)
    #expect(table.table.load(headerAt: TableFormat.endOffset(ofPart: 0)) >= UInt64(now + 3600))
    #expect(try table.spend(claim(1, issued: now, life: 3600, now: now + 2)) == .alreadyUsed)
  }

  /// mmap(2) wants a multiple of the page's size, which is 64 KiB on some kernels of arm64 and ppc64el.
  @Test func everyKernelCanMapEveryPart() throws {
    var parts = [TablePart(firstOfCapacity: 1)]
    for capacity in [2, 3, 1000, 16_384, 1_000_000, 1_000_001, SharedReplayTable.largestCapacity] {
      parts.append(TablePart(capacity: capacity, after: parts[parts.count - 1]))
    }
    for (part, last) in zip(parts.dropFirst(), parts) {
      #expect(part.offset.isMultiple(of: 65536))
      #expect((last.end..<last.end + 65536).contains(part.offset))
    }
  }

  /// A child that was forked meanwhile has the same open file, and with it the lock, as a second descriptor of it has.
  @Test func lockEndsWithGrowthNoMatterWhoHasTheFileOpen() throws {
    try fixture.create(capacity: 8)
    guard let file = try TableFile.open(fixture.path) else { throw TableProblem.missing.of(table: fixture.path) }
    var child: Int32 = -1
    try file.aloneInGrowing { () throws(Problem) in
      child = dup(file.descriptor)
      #expect(isLockedForGrowth(), "another that grows it would wait")
    }
    defer { close(child) }
    #expect(child >= 0 && !isLockedForGrowth())
  }

  private func isLockedForGrowth() -> Bool {
    let other = unsafe Glibc.open(fixture.path, O_RDWR)
    defer { close(other) }
    var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 1, l_pid: 0)
    // F_OFD_GETLK of fcntl_locking(2), which is for _GNU_SOURCE alone.
    #expect(unsafe fcntl(other, 36, &lock) == 0)
    return lock.l_type != Int16(F_UNLCK)
  }

  @Test(.enabled(if: TableFixture.isRoot)) func fullDiskLeavesTheTableAsItWas() throws {
    let couldMount = try fixture.withMount(type: "tmpfs", options: "size=128k") { folder in
      let path = folder + "/table"
      let table = try SharedReplayTable(openingOrCreating: path, capacity: 100, policy: .standard)
      let before = try ReplayTableInfo(reading: path).bytes
      #expect(throws: Problem.self) { try SharedReplayTable.grow(at: path, toCapacity: 100_000) }
      #expect(try ReplayTableInfo(reading: path).bytes == before)
      try SharedReplayTable.grow(at: path, toCapacity: 200)
      #expect(table.capacity == 200)
    }
    if !couldMount { try Test.cancel("may not mount") }
  }
}
