internal import Glibc

/// The system's calls, by subject in the files of this folder.
///
/// Each is called again when a signal interrupts it, unless it says otherwise, and throws what the system says.
package enum SystemCall {
  /// The only loop for EINTR. The call returns less than 0 and sets errno if it fails.
  static func uninterrupted<Number: SignedInteger>(_ call: () -> Number) throws(SystemError) -> Number {
    while true {
      let result = call()
      if result >= 0 { return result }
      let error = SystemError.last
      if error != .interrupted { throw error }
    }
  }

  /// The same for a call that must not wait: nil if it would have to (EAGAIN).
  static func unlessBlocked<Number: SignedInteger>(_ call: () -> Number) throws(SystemError) -> Number? {
    do throws(SystemError) {
      return try uninterrupted(call)
    } catch {
      if error == .wouldBlock { return nil }
      throw error
    }
  }

  /// The same for a call that must wait, even if a program that shares the descriptor has made it non-blocking.
  static func waiting<Number: SignedInteger>(
    _ descriptor: Int32, for events: Int32, _ call: () -> Number
  ) throws(SystemError) -> Number {
    while true {
      if let result = try unlessBlocked(call) { return result }
      var request = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
      // SAFETY: poll reads and writes the one structure. What it says does not matter: the call is made again.
      _ = unsafe poll(&request, 1, -1)
    }
  }

  /// The same for a function that returns the number of its error, or 0.
  static func succeeding(_ call: () -> Int32) throws(SystemError) {
    _ = try uninterrupted {
      let code = call()
      if code == 0 { return 0 }
      errno = code
      return -1
    }
  }

  /// The bytes as a C string. One that holds a NUL byte would name another file: EINVAL.
  static func terminated(_ text: some Collection<UInt8>) throws(SystemError) -> [CChar] {
    guard !text.contains(0) else { throw .invalidArgument }
    return text.map { CChar(bitPattern: $0) } + [0]
  }
}
