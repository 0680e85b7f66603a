internal import Glibc

/// What to type where a path can't be used as it is: for the end of a message. As a rule only root may do it.
package enum PathCure {
  /// What is wanted of the path.
  package enum Use: Sendable {
    /// To read the file, or the names in the folder. Whose it is does not matter.
    case reading
    /// To have the file, or the folder that it is in, for oneself. A folder that is missing is made with this mode.
    case owning(folderMode: String)
  }

  /// The cure after an error of the system, with "; " in front; empty if none is known.
  ///
  /// - Parameter path: the file's; its folder and those above it are looked at as well.
  package static func text(_ path: String, after error: SystemError, for use: Use) -> String {
    switch error {
    case .missing: return missing(path, use) + relative(path)
    case .accessDenied: return denied(path, use).map { "; run: \($0)" } ?? ""
    default: return ""
    }
  }

  private static func missing(_ path: String, _ use: Use) -> String {
    let folder = folder(of: path)
    guard case .owning(let mode) = use, (try? FileStatus(ofFileAt: folder)) == nil else { return "" }
    return
      "; there is no folder \(DisplayText.escaped(folder)); run: install -d -m \(mode) -o \(user) \(word(folder))"
  }

  private static func relative(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = SystemCall.workingDirectory else { return "" }
    return
      "; it is looked for in \(DisplayText.escaped(folder)): a path that begins with / is the same from everywhere"
  }

  /// The first place on the way that this user may not use.
  private static func denied(_ path: String, _ use: Use) -> String? {
    var parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    guard let last = parts.popLast() else { return nil }
    var place = path.hasPrefix("/") ? "/" : "."
    for (index, part) in parts.enumerated() {
      place += place.hasSuffix("/") ? part : "/" + part
      // What is above the file's own folder may be others', too.
      if !may(X_OK, place) { return cure(place, index == parts.count - 1 ? use : .reading, isFolder: true) }
    }
    let file = place + (place.hasSuffix("/") ? "" : "/") + last
    guard let status = try? FileStatus(ofFileAt: file) else {
      if case .owning = use, !may(W_OK, place) { return cure(place, use, isFolder: true) }
      return nil
    }
    let isFolder = status.kind == .folder
    if case .owning = use { return may(R_OK | W_OK, file) ? nil : cure(file, use, isFolder: isFolder) }
    return may(isFolder ? R_OK | X_OK : R_OK, file) ? nil : cure(file, use, isFolder: isFolder)
  }

  private static func cure(_ place: String, _ use: Use, isFolder: Bool) -> String {
    let name = word(place.hasPrefix("./") ? String(place.dropFirst(2)) : place)
    let bits = isFolder ? "rx" : "r"
    if (try? FileStatus(ofFileAt: place))?.owner == CurrentProcess.effectiveUserID {
      if case .owning = use { return "chmod u+\(isFolder ? "rwx" : "rw") \(name)" }
      return "chmod u+\(bits) \(name)"
    }
    if case .owning = use { return "chown \(user) \(name)" }
    return "chgrp \(Accounts.groupName(ofID: CurrentProcess.effectiveGroupID)) \(name) && chmod g+\(bits) \(name)"
  }

  /// faccessat(2) for the effective user.
  private static func may(_ access: Int32, _ path: String) -> Bool {
    // SAFETY: the path is a C string for as long as the call lasts.
    unsafe faccessat(AT_FDCWD, path, access, AT_EACCESS) == 0
  }

  private static var user: String { Accounts.userName(ofID: CurrentProcess.effectiveUserID) }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func word(_ path: String) -> String { DisplayText.shellWord(Array(path.utf8)) }
}
