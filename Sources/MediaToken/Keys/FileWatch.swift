/// Notices that files were replaced, by looking at them once in a while: this needs no descriptor, and works for links that
/// are moved, for folders, and on every file system.
package struct FileWatch: Sendable {
  private var paths: [String]
  private var seen: [TrustedFile.Stamp]
  /// The time when the change was seen that was not reported yet, on the clock that is never set.
  private var changeTime: UInt64?

  /// The time for which a change must have settled, in nanoseconds.
  private static let settlingTime: UInt64 = 1_000_000_000

  package init(_ paths: [String]) {
    self.paths = paths
    seen = paths.map { TrustedFile.stamp($0) }
  }

  /// Files that were watched before keep their states: they may have been read since.
  package mutating func follow(_ paths: [String]) {
    let former = Dictionary(zip(self.paths, seen)) { first, _ in first }
    seen = paths.map { former[$0] ?? TrustedFile.stamp($0) }
    self.paths = paths
  }

  /// True if something changed, and has stayed as it is for a second: so that slow writers and writers of several files can
  /// finish.
  package mutating func hasSettledChange(at time: UInt64) -> Bool {
    let now = paths.map { TrustedFile.stamp($0) }
    if now != seen {
      seen = now
      changeTime = time
      return false
    }
    guard let changed = changeTime, time &- changed >= Self.settlingTime else { return false }
    changeTime = nil
    return true
  }
}
