internal import MediaTokenSystem

struct OpenFile: ~Copyable {
  private let descriptor: FileDescriptor
  /// At the opening.
  let status: FileStatus

  /// Opens the end of a trusted path. A FIFO or a device is not touched.
  init(_ path: borrowing TrustedPath) throws(KeyError.Reason) {
    guard path.status.kind == .regular else { throw .notRegular(path.status.kind) }
    let file = try rethrow(path.open(), as: KeyError.Reason.init)
    status = try Self.status(file.number)
    descriptor = file
  }

  /// Success says that the file is regular, not longer than ``Limits/keyFileBytes``, and that size and time of the last
  /// write were the same before and after.
  func contents() throws(KeyError.Reason) -> [UInt8] {
    guard status.kind == .regular else { throw .notRegular(status.kind) }
    guard status.size <= Limits.keyFileBytes else { throw .tooLarge(bytes: status.size) }
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

  private func read(into bytes: inout [UInt8], from start: Int) throws(KeyError.Reason) -> Int {
    try rethrow(SystemCall.read(descriptor.number, into: &bytes, from: start), as: KeyError.Reason.cannotRead)
  }

  private static func status(_ descriptor: Int32) throws(KeyError.Reason) -> FileStatus {
    try rethrow(FileStatus(of: descriptor), as: KeyError.Reason.cannotRead)
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
  func file(_ name: [UInt8]) throws(KeyError.Reason) -> OpenFile {
    try OpenFile(
      rethrow(TrustedPath(name, in: folder), as: KeyError.Reason.init))
  }

  /// In the system's order.
  func names(where isWanted: ([UInt8]) -> Bool) throws(KeyError.Reason) -> [[UInt8]] {
    let names = try rethrow(
      stream.names(atMost: Limits.keyFilesPerFolder, where: isWanted), as: KeyError.Reason.cannotRead)
    guard let names else { throw .tooManyFiles }
    return names
  }

  /// Nil if the file does not exist now.
  func status(of name: [UInt8]) -> FileStatus? { try? FileStatus(of: name, in: folder.number) }
}

extension KeyError.Reason {
  /// A path that is empty or holds a NUL byte, which would make it another name, is refused.
  static func walking(to path: [UInt8]) throws(KeyError.Reason) -> TrustedPath {
    guard !path.isEmpty, !path.contains(0) else { throw .unusableName }
    return try rethrow(TrustedPath(path), as: KeyError.Reason.init)
  }

  init(_ error: WalkError) {
    self =
      switch error {
      case .system(let error): .cannotOpen(error)
      case .distrusted(let place): .distrusted(place)
      }
  }
}
