import Foundation
import Testing

@testable import MediaTokenHTTP

extension HTTPTests {
  /// Cases 163 to 165: what can be read in two ways is refused, and nothing after it is read at all.
  @Suite("Strictness of heads")
  struct HTTPStrictnessTests {
    static let second = Array("GET /smuggled HTTP/1.1\r\nHost: b\r\n\r\n".utf8)

    /// Name, request, and the status of its only answer.
    /// A line of `Tests/Cases/heads.txt`.
    struct Row: Sendable, CustomTestStringConvertible {
      let status: Int
      let testDescription: String
      let request: [UInt8]
    }

    static let rows: [Row] = {
      let file = URL(filePath: #filePath).appending(path: "../../Cases/heads.txt").standardizedFileURL
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
        let cells = line.components(separatedBy: "  ")
        let request = cells.dropFirst(2).joined(separator: "  ")
        return Row(status: Int(cells[0]) ?? 0, testDescription: cells[1], request: bytes(request))
      }
    }()

    static let refused = rows.filter { $0.status != 200 }

    @Test func rowsAreThere() { #expect(Self.refused.count >= 69 && Self.rows.count >= 86) }

    /// The bytes that a text with escapes stands for.
    private static func bytes(_ text: String) -> [UInt8] {
      var (bytes, rest) = ([UInt8](), text.utf8[...])
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
          bytes.append(byte)
          continue
        }
        switch escape {
        case UInt8(ascii: "r"): bytes.append(13)
        case UInt8(ascii: "n"): bytes.append(10)
        case UInt8(ascii: "t"): bytes.append(9)
        default:
          bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0xFF)
          rest = rest.dropFirst(2)
        }
      }
      return bytes
    }

    @Test(arguments: refused)
    func brokenRequestGetsOneAnswerAndNoSecondOne(row: Row) throws {
      let (fixture, client) = try HTTPFixture.connected()
      client.send(row.request + Self.second + Self.second)
      let answer = client.readAll()
      #expect(answer.statuses == [row.status] && answer.contains("Connection: close\r\n"), "\(answer)")
      #expect(fixture.handler.answers.value == 0)
      #expect(!answer.contains("smuggled"))
    }

    /// The same heads, but in pieces of one byte: what is read twice must mean the same.
    @Test func brokenRequestsArriveInPieces() throws {
      let fixture = try HTTPFixture()
      for row in Self.refused {
        let client = try fixture.connect()
        for byte in row.request + Self.second where !client.send([byte]) { break }
        let (answer, name) = (client.readAll(), row.testDescription)
        #expect(answer.statuses == [row.status] && answer.contains("Connection: close\r\n"), "\(name): \(answer)")
      }
      #expect(fixture.handler.answers.value == 0)
    }

    /// Why a head is refused is the same wherever it is cut, also where one byte breaks two rules.
    @Test(arguments: [16 * 1024, 30, 12])
    func refusalDoesNotDependOnThePieces(limit: Int) {
      let heads =
        Self.refused.map(\.request)
        + [
          "HEAD / HTTP/1.\0\r\n", "HEAD / HTTP/2.0\r\n", "GET / HTTP/1.1\r\nContent-Length: 0\u{1}5\r\n",
          "GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 40))\0\r\n\r\n",
        ].map { Array($0.utf8) }
      for bytes in heads {
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
        #expect(areAlike, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
      }
    }

    @Test(arguments: rows.filter { $0.status == 200 })
    func goodRequestIsAnsweredAndSoIsTheNext(row: Row) throws {
      let client = try HTTPFixture.connected().client
      client.send(row.request + Array("GET /next HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n".utf8))
      let answer = client.readAll()
      #expect(answer.statuses == [200, 200], "\(answer)")
      #expect(answer.contains("GET /next 0\n"))
    }

    /// What follows may be meant for the host that it names.
    @Test func nothingIsReadAfterCONNECT() throws {
      let (fixture, client) = try HTTPFixture.connected()
      client.send(Array("CONNECT x:1 HTTP/1.1\r\nHost: a\r\n\r\n".utf8) + Self.second)
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
      let client = try HTTPFixture.connected().client
      client.send(request)
      let answer = client.readAnswer()
      #expect(answer.contains("Connection: close\r\n") == !isKept)
      #expect(answer.contains("Connection: keep-alive\r\n") == (isKept && request.contains("HTTP/1.0")))
      if !isKept { #expect(client.isEnded()) }
    }

    @Test func targetAndValueArriveAsSent() throws {
      let client = try HTTPFixture.connected().client
      client.send("GET /a%2Fb?c=%00&c=+d&&=%zz HTTP/1.1\r\nHost: a\r\nX-Echo: \t v a\tl \t\r\n\r\n")
      #expect(client.readAnswer().hasSuffix("\r\n\r\nGET /a%2Fb?c=%00&c=+d&&=%zz 0v a\tl\n"))
    }
  }
}
