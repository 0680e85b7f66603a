import Glibc
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP

extension HTTPTests {
  /// Cases 167 and 168: who owns the socket, and who never gets it.
  @Suite("Listening sockets")
  struct ListeningSocketTests {
    static func facts(_ path: String) -> stat {
      var facts = stat()
      _ = unsafe lstat(path, &facts)
      return facts
    }

    static func reason(_ path: String) -> String {
      do {
        _ = try ListeningSocket.open(SocketPath(path: path))
        return "none"
      } catch {
        return "\(error.reason)"
      }
    }

    /// In a process of its own: the mask is the process's, and other tests make files.
    @Test func modeIsWhatWasAskedFor() async throws {
      await #expect(processExitsWith: .success) {
        for mask in [0, 0o077] as [mode_t] {
          umask(mask)
          for mode in [0o600, 0o660, 0o666, 0o770] as [UInt32] {
            let fixture = try HTTPFixture(serve: false)
            let listener = try ListeningSocket.open(SocketPath(path: fixture.path, mode: mode, group: getgid()))
            let facts = Self.facts(fixture.path)
            #expect(facts.st_mode & 0o7777 == mode && facts.st_mode & S_IFMT == S_IFSOCK)
            #expect(facts.st_gid == getgid())
            listener.removeName()
          }
        }
      }
    }

    @Test func pathsThatCannotBeAreRefused() throws {
      let fixture = try HTTPFixture(serve: false)
      #expect(Self.reason("").contains("is empty"))
      #expect(Self.reason("\0abstract").contains("NUL"))
      #expect(Self.reason(fixture.folder + "/nowhere/s").contains("no such file"))
      let room = SocketPath.longest - fixture.folder.utf8.count - 1
      #expect(Self.reason(fixture.folder + "/" + String(repeating: "x", count: room + 1)).contains("found 108"))
      let longest = fixture.folder + "/" + String(repeating: "x", count: room)
      let listener = try ListeningSocket.open(SocketPath(path: longest))
      _ = try RawClient(longest)
      listener.removeName()
      unsafe unlink(longest + ".lock")
    }

    @Test func linksFilesAndOpenFoldersAreRefused() throws {
      let fixture = try HTTPFixture(serve: false)
      let target = fixture.folder + "/link"
      #expect(unsafe symlink(target, fixture.path) == 0)
      #expect(Self.reason(fixture.path).contains("symbolic link"))
      #expect(Self.facts(fixture.path).st_mode & S_IFMT == S_IFLNK)
      unsafe unlink(fixture.path)
      close(unsafe open(fixture.path, O_CREAT | O_WRONLY, 0o600))
      #expect(Self.reason(fixture.path).contains("not a socket"))
      #expect(Self.facts(fixture.path).st_mode & S_IFMT == S_IFREG)
      unsafe unlink(fixture.path)
      unsafe unlink(fixture.path + ".lock")
      #expect(unsafe symlink(target, fixture.path + ".lock") == 0)
      #expect(Self.reason(fixture.path).contains("the lock is a link"))
      unsafe unlink(fixture.path + ".lock")
      unsafe chmod(fixture.folder, 0o777)
      #expect(Self.reason(fixture.path).hasSuffix("mode is 0777; run: chmod go-w \(fixture.folder)"))
      unsafe chmod(fixture.folder, 0o775)
      #expect(Self.reason(fixture.path).hasSuffix("mode is 0775; run: chmod go-w \(fixture.folder)"))
      unsafe chmod(fixture.folder, 0o1777)
      #expect(Self.reason(fixture.path) == "none")
    }

    @Test func socketThatNoOneServesIsReplaced() throws {
      let fixture = try HTTPFixture(serve: false)
      let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      try Sockets.bind(dead, to: .local(fixture.path))
      close(dead)
      try fixture.start()
      let client = try fixture.connect()
      client.ask()
    }

