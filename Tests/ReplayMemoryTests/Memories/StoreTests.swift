import Foundation
import Testing

@testable import MediaToken

/// What addresses open, and what can be done with it besides spending. Asked through the protocol, as programs do.
@Suite final class StoreTests {
  private let folder: TestFolder
  private var path: String { folder.path("replay.table") }
  /// An hour ahead, so that no table is made later, however long this machine takes.
  private let now = Instant(millisecondsSinceEpoch: Int64(Date().timeIntervalSince1970 * 1000) + 3_600_000)

  init() throws { folder = try TestFolder() }

  private func open(
    _ address: String, policy: Policy = .standard, retryWindow milliseconds: Int64 = 0
  ) throws -> any Store {
    try ReplayAddress(address).open(policy: policy, retryWindowMilliseconds: milliseconds)
  }

  /// A table in which nothing was spent before.
  private func create() throws {
    #expect(
      try SharedReplayTable.create(
        at: path, capacity: 1000, policy: .standard, mode: 0o600, vouchesFor: .allTokens))
  }

  private func after(_ seconds: Int64) -> Instant {
    Instant(millisecondsSinceEpoch: now.millisecondsSinceEpoch + seconds * 1000)
  }

  /// A claim two seconds ahead of this test's clock.
  private func claim(_ number: UInt64, request: UseRequest? = nil) -> UseClaim {
    UseClaim(
      identity: TokenIdentity(digest: SHA256Digest(words: number, 1, 2, 3)), issueTime: now,
      ttlMilliseconds: 60_000,
      now: after(2), request: request)
  }

  @Test func noneOpensTheMemoryThatEnforcesNothing() throws {
    let opened = try ReplayAddress.none.open(policy: .standard)
    #expect(!opened.isEnforced)
    #expect(try opened.spend(claim(1)) == .notEnforced)
    #expect(opened.condition(at: now) == .usable && opened.readings(at: now) == [])
    #expect(opened.excess(of: try Policy(expiryToleranceMilliseconds: 1)) == nil)
  }

  @Test func sharedWithACapacityMakesTheTable() throws {
    let memory = try open("shared:\(path)?capacity=123")
    #expect(memory.readings(at: now).contains(.capacity(123)))
    #expect(try open("shared:\(path)").readings(at: now).contains(.capacity(123)))
  }

  @Test func readingsFollowTheMemory() throws {
    try create()
    let memory = try open("shared:\(path)")
    for number in 0..<3 { #expect(try memory.spend(claim(UInt64(number) + 1)) == .firstUse) }
    #expect(memory.readings(at: now) == [.entries(3), .capacity(1000), .clockLeadSeconds(2)])
    #expect(memory.readings(at: after(5)).last == .clockLeadSeconds(-3))
  }

  @Test func memoryWhoseFileIsDeletedCannotBeMaintainedAndIsRetired() throws {
    try create()
    let memory = try open("shared:\(path)")
    try memory.maintain(at: now)
    #expect(memory.condition(at: now) == .usable)
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: Fault.replayMemoryUnavailable) { try memory.maintain(at: self.now) }
    #expect(memory.condition(at: now) == .retired)
    #expect(memory.readings(at: now) == [.entries(0), .capacity(1000), .clockLeadSeconds(nil)])
  }

  /// What a forked child does, done in one process: another object for the same file.
  @Test func reopenedTableRemembersWhatTheFirstOneDid() throws {
    try create()
    let first = try open("shared:\(path)?capacity=1000", retryWindow: 30_000)
    let request = UseRequest(id: "a", callerUID: 1)
    #expect(try first.spend(claim(1, request: request)) == .firstUse)
    let second = try first.reopenedAfterFork(policy: .standard)
    #expect(second as AnyObject !== first as AnyObject)
    #expect(try second.spend(claim(1)) == .alreadyUsed)
    #expect(try second.spend(claim(1, request: request)) == .retry)
    #expect(throws: Problem.self) {
      try first.reopenedAfterFork(policy: Policy(expiryToleranceMilliseconds: 1))
    }
  }

  /// A child must not make a new table where the old one was.
  @Test func tableThatIsGoneIsNotReopened() throws {
    let first = try open("shared:\(path)?capacity=1000")
    try FileManager.default.removeItem(atPath: path)
    let error = try #require(throws: Problem.self) { try first.reopenedAfterFork(policy: .standard) }
    #expect(error == TableProblem.missing.of(table: path))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func anonymousTableIsOneForParentAndChildren() throws {
    let memory = try SharedReplayTable(anonymousWithCapacity: 10, policy: .standard)
    #expect(try memory.reopenedAfterFork(policy: .standard) === memory)
    // It asks no nodes, and so has no news of them.
    #expect((memory as any Store).takeNodeEvents() == [])
  }
}
