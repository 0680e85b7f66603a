internal import Glibc

/// The first place on the way to a file that users other than root and the effective user can change.
///
/// Its text names the place, its owner and mode, and the command that cures it.
package struct DistrustedPlace: Sendable, Hashable {
  /// The place from the root, without links on the way, byte for byte.
  package let path: [UInt8]
  package let owner: UInt32
  /// Its twelve permission bits.
  package let mode: UInt32
  package let kind: FileStatus.FileType
  /// The effective user, for whom the place was checked, and the user of the service whose socket is at the end, if
  /// another.
  private let (trusting, service): (UInt32, UInt32?)
  private let isForeign: Bool
  /// True if it is the service's, in a folder where anyone could have made it.
  private var isMakeable = false
  /// True if the program is to write there, which it can't where all is root's.
  private var isWritten = false

  /// Nil if what was found belongs to root or to us, and others can't write it. The modes of a link and of a socket say
  /// nothing about who may exchange it, and in a sticky folder others can't touch what is ours.
  init?(_ status: FileStatus, at path: [UInt8], _ owners: TrustedOwners) {
    isForeign = !owners.include(status.owner)
    let isOpen =
      status.isWritableByOthers && status.kind != .link && status.kind != .socket
      && !(status.kind == .folder && status.isSticky)
    guard isForeign || isOpen else { return nil }
    (self.path, owner, mode, kind) = (path, status.owner, status.mode, status.kind)
    (trusting, service) = (owners.ours, owners.service)
  }

  /// A place that belongs to a service, in a folder where anyone could have made it.
  init(makeable status: FileStatus, at path: [UInt8], _ owners: TrustedOwners) {
    (self.path, owner, mode, kind) = (path, status.owner, status.mode, status.kind)
    (trusting, service, isForeign, isMakeable) = (owners.ours, nil, true, true)
  }

  /// Nil if the file at the end of a path belongs to root or to us, no matter who may write it.
  package init?(foreign status: FileStatus, at path: [UInt8]) {
    let owners = TrustedOwners()
    guard !owners.include(status.owner) else { return nil }
    (self.path, owner, mode, kind) = (path, status.owner, status.mode, status.kind)
    (trusting, service, isForeign) = (owners.ours, nil, true)
  }

  /// A folder that is listed, so that every name in it counts: others may not write it, sticky or not.
  package init(listed status: FileStatus, at path: [UInt8]) {
    (self.path, owner, mode, kind) = (path, status.owner, status.mode, status.kind)
    (trusting, service, isForeign) = (CurrentProcess.effectiveUserID, nil, false)
  }
}

extension DistrustedPlace {
  /// The same on the way to what this user writes: its cure leaves that possible.
  package var written: DistrustedPlace {
    var copy = self
    copy.isWritten = true
    return copy
  }
}

extension DistrustedPlace: CustomStringConvertible {
  package var description: String { "\(fact); \(cure)" }

  package var fact: String {
    // How the kernel shows users that a user namespace does not map (user_namespaces(7)).
    let isUnknown = owner == UserNamespace.unknown && !UserNamespace.everyUserIsKnown
    let unknown = isUnknown ? " (or a user that this container does not know)" : ""
    return "the \(name) \(DisplayText.escaped(path)) may be changed by users other than \(trusted): "
      + "user \(owner)\(unknown) owns it, "
      + (isMakeable
        ? "in a sticky folder, where anyone could have made it" : "and its mode is 0\(String(mode, radix: 8))")
  }

  package var cure: String {
    if isMakeable { return "move the socket to a folder that only its service may write" }
    // What root makes there, its owner, as a rule a service, could not use.
    if isForeign, trusting == 0, isWritten { return "do this as that user: \(asOwnerCommand) …" }
    let asOwner = isForeign && trusting == 0 ? "do this as user \(owner), or " : ""
    if isForeign, trusting == 0, kind == .folder || isClosed {
      // If it were root's, its owner, perhaps a service, could no longer use it.
      return "\(asOwner)copy the file to a folder that only root may write"
    }
    if isOfOthers {
      return "\(isWritten ? "choose a path in" : "move the file to") a folder that only \(trusted) may write"
    }
    return "\(asOwner)run: \(command)"
  }

  private var trusted: String {
    let users = [trusting == 0 ? nil : trusting, service].compactMap { $0.map { "\($0)" } }
    return (["root"] + users.dropLast()).joined(separator: ", ") + (users.last.map { " and \($0)" } ?? "")
  }

  private var name: String {
    switch kind {
    case .folder: "folder"
    case .link: "link"
    case .socket: "socket"
    default: "file"
    }
  }

  /// A prefix that runs the command after it as the owner.
  private var asOwnerCommand: String {
    let name = Accounts.userName(ofID: owner)
    return name == "\(owner)"
      ? "setpriv --reuid \(owner) --clear-groups --" : "runuser -u \(DisplayText.shellWord(Array(name.utf8))) --"
  }

  /// True if it is a folder whose owner and mode are not to be changed for one program: a sticky one of root's or ours, or
  /// one that is not the program's own.
  private var isOfOthers: Bool {
    kind == .folder && (mode & S_ISVTX != 0 && !isForeign || !PathCure.isOwn(folder: path, owner: owner))
  }

  /// True if others may not even read the file, or enter the folder.
  private var isClosed: Bool {
    kind == .regular && mode & S_IROTH == 0 || kind == .folder && mode & S_IXOTH == 0
  }

  private var command: String {
    let word = DisplayText.shellWord(path)
    // If root owned what this user must read, enter or write, it could no longer do so.
    let heir = (isClosed || isWritten) && trusting != 0 ? "\(trusting)" : "root:"
    let owner = isForeign ? "chown \(kind == .link ? "-h " : "")\(heir) \(word)" : nil
    let isOpen =
      mode & (S_IWGRP | S_IWOTH) != 0 && kind != .link && !(isForeign && kind == .folder && mode & S_ISVTX != 0)
    return [owner, isOpen ? "chmod go-w \(word)" : nil].compactMap { $0 }.joined(separator: " && ")
  }
}

/// The reason why a path was not walked to its end.
package enum WalkError: Error {
  case system(SystemError)
  /// A user whom we don't trust decides where it leads.
  case distrusted(DistrustedPlace)

  /// What the system refuses to do on the way ends it.
  package static func at<Value: ~Copyable>(
    _ step: @autoclosure () throws(SystemError) -> Value
  ) throws(WalkError) -> Value { try rethrow(step(), as: WalkError.system) }
}

/// The users whose files count: root and us, and on the way to a service's socket the service's.
struct TrustedOwners: Sendable {
  let ours = CurrentProcess.effectiveUserID
  /// The user of a service, if it is neither root nor us.
  let service: UInt32?

  init() { service = nil }

  init(andService service: UInt32) {
    self.service = service != 0 && service != ours && UserNamespace.isOne(service) ? service : nil
  }

  func include(_ owner: UInt32) -> Bool {
    owner == 0 || owner == service || owner == ours && UserNamespace.isOne(owner)
  }

  func isOnlyTheService(_ owner: UInt32) -> Bool { owner == service }
}
