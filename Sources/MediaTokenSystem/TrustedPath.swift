internal import Glibc

/// The way from the root folder to a file that decides something: a key, a configuration, a table.
///
/// A user who may change a folder decides what its names lead to, and a link's owner where it leads. So every folder from `/`,
/// every link, and what is at the end belong to root or to us (the effective user), and others may not write them. In a
/// folder that is sticky, as `/tmp` is, others may write: what they have there is theirs, and refused.
///
/// Each step is made from the open folder before it, follows no link by itself, and looks at what it opened: what was
/// trusted is what is read. A write by an access control list counts, as it shows in the group's bits (acl(5)).
package struct TrustedPath: ~Copyable, Sendable {
  /// The folder that holds the end, or that is the end.
  package let folder: TrustedFolder
  /// The name of the end in its folder; nil if the end is a folder.
  package let name: [UInt8]?
  package let status: FileStatus

  /// Walks to what is at this path, by way of the working directory if it has no root. Links are followed.
  package init(_ path: [UInt8]) throws(WalkError) { try self.init(path, from: .start(of: path)) }

  /// Walks on from a folder, by a name that may be that of a link.
  package init(_ name: [UInt8], in folder: borrowing TrustedFolder) throws(WalkError) {
    try self.init(name, from: folder.again())
  }

  /// Walks to a service's socket: see ``checkSocket(_:)``.
  private init(_ path: [UInt8], servedBy owner: UInt32) throws(WalkError) {
    try self.init(path, from: .start(of: path, TrustedOwners(andService: owner)))
  }

  fileprivate init(_ path: [UInt8], from start: consuming TrustedFolder) throws(WalkError) {
    guard !path.isEmpty else { throw .system(.missing) }
    var folder = start
    // The parts that are still to go.
    var rest = Self.parts(path)[...]
    var links = 0
    while let part = rest.popFirst() {
      guard let end = try folder.step(part) else { continue }
      switch end {
      case .link(let destination):
        links += 1
        // MAXSYMLINKS: as many as the kernel follows (path_resolution(7)).
        guard links <= 40 else { throw .system(.link) }
        if destination.first == Self.slash { folder = try .root(folder.owners) }
        rest = (Self.parts(destination) + rest)[...]
      case .file(let status):
        guard rest.isEmpty else { throw .system(.notFolder) }
        name = part
        self.status = status
        self.folder = folder
        return
      }
    }
    status = try folder.status()
    name = nil
    self.folder = folder
  }

  /// Opens the end for reading, if it is a file. What was opened is what is trusted.
  package borrowing func open() throws(WalkError) -> FileDescriptor {
    guard let name else { throw .system(.isFolder) }
    // First, so that a wrong owner is reported before a missing permission to read.
    try folder.check(status, name)
    let file = try folder.open(name, for: .reading)
    let number = file.number
    try folder.check(WalkError.at(FileStatus(of: number)), name)
    return file
  }

  /// Makes sure that no one can exchange a socket but root, us, and the user whose socket it is, who is the service that
  /// answers there: what is on the way may be theirs as well. It is to be called right before each connection.
  ///
  /// In a sticky folder anyone can make a socket that is not there at the moment. So what is another user's is trusted only in
  /// folders where others can make nothing.
  package static func checkSocket(_ path: String) throws(WalkError) {
    let owner = try WalkError.at(FileStatus(ofFileAt: path)).owner
    let end = try TrustedPath(Array(path.utf8), servedBy: owner)
    if let name = end.name { try end.folder.check(end.status, name) }
  }

  fileprivate static let slash = UInt8(ascii: "/")

  /// The parts of a path. One that ends with a slash ends with the part `.`, because it must lead to a folder.
  private static func parts(_ path: [UInt8]) -> [[UInt8]] {
    let parts = path.split(separator: slash).map(Array.init)
    return path.last == slash ? parts + [[UInt8(ascii: ".")]] : parts
  }
}

