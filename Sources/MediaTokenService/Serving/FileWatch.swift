internal import MediaToken

/// Notices that files were exchanged, by looking at them once in a while: no descriptor to lose, and it works for links that
/// are moved, for folders, and on every file system.
struct FileWatch {
  private let paths: [String]
  private var seen: [TrustedFile.Stamp]
  private var isUnsettled = false

  /// Remembers what the files are now.
  init(_ paths: [String]) {
    self.paths = paths
    seen = paths.map { TrustedFile.stamp($0) }
  }

  /// Whether something changed, and has stayed as it is since the last look: who writes several files, or slowly, is let
  /// finish.
  mutating func hasSettledChange() -> Bool {
    let now = paths.map { TrustedFile.stamp($0) }
    if now != seen {
      seen = now
      isUnsettled = true
      return false
    }
    defer { isUnsettled = false }
    return isUnsettled
  }
}
