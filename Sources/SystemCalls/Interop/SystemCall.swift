internal import Glibc
internal import MediaToken

/// A system call that failed.
package struct SystemFailure: Error {
  /// The value of errno.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// The system's words for it.
  package var description: String { SystemError(code: code).description }
}

/// The system calls that the programs need, each repeated when a signal interrupts it.
package enum SystemCall {
  /// What `open` is for.
  package enum Purpose {
    case read
    /// Fails if the file exists, whatever it is.
    case create(mode: UInt32)
  }

  /// open(2) with O_CLOEXEC.
  package static func open(_ path: String, for purpose: Purpose) throws(SystemFailure) -> Int32 {
    guard !path.utf8.contains(0) else { throw SystemFailure(code: EINVAL) }
    return try repeated { () -> Int32 in
      switch purpose {
      case .read: unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
      case .create(let mode): unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      }
    }
  }

  /// read(2) into the end of `bytes`, behind `used`: at least one byte, 0 at the end.
  package static func read(_ descriptor: Int32, into room: UnsafeMutableRawBufferPointer) throws(SystemFailure)
    -> Int
  {
    try repeated(descriptor, POLLIN) { unsafe Glibc.read(descriptor, room.baseAddress, room.count) }
  }

  /// read(2) into `bytes`, from `start` on: how many bytes came, 0 at the end.
  package static func read(_ descriptor: Int32, into bytes: inout [UInt8], from start: Int) throws(SystemFailure)
    -> Int
  {
    // SAFETY: read(2) writes at most the room's length.
    let result = unsafe bytes.withUnsafeMutableBytes { bytes -> Swift.Result<Int, SystemFailure> in
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      return Swift.Result { () throws(SystemFailure) in try unsafe read(descriptor, into: room) }
    }
    return try result.get()
  }

  /// write(2) until everything is written.
  package static func write(_ descriptor: Int32, _ bytes: Span<UInt8>) throws(SystemFailure) {
    var written = 0
    while written < bytes.count {
      let rest = bytes.extracting(written...)
      written += try repeated(descriptor, POLLOUT) {
        // SAFETY: write(2) reads at most the span's length.
        unsafe rest.withUnsafeBytes { bytes in unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
      }
    }
  }

  /// fsync(2) and close(2): whether what was written is on its way to the disk.
  package static func syncAndClose(_ descriptor: Int32) throws(SystemFailure) {
    let synced = fsync(descriptor)
    let code = errno
    guard Glibc.close(descriptor) == 0, synced == 0 else {
      throw SystemFailure(code: synced == 0 ? errno : code)
    }
  }

  /// close(2) of a file that was only read.
  package static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  /// getuid(2): who runs the program.
  package static var userID: UInt32 { getuid() }

  /// unlink(2).
  package static func unlink(_ path: String) throws(SystemFailure) {
    try repeated { () -> Int32 in unsafe Glibc.unlink(path) }
  }

  /// mkdir(2); a folder that is already there is fine.
  package static func makeFolder(_ path: String) throws(SystemFailure) {
    guard unsafe mkdir(path, 0o755) == 0 || errno == EEXIST else { throw SystemFailure(code: errno) }
  }

  @discardableResult
  private static func repeated<Number: BinaryInteger>(
    _ descriptor: Int32? = nil, _ events: Int32 = 0, _ call: () -> Number
  ) throws(SystemFailure) -> Number {
    while true {
      let result = call()
      if result >= 0 { return result }
      switch errno {
      case EINTR: continue
      case EAGAIN where descriptor != nil: wait(descriptor ?? -1, events)
      case let code: throw SystemFailure(code: code)
      }
    }
  }

  /// Somebody made the descriptor non-blocking: wait until it is ready.
  private static func wait(_ descriptor: Int32, _ events: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
    _ = unsafe poll(&request, 1, -1)
  }
}
