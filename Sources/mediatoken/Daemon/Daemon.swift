internal import MediaToken
internal import MediaTokenSystem

/// A daemon at its UNIX socket, which is asked one question over one connection.
struct Daemon {
  let socket: String
  /// For everything together, in milliseconds.
  let limit: Int

  /// The longest answer that is read, in bytes: room for a token of the greatest length with every byte escaped, and
  /// for the other members.
  private static let longestAnswer = 1 << 20

  func answer(to question: [UInt8]) throws(Problem) -> DaemonAnswer {
    let name = "the daemon at \(VerdictText.shown(socket))"
    do throws(Problem) {
      let deadline = MonotonicTime.now + UInt64(limit) * 1_000_000
      if let connection = try connection(until: deadline) {
        return try DaemonAnswer(exchange(question, over: connection, until: deadline))
      }
    } catch {
      throw Problem("\(name) \(error.description)")
    }
    throw Problem("cannot reach \(name)", cure: "is it running?")
  }

  // MARK: who may ask

  /// The answer is believed, and so no other user may put a socket there. A socket that the walk does not reach is not
  /// asked either: it could be there a moment later. Nil if nothing is there, or nothing accepts.
  private func connection(until deadline: UInt64) throws(Problem) -> FileDescriptor? {
    if let problem = SocketSpelling.problem(socket) { throw Problem("is not asked: \(problem)") }
    if (try? FileStatus(ofFileAt: socket))?.kind == .folder {
      throw Problem("is not asked: it is a folder; write the path of the socket in it")
    }
    do throws(WalkError) {
      try TrustedPath.checkSocket(socket)
      return try rethrow(connect(until: deadline), as: WalkError.system)
    } catch {
      switch error {
      case .distrusted(let place):
        throw Problem("is not asked, because its socket may be exchanged: \(place)")
      case .system(.accessDenied): throw Problem("may not be asked by this user: \(cure)")
      case .system: return nil
      }
    }
  }

  private func connect(until deadline: UInt64) throws(SystemError) -> FileDescriptor {
    let address = SocketAddress.local(socket)
    let connection = try Sockets.stream(for: address)
    let timer = try Poller()
    var nothing: [Poller.Event] = []
    while true {
      do throws(SystemError) {
        try Sockets.connect(connection.number, to: address)
        return connection
      } catch {
        // Those who came before have not been accepted yet (unix(7), connect(2)).
        guard error == .wouldBlock, MonotonicTime.now < deadline else { throw error }
        _ = timer.wait(milliseconds: 10, &nothing)
      }
    }
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

  // MARK: the exchange

  /// All that came before the daemon ended the connection. An answer that came before it had taken the question is read all the
  /// same.
  private func exchange(
    _ question: [UInt8], over connection: borrowing FileDescriptor, until deadline: UInt64
  ) throws(Problem) -> [UInt8] {
    let (poller, buffer) = (try poller(for: connection), ReceiveBuffer(byteCount: 64 * 1024))
    var (answer, sent, ready): ([UInt8], Int, [Poller.Event]) = ([], 0, [])
    while true {
      let now = MonotonicTime.now
      guard now < deadline else { throw Problem("did not answer within \(limit) ms") }
      _ = poller.wait(milliseconds: Int32((deadline - now) / 1_000_000 + 1), &ready)
      if sent < question.count {
        switch Sockets.send(connection.number, question.span.extracting(sent...)) {
        case .bytes(let count): sent += count
        case .broken: sent = question.count
        }
        if sent == question.count { try? poller.change(connection.number, .reading, as: 0) }
      }
      switch buffer.receive(from: connection.number) {
      case .nothing: continue
      case .end: return answer
      case .bytes: answer.append(copying: buffer.bytes)
      }
      guard answer.count <= Self.longestAnswer else {
        throw Problem("answered more than \(Self.longestAnswer) bytes")
      }
    }
  }

  private func poller(for connection: borrowing FileDescriptor) throws(Problem) -> Poller {
    do throws(SystemError) {
      let poller = try Poller()
      try poller.add(connection.number, [.reading, .writing], as: 0)
      return poller
    } catch {
      throw Problem("is not asked: \(error.description)")
    }
  }
}
