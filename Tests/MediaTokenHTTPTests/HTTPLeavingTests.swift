import Glibc
import Testing

@testable import MediaTokenHTTP

extension HTTPTests {
  @Suite("Clients that leave")
  struct HTTPLeavingTests {
    @Test func halfClosedClientGetsItsAnswer() throws {
      let fixture = try HTTPFixture()
      for target in ["/x", "/slow", "/big"] {
        let client = try fixture.connect()
        client.send(HTTPExchangeTests.get(target))
        client.finishSending()
        #expect(client.readAll().statuses == [200])
      }
    }

    @Test(arguments: [
      "", "GET", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12",
    ])
    func clientThatLeavesInTheMiddleIsForgotten(part: String) throws {
      // Their ends are seen at once, and not only by the deadline, which is an hour away.
      let fixture = try HTTPFixture()
      for closes in [true, false] {
        let client = try fixture.connect()
        client.send(part)
        if closes { continue }
        client.finishSending()
        #expect(client.readAll().statuses == [])
      }
      #expect(try waitUntil { fixture.server?.counters.openConnections.value == 0 })
      #expect(fixture.handler.answers.value == 0)
    }

    /// Its token would be spent, and its answer never read.
    @Test func requestThatWaitsItsTurnIsNotAnsweredWhenItsClientIsGone() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let clients = try fixture.connectToABusyWorker()
      // Waits before the one that leaves, and takes more than a turn has for those that wait.
      clients[1].send(HTTPExchangeTests.get("/x") + HTTPExchangeTests.get("/pause"))
      let body = String(repeating: "b", count: HTTPLimits.promptBytes)
      clients[2].send("POST /long HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      clients[2].leave()
      fixture.handler.openGates.count()
      #expect(clients[1].readAnswer().statuses == [200])
      #expect(clients[1].readAnswer().statuses == [200])
      #expect(try waitUntil { fixture.server?.counters.openConnections.value == 2 })
      #expect(fixture.handler.answers.value == 6, "the one that left was not answered")
    }

    /// As where a disk was frozen: the poller has found both, and says nothing of who leaves later.
    @Test func requestThatWasFoundBeforeALongAnswerIsNotAnsweredWhenItsClientIsGone() throws {
      let fixture = try HTTPFixture { $0.workers = 1 }
      let clients = try fixture.connectToABusyWorker()
      clients[1].send(HTTPExchangeTests.get("/gate"))
      clients[2].send(HTTPExchangeTests.get("/x"))
      fixture.handler.openGates.count()
      #expect(try waitUntil { fixture.handler.gates.value == 2 })
      usleep(UInt32(2 * HTTPLimits.turnNanoseconds / 1000))
      clients[2].leave()
      fixture.handler.openGates.count()
      for client in clients.prefix(2) { #expect(client.readAnswer().statuses == [200]) }
      #expect(try waitUntil { fixture.server?.counters.openConnections.value == 2 })
      #expect(fixture.handler.answers.value == 5, "the one that left was not answered")
    }

    /// As after a pause of the process: more was sent than one turn reads, and all of it is past its deadline by then.
    @Test func whatWasSentDuringALongAnswerIsReadBeforeDeadlinesEndIt() throws {
      let fixture = try HTTPFixture {
        ($0.workers, $0.requestDeadline) = (1, .seconds(1))
      }
      let (busy, clients) = (try fixture.connect(), try (0..<40).map { _ in try fixture.connect() })
      for client in clients { client.send(Array("GET /x HTTP/1.1\r\nHost: localhost\r\n".utf8)) }
      usleep(100_000)
      busy.send(HTTPExchangeTests.get("/gate"))
      #expect(try waitUntil { fixture.handler.gates.value == 1 })
      usleep(1_200_000)
      for client in clients { client.send(Array("\r\n".utf8)) }
      fixture.handler.openGates.count()
      for client in clients {
        #expect(client.readAnswer().statuses.count == 1, "408, or 200 where nothing was read before")
      }
    }

    @Test func handlerHearsWhichAnswersWereNotDelivered() throws {
      let fixture = try HTTPFixture()
      for _ in 0..<10 {
        let client = try fixture.connect()
        client.send(HTTPExchangeTests.get("/big"))
        _ = client.read(atMost: 1)
      }
      #expect(try waitUntil { fixture.handler.undelivered.value == 10 })
      #expect(fixture.handler.delivered.value == 0)
    }

    @Test func descriptorsThatPeersPassDoNotStay() throws {
      let client = try HTTPFixture.connected().client
      for _ in 0..<50 {
        var pipe: [Int32] = [0, 0]
        #expect(unsafe Glibc.pipe(&pipe) == 0)
        // Programs that other tests start shall not keep it open.
        for end in pipe { #expect(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
        #expect(sendDescriptor(pipe[1], with: Array(HTTPExchangeTests.get("/x").utf8), to: client.descriptor))
        close(pipe[1])
        #expect(client.readAnswer().statuses == [200])
        // A pipe ends for its reader when no process has the other side.
        var ready = pollfd(fd: pipe[0], events: Int16(POLLIN), revents: 0)
        #expect(unsafe poll(&ready, 1, 60_000) == 1 && Int32(ready.revents) & Int32(POLLHUP) != 0)
        close(pipe[0])
      }
    }
  }
}

/// Sends bytes together with a descriptor (SCM_RIGHTS of unix(7)).
func sendDescriptor(_ passed: Int32, with bytes: [UInt8], to descriptor: Int32) -> Bool {
  // cmsghdr: length, level, type; the descriptor after them, filled up to a multiple of eight.
  var control: [Int32] = [20, 0, SOL_SOCKET, 1, passed, 0]
  var data = bytes
  return unsafe data.withUnsafeMutableBytes { data in
    unsafe control.withUnsafeMutableBytes { control in
      var part = unsafe iovec(iov_base: data.baseAddress, iov_len: data.count)
      return unsafe withUnsafeMutablePointer(to: &part) { part in
        var message = unsafe msghdr()
        unsafe message.msg_iov = part
        unsafe message.msg_iovlen = 1
        unsafe message.msg_control = control.baseAddress
        unsafe message.msg_controllen = control.count
        return unsafe sendmsg(descriptor, &message, 0) == data.count
      }
    }
  }
}
