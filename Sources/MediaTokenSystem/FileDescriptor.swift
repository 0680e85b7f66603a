internal import CLinux
internal import Glibc

/// Owner of the descriptor of an open file, which deinit closes.
package struct FileDescriptor: ~Copyable, Sendable {
  /// For ``SystemCall``; it is open for as long as this value lives.
  package let number: Int32

  /// Nothing else closes the descriptor.
  package init(owning number: Int32) { self.number = number }

  // Also after EINTR the descriptor is closed (close(2)), and what had to be on the disk was synchronised before.
  deinit { _ = Glibc.close(number) }

  consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// close(2) of a file that was written to: an error of the writing may be reported only now.
  package consuming func close() throws(SystemError) {
    // Never retried after EINTR: by then the number may belong to another file.
    guard Glibc.close(release()) == 0 else { throw .last }
  }
}

extension FileDescriptor {
  package enum Access: Sendable {
    case reading, writing, both
  }

  /// open(2).
  package struct Options: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Creates the file, and fails if there is one, whatever it is: O_CREAT with O_EXCL.
    package static var new: Options { Options(rawValue: O_CREAT | O_EXCL) }
    package static var created: Options { Options(rawValue: O_CREAT) }
    package static var folder: Options { Options(rawValue: O_DIRECTORY) }
    /// Fails if the last part of the path is a symbolic link.
    package static var noLink: Options { Options(rawValue: O_NOFOLLOW) }
    /// Opens no file, not even a device's, but only its place: enough to look at it and to go on from there: O_PATH. With
    /// `noLink` a link itself.
    static var placeOnly: Options { Options(rawValue: mediatoken_o_path()) }
    /// Does not wait for a FIFO's writer, or for data.
    package static var noWaiting: Options { Options(rawValue: O_NONBLOCK) }
    /// A terminal does not become the process's own.
    package static var noTerminal: Options { Options(rawValue: O_NOCTTY) }
  }

  /// openat(2), always with O_CLOEXEC. A path without a root is seen from `folder`, or from the working directory. The
  /// umask is taken from `mode`. EINVAL for a path with a NUL byte.
  package init(
    opening path: some Collection<UInt8>, in folder: Int32? = nil, for access: Access, _ options: Options = [],
    mode: UInt32 = 0
  ) throws(SystemError) {
    let path = try SystemCall.terminated(path)
    let way =
      switch access {
      case .reading: O_RDONLY
      case .writing: O_WRONLY
      case .both: O_RDWR
      }
    let flags = way | options.rawValue | O_CLOEXEC
    // SAFETY: the path ends with the only NUL byte in it and outlives the call.
    number = try SystemCall.uninterrupted { unsafe openat(folder ?? AT_FDCWD, path, flags, mode) }
  }

  package init(opening path: String, for access: Access, _ options: Options = [], mode: UInt32 = 0)
    throws(SystemError)
  {
    try self.init(opening: path.utf8, for: access, options, mode: mode)
  }
}
