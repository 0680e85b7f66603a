internal import Glibc

/// An error of the system, by its `errno`.
package struct SystemError: Error, Sendable, Hashable {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// The error of the last system call of this thread that failed. Nothing may come between the call and this.
  static var last: SystemError { SystemError(code: errno) }
}

extension SystemError {
  /// EACCES: this user may not do that.
  package static var accessDenied: SystemError { SystemError(code: EACCES) }
  package static var addressInUse: SystemError { SystemError(code: EADDRINUSE) }
  /// EAGAIN, also known as EWOULDBLOCK: the call would have to wait.
  package static var wouldBlock: SystemError { SystemError(code: EAGAIN) }
  package static var exists: SystemError { SystemError(code: EEXIST) }
  /// EINTR: a signal came first.
  static var interrupted: SystemError { SystemError(code: EINTR) }
  package static var invalidArgument: SystemError { SystemError(code: EINVAL) }
  /// EIO: the device failed.
  package static var inputOutput: SystemError { SystemError(code: EIO) }
  package static var isFolder: SystemError { SystemError(code: EISDIR) }
  /// ELOOP: a symbolic link where none is followed, or too many of them.
  package static var link: SystemError { SystemError(code: ELOOP) }
  /// ECONNREFUSED: nothing listens there.
  package static var refused: SystemError { SystemError(code: ECONNREFUSED) }
  package static var missing: SystemError { SystemError(code: ENOENT) }
  /// ENOTDIR: something other than a folder is on the way.
  package static var notFolder: SystemError { SystemError(code: ENOTDIR) }
  /// ENOSPC: the disk is full.
  package static var noSpace: SystemError { SystemError(code: ENOSPC) }
  /// EDQUOT: the user has used up its share of the disk.
  package static var quotaExceeded: SystemError { SystemError(code: EDQUOT) }
  /// EPERM: no one but a privileged user may do that.
  package static var notPermitted: SystemError { SystemError(code: EPERM) }
  package static var readOnlyFileSystem: SystemError { SystemError(code: EROFS) }
}

extension SystemError: CustomStringConvertible {
  /// The system's text, which begins in lower case.
  package var description: String {
    var text = [CChar](repeating: 0, count: 256)
    // SAFETY: strerror_r writes at most `count` bytes, with a NUL byte at the end.
    guard unsafe strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
    let sentence = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return sentence.prefix(1).lowercased() + sentence.dropFirst()
  }
}
