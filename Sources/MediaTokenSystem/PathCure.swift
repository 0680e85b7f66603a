internal import Glibc

/// The commands to type where a path can't be used as it is: for the end of a message. As a rule only root may do it.
package enum PathCure {
  package enum Use: Sendable {
    /// To read the file, or the names in the folder. Whose it is does not matter.
    case reading
    /// To have the file, or the folder that it is in, for oneself. A folder that is missing is made with this mode.
    case owning(folderMode: String)
  }

  /// The cure after an error of the system, if one is known. The path's folder and those above it are looked at as well.
  package static func cure(_ path: String, after error: SystemError, for use: Use) -> String? {
    switch error {
    case .missing:
      if let cure = unexpanded(path) { return cure }
      let cures = [missing(path, use), relative(path)].compactMap { $0 }
      return cures.isEmpty ? nil : cures.joined(separator: "; ")
    case .accessDenied: return denied(path, use)
    default: return nil
    }
  }

  /// True if the owner, group and mode of a folder may be changed for this program: it is this user's, or its path has the
  /// name of this software. Any other may be in use by programs that would no longer work.
  static func isOwn(folder: [UInt8], owner: UInt32) -> Bool {
    let names = folder.split(separator: UInt8(ascii: "/"))
    let isUsers = owner == CurrentProcess.effectiveUserID
    // The names before `..` are not those of the folder.
    if names.contains(where: { $0.elementsEqual("..".utf8) }) { return isUsers && owner != 0 }
    // Those of root, for which this user may be root.
    let isOfTheSystem =
      names.count < 2 || names.count == 2 && ["usr", "var"].contains(String(decoding: names[0], as: UTF8.self))
    return isUsers && !isOfTheSystem || names.contains { $0.starts(with: "mediatoken".utf8) }
  }

  private static func isOwn(folder: String) -> Bool {
    let isWhole = folder.hasPrefix("/")
    let path = isWhole ? folder : (SystemCall.workingDirectory ?? "") + "/" + folder
    guard let status = try? FileStatus(ofFileAt: folder) else { return false }
    return isOwn(folder: Array(path.utf8), owner: status.owner)
  }

  /// A shell or systemd would have put something in the place of a variable; here it is a name. A descriptor that was open
  /// at the start is closed.
  private static func unexpanded(_ path: String) -> String? {
    if ["/dev/fd/", "/proc/self/fd/", "/dev/std"].contains(where: { path.hasPrefix($0) }) {
      return "a descriptor, as of <(…), is closed at the start; write a file, and give its path"
    }
    guard let name = path.split(separator: "/").first(where: { $0.contains("$") || $0 == "~" || $0.hasPrefix("%") })
    else { return nil }
    return "nothing is put in the place of \(DisplayText.escaped(String(name))) here; write the path itself"
  }

  private static func missing(_ path: String, _ use: Use) -> String? {
    let folder = folder(of: path)
    guard case .owning(let mode) = use, (try? FileStatus(ofFileAt: folder)) == nil else { return nil }
    return
      "there is no folder \(DisplayText.escaped(folder)); run: install -d -m \(mode) -o \(user) \(word(folder))"
  }

  private static func relative(_ path: String) -> String? {
    guard !path.hasPrefix("/"), let folder = SystemCall.workingDirectory else { return nil }
    return
      "it is looked for in \(DisplayText.escaped(folder)): a path that begins with / is the same from everywhere"
  }

  /// The cure of the first place on the way that this user may not use.
  private static func denied(_ path: String, _ use: Use) -> String? {
    var parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    guard let last = parts.popLast() else { return nil }
    var place = path.hasPrefix("/") ? "/" : "."
    for (index, part) in parts.enumerated() {
      place += place.hasSuffix("/") ? part : "/" + part
      if may(X_OK, place) { continue }
      guard isOwn(folder: place) else { return elsewhere(closed: place, use) }
      // What is above the file's own folder may be others', too.
      return change(place, index == parts.count - 1 ? use : .reading, isFolder: true)
    }
    let file = place + (place.hasSuffix("/") ? "" : "/") + last
    let status = try? FileStatus(ofFileAt: file)
    let isFolder = status?.kind == .folder
    if case .owning(let mode) = use {
      let (target, needed) = status == nil ? (place, W_OK) : (file, R_OK | W_OK)
      if may(needed, target) { return nil }
      // A file in a folder of others may be theirs: a path can have been mistyped.
      guard isOwn(folder: isFolder ? file : place) else { return elsewhere(in: place, last, mode) }
      return change(target, use, isFolder: status == nil || isFolder)
    }
    guard let status, !may(isFolder ? R_OK | X_OK : R_OK, file) else { return nil }
    let isChangeable = isFolder ? isOwn(folder: file) : status.group == 0 || status.group == status.owner
    return isChangeable ? change(file, use, isFolder: isFolder) : elsewhere(closed: file, use)
  }

  private static func elsewhere(closed place: String, _ use: Use) -> String {
    let fact = "\(DisplayText.escaped(place)) is closed to user \(user), and may be in use by others; "
    guard case .reading = use else { return fact + "choose a path in a folder of user \(user)'s own" }
    return fact + "put a copy in a folder that user \(user) may read, and write the path of that one"
  }

  private static func elsewhere(in place: String, _ name: String, _ mode: String) -> String {
    let own = place + (place.hasSuffix("/") ? "" : "/") + user
    return
      "choose a path in a folder of user \(user)'s own; run: install -d -m \(mode) -o \(user) \(word(own)), and write "
      + "the path \(DisplayText.escaped(own + "/" + name))"
  }

  private static func change(_ place: String, _ use: Use, isFolder: Bool) -> String {
    let name = word(place.hasPrefix("./") ? String(place.dropFirst(2)) : place)
    let bits = isFolder ? "rx" : "r"
    if (try? FileStatus(ofFileAt: place))?.owner == CurrentProcess.effectiveUserID {
      if case .owning = use { return "run: chmod u+\(isFolder ? "rwx" : "rw") \(name)" }
      return "run: chmod u+\(bits) \(name)"
    }
    if case .owning = use { return "run: chown \(user) \(name)" }
    let group = Accounts.groupName(ofID: CurrentProcess.effectiveGroupID)
    return "run: chgrp \(group) \(name) && chmod g+\(bits) \(name)"
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
