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
    /// Users other than root and the effective user can change the folder; the place where they can.
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
    /// An inherited descriptor is not a listening stream socket.
    case notListening
    case system(StaticString, SystemError)
  }

  /// Makes a system call, and says in its error which call failed, and where.
  static func at<Value: ~Copyable>(
    _ place: String, _ call: StaticString, _ body: () throws(SystemError) -> Value
  ) throws(ListenerError) -> Value {
    try rethrow(body()) { (error: SystemError) in ListenerError(place, .system(call, error)) }
  }

  /// Why a folder was not opened.
  init(_ place: String, opening error: WalkError) {
    switch error {
    case .system(let error): self.init(place, .system("open", error))
    case .distrusted(let found): self.init(place, .distrusted(found))
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
    case .emptyPath: "the path of the socket is empty"
    case .nulInPath:
      "the path holds a NUL byte; name a file, because abstract sockets have no owner and no mode"
    case .longPath(let bytes):
      "expected a path of at most \(SocketPath.longest) bytes, found \(bytes); use a shorter one"
    case .distrusted(let place): place.description
    case .link: "the path is a symbolic link; remove it"
    case .notASocket: "the path is a file that is not a socket; remove it"
    case .locked: "another daemon holds its lock; stop that one first"
    case .foreignLock: "the lock is a link, a special file or another user's; remove it, or choose another folder"
    case .answered: "a program answers at the socket; stop it first"
    case .notLoopback: "not a loopback address; write 127.0.0.1:PORT or [::1]:PORT"
    case .notListening: "not a listening stream socket, local or on the loopback interface"
    case .system(let call, let failure): "\(call): \(failure.description)"
    }
  }
}