    @Test func liveDaemonIsNotPushedAside() throws {
      let fixture = try HTTPFixture()
      let inode = Self.facts(fixture.path).st_ino
      #expect(Self.reason(fixture.path).contains("holds its lock"))
      #expect(Self.facts(fixture.path).st_ino == inode)
      // Nor if the lock's file was removed: it still answers.
      unsafe unlink(fixture.path + ".lock")
      #expect(Self.reason(fixture.path).contains("a program answers"))
      #expect(Self.facts(fixture.path).st_ino == inode)
      let client = try fixture.connect()
      client.ask()
    }

    @Test func programWithAFullBacklogIsNotPushedAside() throws {
      let fixture = try HTTPFixture(serve: false)
      let busy = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(busy) }
      try Sockets.bind(busy, to: .local(fixture.path))
      #expect(listen(busy, 0) == 0)
      let waiting = try RawClient(fixture.path)
      #expect(Self.reason(fixture.path).contains("a program answers"))
      _ = waiting
    }

    @Test func onlyOurOwnNameIsTakenAway() throws {
      let fixture = try HTTPFixture()
      unsafe unlink(fixture.path)
      let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(other) }
      try Sockets.bind(other, to: .local(fixture.path))
      let inode = Self.facts(fixture.path).st_ino
      fixture.stop()
      #expect(Self.facts(fixture.path).st_ino == inode)
    }

    @Test func listenerThatIsNotServedLeavesNoName() throws {
      let fixture = try HTTPFixture(serve: false)
      do {
        let listener = try ListeningSocket.open(SocketPath(path: fixture.path))
        #expect(unsafe access(fixture.path, F_OK) == 0)
        _ = consume listener
      }
      #expect(unsafe access(fixture.path, F_OK) != 0)
    }

    @Test func serverCanBeStartedAgain() throws {
      let fixture = try HTTPFixture()
      for _ in 0..<3 {
        fixture.stop()
        try fixture.start()
        let client = try fixture.connect()
        client.ask()
      }
    }

    /// A child that was forked meanwhile has the same open file, as a second descriptor of it has.
    @Test func lockEndsWithTheSocketWhateverAChildHasOpen() throws {
      let fixture = try HTTPFixture(serve: false)
      let place = SocketPath(path: fixture.path)
      var lock: SocketLock? = try SocketLock(place)
      let child = dup(try #require(lock?.descriptor))
      defer { close(child) }
      #expect(throws: ListenerError.self) { _ = try SocketLock(place) }
      lock = nil
      #expect(child >= 0)
      _ = try SocketLock(place)
    }

    @Test(arguments: [
      "127.0.0.1", "0.0.0.0:1", "127.0.0.1:", "127.0.0.1:+1", "127.0.0.1:65536", "[::]:1", "localhost:1", "",
    ])
    func onlyLoopbackAddressesAreTaken(address: String) {
      #expect(throws: ListenerError.self) { try ListeningSocket.openLoopback(address) }
    }

    @Test func peerOverTCPIsNoOneInParticular() throws {
      let listener = try ListeningSocket.openLoopback("127.0.0.1:0")
      let handler = EchoHandler.Seen()
      let address = Self.addressOf(listener)
      let server = try Server(listeners: [listener], options: HTTPFixture.patientOptions) { EchoHandler(handler) }
      let client = Self.connect(to: address)
      defer { close(client) }
      let request = Array(HTTPExchangeTests.get("/peer", "Connection: close\r\n").utf8)
      #expect(unsafe send(client, request, request.count, 0) == request.count)
      var answer: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = unsafe recv(client, &bytes, bytes.count, 0)
        if count <= 0 { break }
        answer += bytes.prefix(count)
      }
      #expect(
        String(decoding: answer, as: UTF8.self).hasSuffix("\r\n\r\ntcp"), "127.0.0.1 in network order"
      )
      #expect(server.stop(within: .seconds(60)) == 0)
    }

    /// Every local user can connect over TCP, so that must not use up what callers of the socket need.
    @Test func connectionsOverTCPTakeNoPlaceFromTheSocket() throws {
      let fixture = try HTTPFixture(serve: false)
      let tcp = try ListeningSocket.openLoopback("127.0.0.1:0")
      let address = Self.addressOf(tcp)
      var options = HTTPFixture.patientOptions
      options.connectionLimit = HTTPLimits.tcpConnections + 4
      let server = try Server(
        listeners: [tcp, try ListeningSocket.open(SocketPath(path: fixture.path))], options: options
      ) { EchoHandler(EchoHandler.Seen()) }
      var strangers: [Int32] = []
      for number in 0..<(3 * HTTPLimits.tcpConnections) {
        let stranger = Self.connect(to: address)
        // Some wait with the acceptor, and some with the library.
        if number % 2 == 0 { _ = unsafe send(stranger, "G", 1, Int32(MSG_NOSIGNAL)) }
        strangers.append(stranger)
      }
      #expect(try waitUntil { server.counters.crowdedOut.value >= HTTPLimits.tcpConnections })
      #expect(try waitUntil { server.counters.openOverTCP.value <= HTTPLimits.tcpConnections })
      // One who asks at once has an answer, however many are silent.
      let scraper = Self.connect(to: address)
      let question = Array(HTTPExchangeTests.get("/x").utf8)
      #expect(unsafe send(scraper, question, question.count, Int32(MSG_NOSIGNAL)) == question.count)
      var answer = [UInt8](repeating: 0, count: 100)
      #expect(unsafe recv(scraper, &answer, answer.count, 0) > 0)
      close(scraper)
      for _ in 0..<3 {
        let client = try fixture.connect()
        client.send(HTTPExchangeTests.get("/x", "Connection: close\r\n"))
        #expect(client.readAll().statuses == [200])
      }
      for stranger in strangers { close(stranger) }
      #expect(try waitUntil { server.counters.openConnections.value == 0 })
      let late = Self.connect(to: address)
      defer { close(late) }
      #expect(try waitUntil { server.counters.openConnections.value == 1 })
      _ = server.stop(within: .milliseconds(100))
    }

    static func addressOf(_ listener: borrowing ListeningSocket) -> sockaddr_in {
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = listener.descriptor
      #expect(
        unsafe withUnsafeMutablePointer(to: &address) {
          unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe getsockname(descriptor, $0, &length)
          }
        } == 0)
      return address
    }

    static func connect(to address: sockaddr_in) -> Int32 {
      var address = address
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #expect(
        unsafe withUnsafePointer(to: &address) {
          unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        } == 0)
      return client
    }

    /// As many descriptors as there can't be: the first that is not a listener is named. In a process of its own, as it is about
    /// the environment of the process.
    @Test func absurdNumberOfInheritedListenersIsRefused() async {
      await #expect(processExitsWith: .success) {
        unsafe setenv("LISTEN_PID", "\(getpid())", 1)
        unsafe setenv("LISTEN_FDS", "\(Int32.max)", 1)
        #expect(throws: ListenerError.self) { try InheritedSockets.take() }
        #expect(unsafe getenv("LISTEN_FDS") == nil)
      }
    }

    @Test func inheritedListenerIsServedAndKeepsItsName() throws {
      let fixture = try HTTPFixture(serve: false)
      let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      try Sockets.bind(made, to: .local(fixture.path))
      #expect(throws: ListenerError.self) { try InheritedSockets.adopt(made) }
      let again = dup(made)
      #expect(listen(again, 8) == 0)
      let server = try Server(
        listeners: [try InheritedSockets.adopt(dup(again))], options: HTTPFixture.patientOptions
      ) { EchoHandler(EchoHandler.Seen()) }
      let client = try RawClient(fixture.path)
      client.ask()
      #expect(server.stop(within: .seconds(60)) == 0)
      // A client that comes now waits for the next daemon.
      _ = try RawClient(fixture.path)
      #expect(Self.facts(fixture.path).st_mode & S_IFMT == S_IFSOCK)
      for descriptor in [made, again] { close(descriptor) }
    }
  }
}
