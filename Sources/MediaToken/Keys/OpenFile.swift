internal import MediaTokenSystem

/// A file that is open for reading.
struct OpenFile: ~Copyable {
  private let descriptor: FileDescriptor
  /// What the file was when it was opened.
  let status: FileStatus

  /// Opens what is at the end of a trusted path. A FIFO or a device is not touched.
  ///
  /// - Throws: ``KeyError/Reason/notRegular(_:)``, ``KeyError/Reason/distrusted(_:)`` or
  ///   ``KeyError/Reason/cannotOpen(_:)``.
  init(_ path: borrowing TrustedPath) throws(KeyError.Reason) {
    guard path.status.kind == .regular else { throw .notRegular(path.status.kind) }
    let file = try rethrow(path.open(), as: KeyError.Reason.init)
    status = try Self.status(file.number)
    descriptor = file
  }

  /// Reads the whole file.
  ///
  /// Success says that it is regular, not longer than ``Limits/keyFileBytes``, and that size and time of the last write
  /// were the same before and after.
  ///
  /// - Throws: ``KeyError/Reason`` of a file.
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

/// A folder that is open for listing.
struct OpenFolder: ~Copyable {
  private let folder: TrustedFolder
  private let stream: FolderStream

  /// Opens the folder at the end of a trusted path.
  ///
  /// Success says that only root and we can add a name to it. A sticky folder must be mounted read-only for that (as
  /// Kubernetes mounts secrets, with mode 1777): what others add there may be a second name for a file of root's.
  ///
  /// - Throws: ``WalkError``.
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

  /// Opens the file of that name; a link is followed.
  func file(_ name: [UInt8]) throws(KeyError.Reason) -> OpenFile {
    try OpenFile(
      rethrow(TrustedPath(name, in: folder), as: KeyError.Reason.init))
  }

  /// The names in the folder that `isWanted` wants, in the system's order.
  ///
  /// - Throws: ``KeyError/Reason/tooManyFiles`` or ``KeyError/Reason/cannotRead(_:)``.
  func names(where isWanted: ([UInt8]) -> Bool) throws(KeyError.Reason) -> [[UInt8]] {
    let names = try rethrow(
      stream.names(atMost: Limits.keyFilesPerFolder, where: isWanted), as: KeyError.Reason.cannotRead)
    guard let names else { throw .tooManyFiles }
    return names
  }

  /// The status of the file of that name now, or nil if it does not exist.
  func status(of name: [UInt8]) -> FileStatus? { try? FileStatus(of: name, in: folder.number) }
}

extension KeyError.Reason {
  /// Walks to a path; one that is empty or holds a NUL byte, which would make it another name, is refused.
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
