internal import MediaToken
internal import MediaTokenSystem

/// The users who may ask a daemon, as far as its socket tells.
struct DaemonAccess {
  private let socket: String

  /// The socket need not exist.
  init(_ socket: String) { self.socket = socket }

  /// The reason why nothing is asked there, or nil. The answer is believed, and so no other user may put a socket
  /// there. A socket that the walk does not reach is not asked either: it could be there a moment later.
  var obstacle: String? {
    if let problem = SocketSpelling.problem(socket) { return "is not asked: \(problem)" }
    if (try? FileStatus(ofFileAt: socket))?.kind == .folder {
      return "is not asked: it is a folder; write the path of the socket in it"
    }
    do throws(WalkError) {
      try TrustedPath.checkSocket(socket)
      return nil
    } catch {
      switch error {
      case .distrusted(let place): return "is not asked, because its socket may be exchanged: \(place)"
      // As where a socket is and nothing listens.
      case .system: return problem ?? "does not answer: \(DaemonClient.notConnected)"
      }
    }
  }

  /// The reason why the daemon does not answer this user; nil if it has another one. It connects once more and asks
  /// nothing: a daemon that has no answers for us says so before it reads.
  var problem: String? {
    let address = SocketAddress.local(socket)
    do throws(SystemError) {
      let connection = try Sockets.stream(for: address)
      try Sockets.connect(connection.number, to: address)
      return turnsAway(connection) ? forOtherPeers : nil
    } catch {
      return error == .accessDenied ? "may not be asked by this user: \(cure)" : nil
    }
  }

  /// The message for a daemon that answered 403 `peer`.
  var forOtherPeers: String {
    let others = "has no answers for this user: peers of its configuration lists others"
    return group.map { "\(others), and its socket is the group \($0)'s" } ?? others
  }

  /// The time that a daemon may take to turn us away, in milliseconds.
  private static let timeoutMilliseconds: Int32 = 500

  private func turnsAway(_ connection: borrowing FileDescriptor) -> Bool {
    var ready: [Poller.Event] = []
    var bytes = [UInt8](repeating: 0, count: 64)
    guard let poller = try? Poller() else { return false }
    guard (try? poller.add(connection.number, .reading, as: 1)) != nil else { return false }
    _ = poller.wait(milliseconds: Self.timeoutMilliseconds, &ready)
    defer { poller.remove(connection.number) }
    guard !ready.isEmpty else { return false }
    let count = (try? SystemCall.read(connection.number, into: &bytes, from: 0)) ?? 0
    return bytes.prefix(count).starts(with: "HTTP/1.1 403 ".utf8)
  }

  private var cure: String {
    guard let status = try? FileStatus(ofFileAt: socket) else {
      return "a folder on the way to it is closed to this user"
    }
    guard let group, status.mode & 0o020 != 0 else {
      return "only its owner may, by its mode 0\(String(status.mode, radix: 8))"
    }
    // Membership in root's group opens much more than a socket.
    guard status.group != 0 else {
      return
        "only members of root's group may; give the socket a group of its own: \"socket.group\" of its configuration"
    }
    return "members of the group \(group) may; add the user with usermod -aG \(group) USER, and log in again"
  }

  private var group: String? {
    (try? FileStatus(ofFileAt: socket)).map { VerdictText.shown(Accounts.groupName(ofID: $0.group)) }
  }
}
