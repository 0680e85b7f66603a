import Foundation
import Glibc
import MediaTokenSystem
import Testing

@testable import MediaToken

/// A folder of a test's own, and tables in it.
final class TableFixture: Sendable {
  var folder: String { own.folder }
  private let own: TestFolder
  /// The second in which the table was made, by the table's own clock; before that, the kernel's.
  ///
  /// A table takes no claim whose clock is more than two seconds behind its own, and a busy machine may need more than that
  /// from the beginning of a test to its table.
  var now: Int64 { creation.current }
  private let creation = Monitor(wallClock())
  var path: String { folder + "/replay.table" }

  init() throws { own = try TestFolder() }

  /// Creates a table in which nothing was spent before, and closes it.
  func create(capacity: Int = 100, policy: Policy = .standard, vouchesFor: SharedReplayTable.Vouching = .allTokens)
    throws
  {
    #expect(
      try SharedReplayTable.create(
        at: path, capacity: capacity, policy: policy, mode: 0o600, vouchesFor: vouchesFor))
    creation.exchange(for: Int64(try read(.highest)))
  }

  /// For a table that was made in another way.
  func note(_ table: SharedReplayTable) { creation.exchange(for: Int64(table.table.load(.highest))) }

  func open(retryWindow: Int64 = 0, policy: Policy = .standard) throws(Problem) -> SharedReplayTable {
    try SharedReplayTable(opening: path, policy: policy, retryWindowMilliseconds: retryWindow * 1000)
  }

  /// Why the table does not open; nil if it does.
  func refusal(policy: Policy = .standard) -> Problem? {
    do throws(Problem) {
      _ = try open(policy: policy)
      return nil
    } catch {
      return error.reason
    }
  }

  // MARK: the header in the file

  func read(_ field: TableFormat.Field) throws -> UInt64 {
    let handle = try #require(FileHandle(forReadingAtPath: path))
    try handle.seek(toOffset: UInt64(field.rawValue))
    let bytes = try #require(try handle.read(upToCount: 8))
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  func write(_ value: UInt64, _ field: TableFormat.Field) throws {
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    try handle.seek(toOffset: UInt64(field.rawValue))
    try handle.write(contentsOf: Data((0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }))
  }

  // MARK: the file itself

  func setMode(_ mode: mode_t) throws { try require(unsafe chmod(path, mode)) }
  func setOwner(_ uid: uid_t) throws { try require(unsafe chown(path, uid, 0)) }
  func delete() throws { try require(unsafe unlink(path)) }
  func move(_ from: String, to: String) throws { try require(unsafe rename(from, to)) }

  // SAFETY: all four pass paths that Swift terminates, for the call only.
  private func require(_ result: Int32) throws { try #require(result == 0, "error \(errno)") }

  // MARK: other programs

  static var isRoot: Bool { geteuid() == 0 }

  /// Mounts a file system on a new folder for as long as `body` runs; false if that is not allowed here.
  func withMount(
    type: String, options: String, _ body: (String) throws -> Void
  ) throws -> Bool {
    let target = folder + "/" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    guard try Self.run("mount", "-t", type, "-o", options, type, target) else { return false }
    defer { _ = try? Self.run("umount", target) }
    try body(target)
    return true
  }

  static func run(_ arguments: String...) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}

/// A token of a test.
func token(_ number: UInt64) -> TokenIdentity { TokenIdentity(digest: SHA256Digest(words: number, 1, 2, 3)) }

/// The kernel's clock in whole seconds.
func wallClock() -> Int64 { Int64(Date().timeIntervalSince1970) }

/// A claim in whole seconds.
func claim(
  _ number: UInt64, issued: Int64, life: Int64 = 60, now: Int64, request: UseRequest? = nil
) -> UseClaim {
  UseClaim(
    identity: token(number), issueTime: Instant(millisecondsSinceEpoch: issued * 1000),
    ttlMilliseconds: life * 1000,
    now: Instant(millisecondsSinceEpoch: now * 1000), request: request)
}

extension Problem {
  /// The same without the file.
  var reason: Problem { Problem(fact, cure: cure, code: code) }
}
