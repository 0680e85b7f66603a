package import MediaTokenSystem

/// Why there is no listener.
package struct ListenerError: Error {
  /// The path or address that was asked for.
  package let place: String
  package let reason: Reason

  package enum Reason {
    case emptyPath
    case nulInPath
    /// More bytes than fit into an address (unix(7)).
    case longPath(bytes: Int)
    /// Others than root and we decide what is in the folder; where they do.
    case distrusted(DistrustedPlace)
    case link
    case notASocket
    /// Another daemon has the lock.
    case locked
    /// The lock's file is a link, special, or belongs to another user.
    case foreignLock
    /// A program without the lock answers at the socket.
    case answered
    case notLoopback
    /// A descriptor that was handed over is no listening stream socket.
    case notListening
    case system(StaticString, SystemError)
  }

  /// Calls the system, and says where and during which call it failed.
  static func at<Value: ~Copyable>(
    _ place: String, _ call: StaticString, _ body: () throws(SystemError) -> Value
  ) throws(ListenerError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw ListenerError(place, .system(call, error))
    }
  }

  init(_ place: String, _ reason: Reason) {
    self.place = place
    self.reason = reason
  }
}

extension ListenerError: CustomStringConvertible {
  package var description: String { "\(DisplayText.escaped(place)): \(reason)" }
}

extension ListenerError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .emptyPath: "expected the path of a socket, found nothing"
    case .nulInPath:
      "expected a path in the file system, found a NUL byte; abstract sockets have no owner and no mode"
    case .longPath(let bytes):
      "expected a path of at most \(SocketPath.longest) bytes, found \(bytes); use a shorter one"
    case .distrusted(let place): place.description
    case .link: "expected no file or a socket that is not in use, found a symbolic link; remove it"
    case .notASocket: "expected no file or a socket that is not in use, found another file; remove it"
    case .locked: "expected a socket that is not in use, but another daemon holds its lock; stop that one first"
    case .foreignLock: "expected a regular lock file of our own or of root; remove it, or choose another folder"
    case .answered: "expected a socket that is not in use, but a program answers there; stop it first"
    case .notLoopback: "expected 127.0.0.1:PORT or [::1]:PORT"
    case .notListening: "expected a listening stream socket, local or on the loopback interface"
    case .system(let call, let failure): "\(call): \(failure.description)"
    }
  }
}
