import Testing

@testable import MediaTokenHTTP

extension HTTPTests {
  /// Cases 163 to 165: what can be read in two ways is refused, and nothing after it is read at all.
  @Suite("Strictness of heads")
  struct HTTPStrictnessTests {
    static let second = "GET /smuggled HTTP/1.1\r\nHost: b\r\n\r\n"

    /// Name, request, and the status of its only answer.
    static let refused: [(String, String, Int)] = [
      ("two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 400),
      (
        "two different lengths",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        400
      ),
      (
        "length and chunks",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400
      ),
      ("chunks", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
      ("chunks on GET", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
      (
        "chunks twice",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400
      ),
      ("chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
      ("xchunked", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nTransfer-Encoding: xchunked\r\n\r\n", 400),
      ("empty encoding", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nTransfer-Encoding:\r\n\r\n", 400),
      (
        "space before the colon", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\nContent-Length: 0\r\n\r\n",
        400
      ),
      ("tab before the colon", "POST / HTTP/1.1\r\nHost: a\r\nX\t: 5\r\nContent-Length: 0\r\n\r\n", 400),
      ("+5", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello", 400),
      ("-5", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\nhello", 400),
      ("0x5", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nhello", 400),
      ("05", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 05\r\n\r\nhello", 400),
      ("list", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\nhello", 400),
      ("empty length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\nhello", 400),
      ("huge length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\nhello", 413),
      ("no length", "POST / HTTP/1.1\r\nHost: a\r\n\r\n", 411),
      ("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
      ("no host", "GET / HTTP/1.1\r\n\r\n", 400),
      ("folded value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400),
      ("folded length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n 0\r\n\r\n0123456789", 400),
      ("folded first field", "GET / HTTP/1.1\r\n X: a\r\nHost: a\r\n\r\n", 400),
      ("folded last field", "GET / HTTP/1.1\r\nHost: a\r\n\tb\r\n\r\n", 400),
      ("empty name", "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400),
      ("no colon", "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400),
      ("name with a slash", "GET / HTTP/1.1\r\nHost: a\r\na/b: c\r\n\r\n", 400),
      ("name that is not ASCII", "GET / HTTP/1.1\r\nHost: a\r\nñ: c\r\n\r\n", 400),
      ("CR in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", 400),
      ("CR CR LF", "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\r\n\r\n", 400),
      ("control character in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{1}b\r\n\r\n", 400),
      ("DEL in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{7F}b\r\n\r\n", 400),
      ("NUL in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", 400),
      ("NUL at a value's end", "GET / HTTP/1.1\r\nHost: a\r\nX: a\0\r\n\r\n", 400),
      ("NUL in a length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\0 6\r\n\r\nhello!", 400),
      ("NUL in a name", "GET / HTTP/1.1\r\nHost: a\r\nX\0: b\r\n\r\n", 400),
      ("NUL in the target", "GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("NUL in the method", "GE\0T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("bare LF after a field", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400),
      ("bare LF after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", 400),
      ("bare LF at the end", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400),
      ("bare LF everywhere", "GET / HTTP/1.1\nHost: a\n\n", 400),
      ("no fields but a bare LF", "GET / HTTP/1.0\r\n\n", 400),
      ("two spaces before the target", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("two spaces after the target", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("space after the version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400),
      ("target that is not ASCII", "GET /ñ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("control character in the target", "GET /\u{1} HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("tab in the target", "GET /\t HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("method with a colon", "GE:T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("HTTP/0.9", "GET /\r\n\r\n", 400),
      ("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
      ("HTTP/0.8", "GET / HTTP/0.8\r\nHost: a\r\n\r\n", 505),
      ("small letters in the version", "GET / http/1.1\r\nHost: a\r\n\r\n", 400),
      ("TLS hello", "\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n", 400),
      ("NUL and an empty line before", "\0\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("line feed before", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("two empty lines before", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("space before", " GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("NUL in a host", "GET / HTTP/1.1\r\nHost: d\0\nX: y\r\n\r\n", 400),
      ("NUL after a length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\0\r\n\nhello", 400),
      ("bare colon", "GET / HTTP/1.1\r\nHost: a\r\n:\r\n\r\n", 400),
      ("space in a host", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
      ("path in a host", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
      ("CONNECT with a body", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab", 400),
      ("unknown expectation", "GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n", 417),
      (
        "two expectations",
        "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na",
        417
      ),
    ]

    @Test(arguments: refused)
    func brokenRequestGetsOneAnswerAndNoSecondOne(name: String, request: String, status: Int) throws {
      let fixture = try HTTPFixture()
      let client = try fixture.connect()
      client.send(request + Self.second + Self.second)
      let answer = client.readAll()
      #expect(answer.statuses == [status] && answer.contains("Connection: close\r\n"), "\(name): \(answer)")
      #expect(fixture.handler.answers.value == 0, "\(name)")
      #expect(!answer.contains("smuggled"), "\(name)")
    }

    /// The same heads, but in pieces of one byte: what is read twice must mean the same.
    @Test func brokenRequestsArriveInPieces() throws {
      let fixture = try HTTPFixture()
      for (name, request, status) in Self.refused {
        let client = try fixture.connect()
        for byte in Array((request + Self.second).utf8) where !client.send([byte]) { break }
        let answer = client.readAll()
        #expect(answer.statuses == [status] && answer.contains("Connection: close\r\n"), "\(name): \(answer)")
      }
      #expect(fixture.handler.answers.value == 0)
    }

    /// Why a head is refused is the same wherever it is cut, also where one byte breaks two rules.
    @Test(arguments: [16 * 1024, 30, 12])
    func refusalDoesNotDependOnThePieces(limit: Int) {
      let heads =
        Self.refused.map(\.1) + [
          "HEAD / HTTP/1.\0\r\n", "HEAD / HTTP/2.0\r\n", "GET / HTTP/1.1\r\nContent-Length: 0\u{1}5\r\n",
          "GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 40))\0\r\n\r\n",
        ]
      for head in heads {
        let bytes = Array(head.utf8)
        var whole = RequestHead()
        var pieces = RequestHead()
        let progress = whole.read(bytes.span, limit: limit)
        var end = 0
        var last = RequestHead.Progress.incomplete
        while last == .incomplete, end < bytes.count {
          end += 1
          last = pieces.read(bytes.span.extracting(..<end), limit: limit)
        }
        let areAlike = last == progress && pieces.isHEAD == whole.isHEAD
        #expect(areAlike, "\(head.debugDescription)")
      }
    }

    static let accepted: [(String, String)] = [
      ("plain", "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"),
      ("empty host", "GET /x HTTP/1.1\r\nHost:\r\n\r\n"),
      ("HTTP/1.0", "GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
      ("white space around values", "GET /x HTTP/1.1\r\nHost:   a \t \r\nX:\tb\t\r\nY:z\r\n\r\n"),
      ("empty values", "GET /x HTTP/1.1\r\nHost: a\r\nX:\r\nY: \r\nZ:  \t\r\n\r\n"),
      ("value that is not ASCII", "GET /x HTTP/1.1\r\nHost: a\r\nX: ñ\r\n\r\n"),
      (
        "parameters and cookies",
        "GET /x?a=b&c=%00+d HTTP/1.1\r\nHost: a\r\nCookie: a=b; c=\"d\"; e\r\nX: y\r\n\r\n"
      ),
      ("length of nothing", "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"),
      ("empty line before", "\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n"),
      ("body", "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"),
      ("body on GET", "GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"),
      ("unknown method", "BREW /x HTTP/1.1\r\nHost: a\r\n\r\n"),
      ("Expect on GET", "GET /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n"),
      ("Expect in HTTP/1.0", "GET /x HTTP/1.0\r\nConnection: keep-alive\r\nExpect: 200-ok\r\n\r\n"),
      ("host with a port", "GET /x HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"),
      ("list of options", "GET /x HTTP/1.1\r\nHost: a\r\nConnection: TE , keep-alive\r\n\r\n"),
      ("upgrade", "GET /x HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n"),
    ]

    @Test(arguments: accepted)
    func goodRequestIsAnsweredAndSoIsTheNext(name: String, request: String) throws {
      let fixture = try HTTPFixture()
      let client = try fixture.connect()
      client.send(request + "GET /next HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n")
      let answer = client.readAll()
      #expect(answer.statuses == [200, 200], "\(name): \(answer)")
      #expect(answer.contains("GET /next 0\n"), "\(name)")
    }

    /// What follows may be meant for the host that it names.
    @Test func nothingIsReadAfterCONNECT() throws {
      let fixture = try HTTPFixture()
      let client = try fixture.connect()
      client.send("CONNECT x:1 HTTP/1.1\r\nHost: a\r\n\r\n" + Self.second)
      let answer = client.readAll()
      #expect(
        answer.statuses == [200] && answer.contains("CONNECT x:1 0\n") && answer.contains("Connection: close"))
      #expect(fixture.handler.answers.value == 1)
    }

    @Test(arguments: [
      ("GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", false),
      ("GET /x HTTP/1.1\r\nHost: a\r\nConnection: foo, Close\r\n\r\n", false),
      ("GET /x HTTP/1.0\r\n\r\n", false), ("GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true),
      ("GET /x HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n\r\n", true),
    ])
    func connectionIsKeptWhereBothSidesKnow(request: String, isKept: Bool) throws {
      let fixture = try HTTPFixture()
      let client = try fixture.connect()
      client.send(request)
      let answer = client.readAnswer()
      #expect(answer.contains("Connection: close\r\n") == !isKept)
      #expect(answer.contains("Connection: keep-alive\r\n") == (isKept && request.contains("HTTP/1.0")))
      if !isKept { #expect(client.isEnded()) }
    }

    @Test func targetAndValueArriveAsSent() throws {
      let fixture = try HTTPFixture()
      let client = try fixture.connect()
      client.send("GET /a%2Fb?c=%00&c=+d&&=%zz HTTP/1.1\r\nHost: a\r\nX-Echo: \t v a\tl \t\r\n\r\n")
      #expect(client.readAnswer().hasSuffix("\r\n\r\nGET /a%2Fb?c=%00&c=+d&&=%zz 0v a\tl\n"))
    }
  }
}