/// A folder to which every step from the root is trusted, and its path without links.
package struct TrustedFolder: ~Copyable, Sendable {
  private var descriptor: FileDescriptor
  /// Its names from the root; no name is a link's.
  private var names: [[UInt8]]
  fileprivate let owners: TrustedOwners

  /// The end of a walk, if it is not a folder.
  fileprivate enum End {
    case link(to: [UInt8])
    case file(FileStatus)
  }

  fileprivate static func root(_ owners: TrustedOwners) throws(WalkError) -> TrustedFolder {
    let root = TrustedFolder(
      try WalkError.at(FileDescriptor(opening: "/", for: .reading, [.placeOnly, .folder])), [],
      owners)
    _ = try root.status()
    return root
  }

  private init(_ descriptor: consuming FileDescriptor, _ names: [[UInt8]], _ owners: TrustedOwners) {
    self.descriptor = descriptor
    self.names = names
    self.owners = owners
  }

  /// The place where the walk to this path begins.
  fileprivate static func start(
    of path: [UInt8], _ owners: TrustedOwners = TrustedOwners()
  ) throws(WalkError) -> TrustedFolder {
    if path.first == TrustedPath.slash { return try root(owners) }
    // A working directory without a path can't be reached from the root (getcwd(3)).
    guard let here = SystemCall.workingDirectory, here.utf8.first == TrustedPath.slash else {
      throw .system(.missing)
    }
    return try TrustedPath(Array(here.utf8), from: root(owners)).asFolder()
  }

  package static func at(_ path: [UInt8]) throws(WalkError) -> TrustedFolder { try TrustedPath(path).asFolder() }

  /// The folder in which a file of this path is or is to be made.
  package static func holding(_ path: [UInt8]) throws(WalkError) -> TrustedFolder {
    let end = path.lastIndex(of: TrustedPath.slash).map { $0 + 1 } ?? 0
    return try .at(end == 0 ? [UInt8(ascii: ".")] : Array(path[..<end]))
  }

  /// For steps from here; it is open as a place only.
  package var number: Int32 { descriptor.number }

  /// Where it is from the root, without links.
  package var path: [UInt8] { path(of: nil) }

  private func path(of name: [UInt8]?) -> [UInt8] {
    let all = names + (name.map { [$0] } ?? [])
    return all.isEmpty ? [TrustedPath.slash] : all.flatMap { [TrustedPath.slash] + $0 }
  }

  /// The same folder once more, to walk on from.
  fileprivate borrowing func again() throws(WalkError) -> TrustedFolder {
    TrustedFolder(try place([UInt8(ascii: ".")], [.folder]), names, owners)
  }

  /// Opens a file of this name, which must not be a link.
  package borrowing func open(
    _ name: [UInt8], for access: FileDescriptor.Access, _ options: FileDescriptor.Options = [], mode: UInt32 = 0
  ) throws(WalkError) -> FileDescriptor {
    let (number, options) = (number, options.union([.noLink, .noWaiting, .noTerminal]))
    return try WalkError.at(
      FileDescriptor(opening: name, in: number, for: access, options, mode: mode))
  }

  package borrowing func listing() throws(WalkError) -> FolderStream {
    let folder = try open([UInt8(ascii: ".")], for: .reading, .folder)
    do throws(SystemError) {
      return try FolderStream(folder)
    } catch {
      throw .system(error)
    }
  }

  /// True if nothing in it can be written through this mount.
  package borrowing func isOnReadOnlyMount() throws(WalkError) -> Bool {
    let number = number
    return try WalkError.at(SystemCall.isOnReadOnlyMount(number))
  }

  /// The folder's status now, if it is trusted.
  package borrowing func status() throws(WalkError) -> FileStatus {
    let number = number
    let status = try WalkError.at(FileStatus(of: number))
    try check(status, nil)
    return status
  }

  /// Throws ``WalkError/distrusted(_:)`` for what has this name here, or is this folder.
  fileprivate borrowing func check(_ status: FileStatus, _ name: [UInt8]?) throws(WalkError) {
    guard let place = DistrustedPlace(status, at: path(of: name), owners) else { return }
    throw .distrusted(place)
  }

  /// Throws ``WalkError/distrusted(_:)`` for what belongs to a service and has this name here, if anyone could have made
  /// it. This folder is trusted, so it is sticky if others may write it.
  fileprivate borrowing func checkMaker(
    _ status: FileStatus, _ name: [UInt8], _ found: borrowing FileDescriptor
  ) throws(WalkError) {
    guard owners.isOnlyTheService(status.owner) else { return }
    let (number, foundNumber) = (number, found.number)
    let folder = try WalkError.at(FileStatus(of: number))
    guard folder.isWritableByOthers else { return }
    // What is mounted read-only, as a volume of a container, was chosen by those who mounted it.
    guard try WalkError.at(!SystemCall.isOnReadOnlyMount(foundNumber)) else { return }
    throw .distrusted(DistrustedPlace(makeable: status, at: path(of: name), owners))
  }

  /// Goes to the folder of this name, or says what is there instead.
  fileprivate mutating func step(_ name: [UInt8]) throws(WalkError) -> End? {
    if name == Array(".".utf8) { return nil }
    let found = try place(name, [])
    let number = found.number
    let status = try WalkError.at(FileStatus(of: number))
    if name == Array("..".utf8) {
      names = names.dropLast()
      descriptor = found
      return nil
    }
    switch status.kind {
    case .folder:
      // What is mounted on demand is mounted when it is opened as a folder, not as a place alone (open(2), O_PATH).
      let mounted = try place(name, [.folder])
      let number = mounted.number
      let status = try WalkError.at(FileStatus(of: number))
      try check(status, name)
      try checkMaker(status, name, mounted)
      names.append(name)
      descriptor = mounted
      return nil
    case .link:
      try check(status, name)
      try checkMaker(status, name, found)
      return .link(
        to: try WalkError.at(SystemCall.destination(ofLink: number)))
    default:
      try checkMaker(status, name, found)
      // Everything else is looked at when it is open.
      return .file(status)
    }
  }

  private borrowing func place(
    _ name: [UInt8], _ options: FileDescriptor.Options
  ) throws(WalkError) -> FileDescriptor {
    let number = number
    return try WalkError.at(
      FileDescriptor(opening: name, in: number, for: .reading, options.union([.placeOnly, .noLink])))
  }
}

extension TrustedPath {
  package consuming func asFolder() throws(WalkError) -> TrustedFolder {
    guard name == nil else { throw .system(.notFolder) }
    return folder
  }
}
