internal import MediaTokenSystem

struct OpenFile: ~Copyable {
  private let descriptor: FileDescriptor
  /// At the opening.
  let status: FileStatus

  /// Opens the end of a trusted path. A FIFO or a device is not touched.
  init(_ path: borrowing TrustedPath, named name: [UInt8]) throws(Problem) {
    guard path.status.kind == .regular else { throw .notRegular(path.status.kind) }
    let file = try rethrow(path.open()) { (error: WalkError) in Problem(opening: name, error) }
    status = try Self.status(file.number)
    descriptor = file
  }

  /// Success says that the file is regular, not longer than ``Limits/keyFileBytes``, and that size and time of the last
  /// write were the same before and after.
  func contents() throws(Problem) -> [UInt8] {
    guard status.kind == .regular else { throw .notRegular(status.kind) }
    guard status.size <= Limits.keyFileBytes else { throw .tooLarge(status.size) }
    // One byte more than there should be shows that the file grew.
    var bytes = [UInt8](repeating: 0, count: status.size + 1)
    var filled = 0
    while filled < bytes.count {
      let count = try read(into: &bytes, from: filled)
      if count == 0 { break }
      filled += count
    }
    guard filled == status.size, try Self.status(descriptor.number) == status else { throw .changedWhileRead }
    bytes.removeLast()
    return bytes
  }

  private func read(into bytes: inout [UInt8], from start: Int) throws(Problem) -> Int {
    try rethrow(SystemCall.read(descriptor.number, into: &bytes, from: start), as: Problem.cannotRead)
  }

  private static func status(_ descriptor: Int32) throws(Problem) -> FileStatus {
    try rethrow(FileStatus(of: descriptor), as: Problem.cannotRead)
  }
}

struct OpenFolder: ~Copyable {
  private let folder: TrustedFolder
  private let stream: FolderStream

  /// Success says that only root and we can add a name to the folder. A sticky folder must be mounted read-only for that
  /// (as Kubernetes mounts secrets, with mode 1777): what others add there may be a second name for a file of root's.
  init(_ path: consuming TrustedPath) throws(WalkError) {
    let status = path.status
    let folder = try path.asFolder()
    let stream = try folder.listing()
    if status.isWritableByOthers, try !folder.isOnReadOnlyMount() {
      throw .distrusted(DistrustedPlace(listed: status, at: folder.path))
    }
    self.folder = folder
    self.stream = stream
  }

  /// A link is followed.
  func file(_ name: [UInt8], at path: [UInt8]) throws(Problem) -> OpenFile {
    let end = try rethrow(TrustedPath(name, in: folder)) { (error: WalkError) in Problem(opening: path, error) }
    return try OpenFile(end, named: path)
  }

  /// In the system's order.
  func names(where isWanted: ([UInt8]) -> Bool) throws(Problem) -> [[UInt8]] {
    let names = try rethrow(
      stream.names(atMost: Limits.keyFilesPerFolder, where: isWanted), as: Problem.cannotRead)
    guard let names else { throw .tooManyFiles }
    return names
  }

  /// Nil if the file does not exist now.
  func status(of name: [UInt8]) -> FileStatus? { try? FileStatus(of: name, in: folder.number) }
}

extension TrustedFile {
  /// A path that is empty or holds a NUL byte, which would make it another name, is refused.
  static func walk(to path: [UInt8]) throws(Problem) -> TrustedPath {
    guard !path.isEmpty, !path.contains(0) else { throw .unusableName }
    return try rethrow(TrustedPath(path)) { (error: WalkError) in Problem(opening: path, error) }
  }
}

extension Problem {
  /// The code of a file that does not exist.
  package static let missing = "missing"

  static var unusableName: Problem { Problem("the file name is empty or holds a NUL byte") }
  static var changedWhileRead: Problem {
    Problem("it changed while it was read", cure: "try again when it is complete")
  }
  static var tooManyFiles: Problem {
    Problem("the folder holds more than \(Limits.keyFilesPerFolder) key files", cure: "is it the right one?")
  }

  /// A file could not be opened for reading.
  init(opening path: [UInt8], _ error: WalkError) {
    switch error {
    case .distrusted(let place): self.init(place.fact, cure: place.cure)
    case .system(let error):
      self.init(
        "cannot be opened: \(error)",
        cure: PathCure.cure(String(decoding: path, as: UTF8.self), after: error, for: .reading),
        code: error == .missing ? Self.missing : nil)
    }
  }

  static func cannotRead(_ error: SystemError) -> Problem { Problem("cannot be read: \(error)") }

  static func notRegular(_ kind: FileStatus.FileType) -> Problem {
    Problem("expected a regular file, found a \(kind.rawValue)")
  }

  static func tooLarge(_ bytes: Int) -> Problem {
    Problem("expected at most \(Limits.keyFileBytes) bytes, found \(bytes)", cure: "is it the right file?")
  }
}
