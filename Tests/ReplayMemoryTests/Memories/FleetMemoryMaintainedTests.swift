import Foundation
import Testing

@testable import MediaToken

/// A fleet whose nodes are all down, asked through the protocol, as programs do.
@Suite final class FleetMemoryMaintainedTests {
  private let folder: String
  private let now = Instant.now

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/mediatoken-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func open(localTable: Bool = false) throws(Problem) -> any Store {
    guard let address = try? FleetAddress(redis: "test@" + (1...3).map { "\(folder)/\($0)" }.joined(separator: ","))
    else {
      preconditionFailure("the test's own address")
    }
    return try FleetMemory(
      opening: FleetOptions(
        address: address, policy: .standard,
        settings: FleetSettings(localTable: localTable ? .init(path: folder + "/t", capacity: 50) : nil)))
  }

  @Test func `with too few nodes it says how many there are and how many are needed`() throws {
    let memory = try open()
    #expect(memory.condition(at: now) == .nodesMissing(usable: 0, needed: 2))
    try memory.maintain(at: now)
    let claim = UseClaim(
      identity: TokenIdentity(digest: try #require(SHA256Digest(hexadecimal: String(repeating: "0", count: 64)))),
      issueTime: now, ttlMilliseconds: 1000, now: now, request: nil)
    #expect(throws: Fault.replayMemoryUnavailable) { try memory.spend(claim) }
  }

  @Test func `its readings are the fleet's, and those of its local table`() throws {
    guard case .fleet(let reading) = try open().readings(at: now).first else {
      Issue.record("there is no reading of the fleet")
      return
    }
    #expect(reading.votesNeeded == 2)
    #expect(reading.nodes.map(\.number) == [1, 2, 3])
    #expect(reading.nodes.map(\.address) == (1...3).map { "\(folder)/\($0)" })
    #expect(reading.nodes.map(\.state) == [.down, .down, .down])
    #expect(try open(localTable: true).readings(at: now).contains(.capacity(50)))
  }

  @Test func `it covers the fleet's own times, and no others, be they shorter`() throws {
    let memory = try open()
    #expect(memory.excess(of: .standard) == nil)
    #expect(memory.excess(of: try Policy(maxTTLMilliseconds: 1))?.setting == "maxTTL")
    #expect(memory.tolerances.excess(of: .standard) == nil)
    let error = try #require(throws: Problem.self) {
      try memory.reopenedAfterFork(policy: Policy(maxTTLMilliseconds: 1))
    }
    #expect(error.fact == "expected a maxTTL of 3600000 ms, for which the fleet was opened, found 1")
    #expect(try memory.reopenedAfterFork(policy: .standard) as AnyObject !== memory as AnyObject)
  }

  @Test func `a memory that asks no nodes has no news of them`() throws {
    let table: any Store = try SharedReplayTable(anonymousWithCapacity: 10, policy: .standard)
    #expect(table.takeNodeEvents() == [])
    #expect(table.excess(of: try Policy(maxTTLMilliseconds: 3_600_001))?.setting == "maxTTL")
    #expect(table.excess(of: try Policy(maxTTLMilliseconds: 1)) == nil)
  }
}
