// A server that starts videos, without a framework: POST /start with a token as its body is answered with 200, 403 or 503.
//
//   swift run server KEYS TABLE PORT
//
// KEYS is a file or folder of keys, TABLE what `mediatoken replay create --table TABLE --capacity N` made. It listens on 127.0.0.1.
import Dispatch
import Glibc
import MediaToken

@main struct Server {
  let verifier: TokenVerifier

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let port = UInt16(arguments[3]) else {
      print("usage: server KEYS TABLE PORT")
      exit(2)
    }
    let server: Server
    do {
      server = Server(verifier: try TokenVerifier(keys: .files(arguments[1]), oneUse: .shared(arguments[2])))
    } catch {
      print(error)
      exit(1)
    }
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { try await server.verifier.run() }
      for await connection in connections(at: port) {
        group.addTask { await server.serve(connection) }
      }
    }
  }

  func serve(_ connection: Int32) async {
    let status =
      if let body = await request(on: connection) { await status(for: body) } else { 400 }
    let answer = Array(
      "HTTP/1.1 \(status) \(status == 200 ? "OK" : "Refused")\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        .utf8)
    _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
    close(connection)
  }

  func status(for body: [UInt8]) async -> Int {
    do throws(Refusal) {
      let token = try await verifier.verify(body, requestor: "REF30", resource: "TNT")
      print("plays \(token.resourceID)")
      return 200
    } catch {
      print(error)  // The verdict and the rule; never the token.
      return error.answer.httpStatus
    }
  }
}

/// The body of a request, read on a thread of Dispatch's, as reading waits for the client; nil if it is not one for this server.
func request(on connection: Int32) async -> [UInt8]? {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(returning: readRequest(on: connection)) }
  }
}

func readRequest(on connection: Int32) -> [UInt8]? {
  var timeout = timeval(tv_sec: 5, tv_usec: 0)
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  var (received, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 16_384))
  while received.count < 70_000 {
    let count = recv(connection, &chunk, chunk.count, 0)
    guard count > 0 else { return nil }
    received += chunk[..<count]
    guard let end = received.firstRange(of: "\r\n\r\n".utf8) else { continue }
    let head = String(decoding: received[..<end.lowerBound], as: UTF8.self).lowercased().split(separator: "\r\n")
    let lengths = head.filter { $0.hasPrefix("content-length:") }.map { $0.dropFirst(15).drop { $0 == " " } }
    // Digits alone, as Int takes a sign, too; and of two lengths neither counts.
    guard head.first?.hasPrefix("post /start ") == true, lengths.count == 1,
      lengths[0].allSatisfy({ $0.isASCII && $0.isNumber }), let length = Int(lengths[0])
    else { return nil }
    if received.count - end.upperBound >= length { return Array(received[end.upperBound...].prefix(length)) }
  }
  return nil
}

func connections(at port: UInt16) -> AsyncStream<Int32> {
  AsyncStream { continuation in
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    (address.sin_family, address.sin_port, address.sin_addr.s_addr) = (
      sa_family_t(AF_INET), port.bigEndian, inet_addr("127.0.0.1")
    )
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard isBound == 0, listen(listener, 128) == 0 else { return continuation.finish() }
    DispatchQueue(label: "accept").async {
      while true {
        let connection = accept(listener, nil, nil)
        if connection >= 0 { continuation.yield(connection) }
      }
    }
  }
}
