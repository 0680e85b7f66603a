package import MediaTokenSystem

/// The reason why there is no listener.
package struct ListenerError: Error {
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
    case locked(by: Holder?)
    /// The lock's file is a link, special, or belongs to another user.
    case foreignLock
    /// A program without the lock answers at the socket.
    case answered(by: Holder?)
    case portInUse(by: Holder?)
    case foreignOwner(user: UInt32?, group: UInt32?)
    case notLoopback
    case notListening
    case system(StaticString, SystemError)
  }

  /// The error names the call that failed, and the place.
  static func at<Value: ~Copyable>(
    _ place: String, _ call: StaticString, _ body: () throws(SystemError) -> Value
  ) throws(ListenerError) -> Value {
    try rethrow(body()) { (error: SystemError) in ListenerError(place, .system(call, error)) }
  }

  init(_ place: String, opening error: WalkError) {
    switch error {
    case .system(let error): self.init(place, .system("open", error))
    case .distrusted(let found): self.init(place, .distrusted(found.written))
    }
  }

  init(_ place: String, _ reason: Reason) {
    self.place = place
    self.reason = reason
  }
}

extension ListenerError: CustomStringConvertible {
  package var description: String { "\(DisplayText.escaped(place)): \(reason)\(cure)" }

  private var cure: String {
    guard case .system(let call, let error) = reason, call.description == "open" else { return "" }
    return PathCure.cure(place, after: error, for: .owning(folderMode: "0755")).map { "; \($0)" } ?? ""
  }
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
    case .answered(let holder):
      "a program answers at the socket; stop it first" + (holder.map { ": \($0)" } ?? "")
    case .portInUse(let holder):
      "the port is in use by \(holder?.description ?? "a process"); stop it, or choose another port (as root ss -ltnp shows who listens)"
    case .foreignOwner(let user, let group):
      Self.ownership(user: user, group: group)
    case .notLoopback: "not a loopback address; write 127.0.0.1:PORT or [::1]:PORT"
    case .notListening: "not a listening stream socket, local or on the loopback interface"
    case .system(let call, let failure): "\(call): \(failure.description)"
    }
  }

  private static func ownership(user: UInt32?, group: UInt32?) -> String {
    let ours = Accounts.userName(ofID: CurrentProcess.effectiveUserID)
    guard user ?? CurrentProcess.effectiveUserID == CurrentProcess.effectiveUserID, let group else {
      return "only root may give the socket to another user; leave owner out, and give it a group"
    }
    let name = Accounts.groupName(ofID: group)
    return
      "user \(ours) may give the socket only to a group that it is in; run: usermod -aG \(name) \(ours); then start it again. "
      + "mediatokend.service also needs SupplementaryGroups=\(name) and SystemCallFilter=@chown (systemctl edit mediatokend)"
  }
}
