internal import Glibc

// Every system call of the library is in this file, and so is every look at errno.

/// What the system says of an open file, as far as it matters here.
struct FileFacts: Equatable, Sendable {
  let kind: FileKind
  /// The twelve permission bits.
  let mode: UInt32
  /// In bytes.
  let size: Int
  /// Which file it is, and in nanoseconds when it was written last.
  private let identity: [Int]

  /// Whether others than its owner may write to it.
  var isWritableByOthers: Bool { mode & (S_IWGRP | S_IWOTH) != 0 }

  fileprivate init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFIFO: .fifo
      case S_IFSOCK: .socket
      case S_IFCHR, S_IFBLK: .device
      default: .other
      }
    mode = status.st_mode & 0o7777
    size = status.st_size
    identity = [
      Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino), status.st_mtim.tv_sec,
      status.st_mtim.tv_nsec,
    ]
  }
}

/// Owner of the descriptor of a file that is open for reading.
struct OpenFile: ~Copyable {
  private let descriptor: Int32
  /// What the file was when it was opened.
  let facts: FileFacts

  /// Opens `path`; links are followed. A FIFO without a writer does not block, a terminal does not become ours.
  ///
  /// - Throws: ``KeyError/Reason/unusableName`` or ``KeyError/Reason/cannotOpen(_:)``.
  init(_ path: [UInt8]) throws(KeyError.Reason) {
    try self.init(path, relativeTo: AT_FDCWD)
  }

  /// Opens the file of that name in the folder, as ``init(_:)``.
  init(_ name: [UInt8], in folder: borrowing OpenFolder) throws(KeyError.Reason) {
    try self.init(name, relativeTo: folder.descriptor)
  }

  private init(_ path: [UInt8], relativeTo folder: Int32) throws(KeyError.Reason) {
    let path = try cString(path)
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    // SAFETY: `path` ends with the only NUL byte in it and outlives the call.
    let descriptor = try retrying(KeyError.Reason.cannotOpen) { unsafe openat(folder, path, flags) }
    do throws(KeyError.Reason) {
      facts = try status(of: descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  // Also after EINTR the descriptor is closed (close(2)), and it was only read.
  deinit { close(descriptor) }

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
      let count = try retrying(KeyError.Reason.cannotRead) {
        // SAFETY: the buffer is the array's, for this call only; `read` writes at most what is left of it.
        unsafe bytes.withUnsafeMutableBytes { buffer in
          let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
          return unsafe read(descriptor, rest.baseAddress, rest.count)
        }
      }
      if count == 0 { break }
      filled += count
    }
    guard filled == facts.size, try status(of: descriptor) == facts else { throw .changedWhileRead }
    bytes.removeLast()
    return bytes
  }
}

/// Owner of a directory stream.
@safe struct OpenFolder: ~Copyable {
  // SAFETY: made in init, closed in deinit with the descriptor that it owns, used only through this value.
  private let stream: OpaquePointer
  fileprivate let descriptor: Int32

  /// Opens the folder at `path`; links are followed.
  ///
  /// Success says that nobody but its owner can add files to it: the mode says so, or it is mounted read-only (as
  /// Kubernetes mounts secrets, with mode 1777).
  ///
  /// - Throws: ``KeyError/Reason`` of a file.
  init(_ path: [UInt8]) throws(KeyError.Reason) {
    let path = try cString(path)
    // SAFETY: `path` ends with the only NUL byte in it and outlives the call.
    let descriptor = try retrying(KeyError.Reason.cannotOpen) {
      unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    do throws(KeyError.Reason) {
      let facts = try status(of: descriptor)
      var system = statvfs()
      // SAFETY: both structures live in this scope.
      _ = try retrying(KeyError.Reason.cannotOpen) { unsafe fstatvfs(descriptor, &system) }
      guard !facts.isWritableByOthers || system.f_flag & UInt(ST_RDONLY) != 0 else {
        throw .writableByOthers(mode: facts.mode)
      }
    } catch {
      close(descriptor)
      throw error
    }
    // SAFETY: on success the stream owns the descriptor.
    guard let stream = unsafe fdopendir(descriptor) else {
      let error = SystemError(code: errno)
      close(descriptor)
      throw .cannotOpen(error)
    }
    unsafe self.stream = stream
    self.descriptor = descriptor
  }

  deinit { unsafe closedir(stream) }

  /// The names in the folder that `isWanted` wants, in the system's order.
  ///
  /// - Throws: ``KeyError/Reason/tooManyFiles`` or ``KeyError/Reason/cannotRead(_:)``.
  func names(atMost limit: Int, where isWanted: ([UInt8]) -> Bool) throws(KeyError.Reason) -> [[UInt8]] {
    var names: [[UInt8]] = []
    unsafe rewinddir(stream)
    while true {
      errno = 0
      // SAFETY: the entry is valid until the next call on this stream; its name ends with a NUL byte.
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw .cannotRead(SystemError(code: errno)) }
        return names
      }
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe Array(bytes.prefix { $0 != 0 })
      }
      guard isWanted(name) else { continue }
      guard names.count < limit else { throw .tooManyFiles }
      names.append(name)
    }
  }

  /// What the file of that name is now, or nil if there is none.
  func facts(of name: [UInt8]) -> FileFacts? {
    var status = stat()
    // SAFETY: `status` lives in this scope; the name ends with the only NUL byte in it.
    guard let name = try? cString(name), unsafe fstatat(descriptor, name, &status, 0) == 0 else { return nil }
    return FileFacts(status)
  }
}

extension SystemError: CustomStringConvertible {
  /// The system's text for it, which begins in lower case.
  public var description: String {
    var text = [CChar](repeating: 0, count: 256)
    // SAFETY: strerror_r writes at most `count` bytes, with a NUL byte at the end.
    guard unsafe strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
    let sentence = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return sentence.prefix(1).lowercased() + sentence.dropFirst()
  }
}

/// Calls the system until it is not interrupted; -1 is a failure.
private func retrying<Count: SignedInteger>(
  _ failure: (SystemError) -> KeyError.Reason, _ call: () -> Count
) throws(KeyError.Reason) -> Count {
  while true {
    let result = call()
    guard result == -1 else { return result }
    let code = errno
    guard code == EINTR else { throw failure(SystemError(code: code)) }
  }
}

private func status(of descriptor: Int32) throws(KeyError.Reason) -> FileFacts {
  var status = stat()
  // SAFETY: the structure lives in this scope.
  _ = try retrying(KeyError.Reason.cannotRead) { unsafe fstat(descriptor, &status) }
  return FileFacts(status)
}

/// The bytes as a C string; a NUL byte in them would make it another name.
private func cString(_ bytes: [UInt8]) throws(KeyError.Reason) -> [CChar] {
  guard !bytes.isEmpty, !bytes.contains(0) else { throw .unusableName }
  return bytes.map { CChar(bitPattern: $0) } + [0]
}
