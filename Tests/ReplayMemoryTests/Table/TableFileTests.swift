import Foundation
import Glibc
import Testing

@testable import MediaToken

/// Everything that can be wrong with the file: cases 126 to 128, 132 and 144.
@Suite("A table's file")
struct TableFileTests {
  let fixture: TableFixture

  init() throws { fixture = try TableFixture() }

  // MARK: what is there

  @Test func missingFileIsSaid() { #expect(fixture.refusal() == TableProblem.missing) }

  @Test func linkIsNotFollowed() throws {
    try fixture.create()
    let link = fixture.folder + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: fixture.path)
    #expect(throws: TableProblem.link.of(table: link)) { try SharedReplayTable(opening: link, policy: .standard) }
  }

  @Test func folderFIFOAndDeviceAreRefused() throws {
    try #require(try TableFixture.run("mkfifo", fixture.folder + "/fifo"))
    for path in [fixture.folder, fixture.folder + "/fifo", "/dev/null"] {
      #expect(throws: TableProblem.notRegular.of(table: path)) {
        try SharedReplayTable(opening: path, policy: .standard)
      }
    }
  }

  @Test(arguments: [0o400, 0o640, 0o644, 0o661, 0o666, 0o700, 0o4600] as [mode_t])
  func otherModesAreRefused(_ mode: mode_t) throws {
    try fixture.create()
    try fixture.setMode(mode)
    // Without the right to write it is not even opened, except by root.
    if mode == 0o400, !TableFixture.isRoot { return }
    #expect(fixture.refusal() == TableProblem.mode(UInt32(mode), fixture.path))
  }

  @Test func groupMayShareTheTable() throws {
    try fixture.create()
    try fixture.setMode(0o660)
    #expect(fixture.refusal() == nil)
  }

  @Test(.enabled(if: TableFixture.isRoot)) func anothersFileIsRefused() throws {
    try fixture.create()
    try fixture.setOwner(65_534)
    let refused = try #require(fixture.refusal())
    #expect(refused.fact.hasPrefix("the file \(fixture.path) may be changed by users other than root: user 65534 "))
    #expect(refused.cure == "do this as user 65534, or copy the file to a folder that only root may write")
  }

  // Case 83: who may rename the table can put another in its place.
  @Test func folderThatOthersMayWriteIsRefused() throws {
    try fixture.create()
    #expect(unsafe chmod(fixture.folder, 0o775) == 0)
    let refused = try #require(fixture.refusal())
    #expect(refused.fact.hasPrefix("the folder \(fixture.folder) may be changed by users other than "))
    #expect(refused.fact.hasSuffix(" and its mode is 0775"))
    #expect(throws: Problem.self) {
      try SharedReplayTable.create(
        at: fixture.path + "2", capacity: 100, policy: .standard, mode: 0o600, vouchesFor: .tokensFromNowOn)
    }
    // Reading trusts nothing.
    #expect(try ReplayTableInfo(reading: fixture.path).capacity == 100)
    #expect(unsafe chmod(fixture.folder, 0o1777) == 0)
    #expect(fixture.refusal() == nil)
  }

  // MARK: what is in it

  @Test(arguments: [0, 1, 4095, 4096]) func shortFileIsNotATable(_ size: UInt64) throws {
    try fixture.create()
    try resize(to: size)
    let reason = try #require(fixture.refusal())
    #expect(
      reason
        == (size < 4096
          ? TableProblem.notATable(fixture.path) : TableProblem.size(expected: try fullSize(), found: 4096)))
  }

  @Test(arguments: [-8, -1, 1, 4096]) func cutOrExtendedFileIsRefused(_ change: Int) throws {
    try fixture.create()
    let size = try fullSize()
    try resize(to: UInt64(size + change))
    #expect(fixture.refusal() == TableProblem.size(expected: size, found: size + change))
  }

  @Test(
    arguments: [
      (.entriesPerBucket, 16, "geometry"), (.entriesPerBucket, 0, "geometry"), (.bucketCount, 0, "geometry"),
      (.bucketCount, 1, "geometry"), (.bucketCount, 1 << 32, "geometry"), (.bucketCount, .max, "geometry"),
      (.capacity, 0, "capacity"), (.capacity, 1000, "capacity"), (.capacity, .max, "capacity"),
      (.capacity, 1 << 62, "capacity"), (.maxTTL, 0, "tolerances"), (.maxTTL, .max, "tolerances"),
      (.expiryTolerance, 86_400_001, "tolerances"), (.futureTolerance, .max, "tolerances"),
      (.epoch, 1 << 40, "epoch"), (.epoch, .max, "epoch"),
      // One bucket more than the capacity has; parts that are not there.
      (.bucketCount, UInt64(TablePart(firstOfCapacity: 100).buckets) + 1, "capacity"),
      (.parts, 0, "capacity"), (.parts, 2, "capacity"), (.parts, 9, "capacity"), (.parts, .max, "capacity"),
      (.magic, TableFormat.magic ^ 1, ""), (.version, 0, ""), (.version, 1, ""), (.version, 3, ""),
      (.version, .max, ""),
    ] as [(TableFormat.Field, UInt64, String)])
  func brokenHeaderIsRefused(_ field: TableFormat.Field, _ value: UInt64, _ broken: String) throws {
    try fixture.create()
    try fixture.write(value, field)
    let problem =
      switch field {
      case .magic: TableProblem.notATable(fixture.path)
      case .version: TableProblem.version(value)
      default: TableProblem.brokenHeader(broken)
      }
    #expect(fixture.refusal() == problem)
  }

  @Test func lessCapacityThanAskedForIsRefused() throws {
    try fixture.create(capacity: 100)
    #expect(throws: TableProblem.capacity(expected: 101, found: 100).of(table: fixture.path)) {
      try SharedReplayTable(openingOrCreating: fixture.path, capacity: 101, policy: .standard)
    }
    for enough in [99, 100] {
      _ = try SharedReplayTable(openingOrCreating: fixture.path, capacity: enough, policy: .standard)
    }
  }

  @Test func looserPolicyIsRefusedAndAStricterOneIsNot() throws {
    try fixture.create()
    let looser: [(String, Int64, Int64, Policy)] = [
      ("maxTTL", 3_600_000, 3_600_001, try Policy(maxTTLMilliseconds: 3_600_001)),
      ("expiryTolerance", 0, 1, try Policy(expiryToleranceMilliseconds: 1)),
      ("futureTolerance", 60_000, 60_001, try Policy(futureToleranceMilliseconds: 60_001)),
    ]
    for (setting, table, policy, loose) in looser {
      #expect(
        fixture.refusal(policy: loose)
          == TableProblem.tolerance(setting, table: table, policy: policy, fixture.path))
    }
    #expect(fixture.refusal(policy: try Policy(maxTTLMilliseconds: 1, futureToleranceMilliseconds: 0)) == nil)
  }

  private func fullSize() throws -> Int { TablePart(firstOfCapacity: Int(try fixture.read(.capacity))).end }

  private func resize(to size: UInt64) throws {
    try #require(FileHandle(forUpdatingAtPath: fixture.path)).truncate(atOffset: size)
  }

  // MARK: where it is

  @Test(.enabled(if: TableFixture.isRoot)) func fullDiskIsAnErrorAtCreation() throws {
    let couldMount = try fixture.withMount(type: "tmpfs", options: "size=64k") { folder in
      #expect(
        throws: TableProblem.diskFull(bytes: TablePart(firstOfCapacity: 100_000).end).of(table: folder + "/table")
      ) {
        try SharedReplayTable(openingOrCreating: folder + "/table", capacity: 100_000, policy: .standard)
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left == [])
    }
    if !couldMount { try Test.cancel("may not mount") }
  }

  @Test(.enabled(if: TableFixture.isRoot)) func readOnlyFileSystemIsSaid() throws {
    let couldMount = try fixture.withMount(type: "tmpfs", options: "size=1m") { folder in
      let path = folder + "/table"
      _ = try SharedReplayTable(openingOrCreating: path, capacity: 10, policy: .standard)
      try #require(try TableFixture.run("mount", "-o", "remount,ro", folder))
      for path in [path, folder + "/new"] {
        #expect(throws: TableProblem.readOnly.of(table: path)) {
          try SharedReplayTable(openingOrCreating: path, capacity: 10, policy: .standard)
        }
      }
    }
    if !couldMount { try Test.cancel("may not mount") }
  }

  @Test(
    .enabled(if: TableFixture.isRoot),
    arguments: [("ramfs", 0x8584_58F6), ("overlay", 0x794C_7630)] as [(String, UInt64)])
  func fileSystemOfAnotherTypeIsRefused(_ type: String, _ number: UInt64) throws {
    var options = "rw"
    if type == "overlay" {
      for part in ["lower", "upper", "work"] {
        try FileManager.default.createDirectory(
          atPath: "\(fixture.folder)/\(part)", withIntermediateDirectories: false)
      }
      options = [
        "lowerdir=\(fixture.folder)/lower", "upperdir=\(fixture.folder)/upper", "workdir=\(fixture.folder)/work",
      ]
      .joined(separator: ",")
    }
    let couldMount = try fixture.withMount(type: type, options: options) { folder in
      let path = folder + "/table"
      #expect(throws: TableProblem.fileSystem(number).of(table: path)) {
        try SharedReplayTable(openingOrCreating: path, capacity: 10, policy: .standard)
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left == [])
      // A table that was copied there is refused as well.
      try fixture.create()
      try FileManager.default.copyItem(atPath: fixture.path, toPath: path)
      #expect(throws: TableProblem.fileSystem(number).of(table: path)) {
        try SharedReplayTable(opening: path, policy: .standard)
      }
    }
    if !couldMount { try Test.cancel("may not mount") }
  }

  @Test(arguments: [0, -1, SharedReplayTable.largestCapacity + 1, Int.max]) func impossibleCapacityIsRefused(
    _ capacity: Int
  ) {
    #expect(throws: TableProblem.badCapacity(capacity).of(table: fixture.path)) {
      try SharedReplayTable(openingOrCreating: fixture.path, capacity: capacity, policy: .standard)
    }
    #expect(fixture.refusal() == TableProblem.missing)
  }

  @Test(arguments: [0o644, 0o666, 0o400] as [UInt32]) func tableIsNotCreatedWithAModeThatIsRefused(_ mode: UInt32) {
    #expect(throws: TableProblem.mode(mode, fixture.path).of(table: fixture.path)) {
      try SharedReplayTable.create(
        at: fixture.path, capacity: 10, policy: .standard, mode: mode, vouchesFor: .allTokens)
    }
    #expect(fixture.refusal() == TableProblem.missing)
  }
}
