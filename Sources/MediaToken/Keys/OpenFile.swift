internal import MediaTokenSystem

/// What the system says of an open file, as far as it matters here.
struct FileFacts: Equatable, Sendable {
  let kind: FileKind
  /// The twelve permission bits.
  let mode: UInt32
  /// In bytes.
  let size: Int
  /// Whether others than its owner may write to it.
  let isWritableByOthers: Bool
  /// Which file it is, and when it was written last.
  private let identity: [UInt64]

  fileprivate init(_ status: FileStatus) {
    kind =
      switch status.kind {
      case .regular: .regular
      case .folder: .folder
      case .fifo: .fifo
      case .socket: .socket
      case .device: .device
      case .link, .other: .other
      }
    mode = status.mode
    size = status.size
    isWritableByOthers = status.isWritableByOthers
    identity = [
      status.device, status.inode, UInt64(bitPattern: Int64(status.modifiedSeconds)),
      UInt64(bitPattern: Int64(status.modifiedNanoseconds)),
    ]
  }

  /// Of an open file.
  fileprivate init(of descriptor: Int32) throws(KeyError.Reason) {
    do throws(SystemError) {
      self.init(try FileStatus(of: descriptor))
    } catch {
      throw .cannotRead(error)
    }
  }
}

/// A file that is open for reading.
struct OpenFile: ~Copyable {
  private let descriptor: FileDescriptor
  /// What the file was when it was opened.
  let facts: FileFacts

  /// Opens `path`; links are followed. A FIFO without a writer does not block, a terminal does not become ours.
  ///
  /// - Throws: ``KeyError/Reason/unusableName`` or ``KeyError/Reason/cannotOpen(_:)``.
  init(_ path: [UInt8]) throws(KeyError.Reason) {
    try self.init(path, relativeTo: nil)
  }

  /// Opens the file of that name in the folder, as ``init(_:)``.
  init(_ name: [UInt8], in folder: borrowing OpenFolder) throws(KeyError.Reason) {
    try self.init(name, relativeTo: folder.descriptor)
  }

  private init(_ path: [UInt8], relativeTo folder: Int32?) throws(KeyError.Reason) {
    let descriptor = try open(path, in: folder, [.noWaiting, .noTerminal])
    facts = try FileFacts(of: descriptor.number)
    self.descriptor = descriptor
  }

  /// Reads the whole file.
  ///
  /// Success says that it is regular, not longer than ``Limits/keyFileBytes``, writable by its owner alone, and
  /// that size and time of the last write were the same before and after.
  ///
  /// - Throws: ``KeyError/Reason`` of a file.
  func contents() throws(KeyError.Reason) -> [UInt8] {
    guard facts.kind == .regular else { throw .notRegular(facts.kind) }
    guard !facts.isWritableByOthers else { throw .writableByOthers(mode: facts.mode) }
    guard facts.size <= Limits.keyFileBytes else { throw .tooLarge(bytes: facts.size) }
    // One byte more than there should be shows that the file grew.
    var bytes = [UInt8](repeating: 0, count: facts.size + 1)
    var filled = 0
    while filled < bytes.count {
      let count = try read(into: &bytes, from: filled)
      if count == 0 { break }
      filled += count
    }
    guard filled == facts.size, try FileFacts(of: descriptor.number) == facts else { throw .changedWhileRead }
    bytes.removeLast()
    return bytes
  }

  private func read(into bytes: inout [UInt8], from start: Int) throws(KeyError.Reason) -> Int {
    do throws(SystemError) {
      return try SystemCall.read(descriptor.number, into: &bytes, from: start)
    } catch {
      throw .cannotRead(error)
    }
  }
}

/// A folder that is open for listing.
struct OpenFolder: ~Copyable {
  private let stream: FolderStream
  fileprivate var descriptor: Int32 { stream.number }

  /// Opens the folder at `path`; links are followed.
  ///
  /// Success says that nobody but its owner can add files to it: the mode says so, or it is mounted read-only (as
  /// Kubernetes mounts secrets, with mode 1777).
  ///
  /// - Throws: ``KeyError/Reason`` of a file.
  init(_ path: [UInt8]) throws(KeyError.Reason) {
    let descriptor = try open(path, in: nil, .folder)
    let facts = try FileFacts(of: descriptor.number)
    let isReadOnly: Bool
    do throws(SystemError) {
      isReadOnly = try SystemCall.isOnReadOnlyMount(descriptor.number)
    } catch {
      throw .cannotOpen(error)
    }
    guard !facts.isWritableByOthers || isReadOnly else { throw .writableByOthers(mode: facts.mode) }
    do throws(SystemError) {
      stream = try FolderStream(descriptor)
    } catch {
      throw .cannotOpen(error)
    }
  }

  /// The names in the folder that `isWanted` wants, in the system's order.
  ///
  /// - Throws: ``KeyError/Reason/tooManyFiles`` or ``KeyError/Reason/cannotRead(_:)``.
  func names(atMost limit: Int, where isWanted: ([UInt8]) -> Bool) throws(KeyError.Reason) -> [[UInt8]] {
    var names: [[UInt8]] = []
    do throws(SystemError) {
      try stream.forEachName { name in
        if isWanted(name) { names.append(name) }
        return names.count <= limit
      }
    } catch {
      throw .cannotRead(error)
    }
    guard names.count <= limit else { throw .tooManyFiles }
    return names
  }

  /// What the file of that name is now, or nil if there is none.
  func facts(of name: [UInt8]) -> FileFacts? { (try? FileStatus(of: name, in: descriptor)).map(FileFacts.init) }
}

private func open(
  _ path: [UInt8], in folder: Int32?, _ options: FileDescriptor.Options
) throws(KeyError.Reason) -> FileDescriptor {
  // A NUL byte would make it another name.
  guard !path.isEmpty, !path.contains(0) else { throw .unusableName }
  do throws(SystemError) {
    return try FileDescriptor(opening: path, in: folder, for: .reading, options)
  } catch {
    throw .cannotOpen(error)
  }
}
