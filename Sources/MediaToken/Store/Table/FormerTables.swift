internal import MediaTokenSystem

/// The traces in a table's folder of tables that were there before, and of a wrong clock.
struct FormerTables {
  /// The place of the new table.
  let path: String
  private let folder: String
  private let name: [UInt8]

  init(path: String) {
    self.path = path
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    folder = end == path.startIndex ? "." : String(path[..<end])
    name = Array(path[end...].utf8)
  }

  /// The time since a name came into the folder or left it, in milliseconds: less than 0 if that was in the future.
  func millisecondsSinceChange(now: Int64) throws(Problem) -> Int64 {
    let facts = try TableProblem.blaming(path, "stat", FileStatus(ofFileAt: folder))
    return now - (Int64(facts.modifiedSeconds) * 1000 + Int64(facts.modifiedNanoseconds) / 1_000_000)
  }

  /// Refuses if the folder was changed when it was later than it is now: a floor by this clock would be too low.
  func checkClock(now: Int64) throws(Problem) {
    let since = try millisecondsSinceChange(now: now)
    guard since >= -Int64(Warming.tolerance) else {
      throw TableProblem.clockBehind(seconds: Int(-since / 1000)).of(table: path)
    }
  }

  /// Refuses if a table with a name like the new one's is in its folder and is open, or remembers tokens that may be alive:
  /// a table that vouches for all tokens would grant them again.
  func checkNoneIsAlive(now: Int64) throws(Problem) {
    for other in try namesLikeOurs() {
      let other = folder + (folder.hasSuffix("/") ? "" : "/") + other
      // A file that is no table, or can't be read, is not evidence.
      guard let file = try? TableFile.open(other, forReadingOnly: true), (try? file.sizeIfRegular()) != nil,
        let numbers = try? file.readHeader(), numbers[.magic] == TableFormat.magic
      else { continue }
      guard file.tryLockAlone() else { throw TableProblem.former(other, .isOpen).of(table: path) }
      guard
        let header = try? file.readTable({ file throws(Problem) in try file.sizeIfRegular() }).header
      else { throw TableProblem.former(other, .isUnreadable).of(table: path) }
      // By the clock, not by the highest one that the table saw: it may be retired.
      let alive = try file.liveEntries(
        of: numbers.parts ?? [header.first], at: UInt64(max(0, now / 1000)), since: header.epoch)
      if alive > 0 { throw TableProblem.former(other, .remembers(alive)).of(table: path) }
    }
  }

  /// `replay.table.old`, `old-replay.table` and the like.
  private func namesLikeOurs() throws(Problem) -> [String] {
    let names = try TableProblem.blaming(
      path, "opendir",
      FolderStream(FileDescriptor(opening: folder, for: .reading, .folder))
        .names(atMost: .max) { $0 != name && Self.contains($0, name) })
    return (names ?? []).map { String(decoding: $0, as: UTF8.self) }
  }

  /// True if the name is in the other one, and not the end of a longer word there: `msnbc.table` is not like `nbc.table`.
  private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard text.count >= part.count else { return false }
    return (0...(text.count - part.count)).contains { start in
      text[start..<(start + part.count)].elementsEqual(part) && (start == 0 || !isWord(text[start - 1]))
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

extension SharedReplayTable {
  /// The time from now on in which a table must not be made that vouches for all tokens, in milliseconds: three seconds
  /// after a name came into its folder or left it; 0 if they are over, or if there is a file already. A process that has a
  /// table open that was there finds out within a second of use that it is gone.
  package static func millisecondsUntilFormerUsersHaveNoticed(
    ofTableAt path: String
  ) throws(Problem) -> Int64 {
    if (try? FileStatus(ofLinkAt: path)) != nil { return 0 }
    let since = try FormerTables(path: path).millisecondsSinceChange(now: try now(path))
    return since < 0 ? 3000 : max(0, 3000 - since)
  }
}
