import Glibc

@testable import MediaTokenHTTP

/// A worker over any bytes that clients send: it hands over and answers what `RequestHead` says about them, request by request,
/// wherever they are cut, and whatever another connection sends meanwhile.
///
/// Two connections of one worker send the same stream. The first bytes say in which pieces each of them does: the first two
/// those of one, the next two those of the other; then comes all that is left. Where the highest bit of the first one is
/// set the answers are long, little room is for them, and the clients read them slowly.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConnection(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard count > 4 else { return 0 }
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let stream = Array(input[4...])
  let understanding = Understanding(of: stream)
  let isSlow = input[0] >= 0x80
  let clients = [input[0..<2], input[2..<4]].map { pieces in
    Client(Expectation(stream, understanding), pieces: pieces.map { Int($0 & 0x7F) }, isSlow: isSlow)
  }
  serve(clients, answerBytes: isSlow ? 3000 : 3)
  for client in clients {
    if let difference = client.finish() { fatalError(difference) }
  }
  return 0
}

/// Has one worker serve the clients, on this thread: they send and receive when a turn of its loop ends.
private func serve(_ clients: [Client], answerBytes: Int) {
  var options = ServerOptions()
  options.headBytes = Understanding.Limits().head
  options.discardedBytes = Understanding.Limits().body
  guard let worker = try? Worker(options: options, counters: ServerCounters()) else {
    fatalError("expected descriptors for a worker")
  }
  for client in clients { worker.serve(client.serverSide, of: .tcp) }
  // It ends when no connection is left.
  worker.stop(by: .max)
  let handler = CheckingHandler(answerBytes: answerBytes) {
    for client in clients { client.takeTurn() }
    return clients.allSatisfy(\.isDone) ? nil : 0
  } expectation: { number in
    // The first connection is number 1.
    clients[Int(number) - 1].expectation
  }
  guard worker.run(handler) == 0 else { fatalError("the worker ended before its connections") }
}

/// The other end of a worker's connection.
private final class Client {
  let expectation: Expectation
  /// What the worker owns.
  let serverSide: Int32
  private let descriptor: Int32
  private var pieces: [Int]
  private var sent = 0
  private var answers: [UInt8] = []
  private let isSlow: Bool
  private var isSilent = false
  private var isEnded = false

  init(_ expectation: Expectation, pieces: [Int], isSlow: Bool) {
    var pair: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { fatalError("expected two sockets") }
    (descriptor, serverSide, self.expectation, self.pieces) = (pair[0], pair[1], expectation, pieces)
    self.isSlow = isSlow
    // The least that there can be (socket(7)).
    var room: Int32 = 1
    if isSlow { setsockopt(serverSide, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size)) }
  }

  /// Whether it has nothing more to do before the worker does something.
  var isDone: Bool { isSilent && (isEnded || !isSlow) }

  /// Sends the next piece, and receives what there is, or a part of it.
  func takeTurn() {
    receive(isSlow ? 700 : .max)
    guard !isSilent else { return }
    let rest = expectation.stream.count - sent
    let piece = pieces.isEmpty ? rest : min(pieces.removeFirst(), rest)
    let bytes = expectation.stream[sent..<(sent + piece)]
    let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    sent += max(count, 0)
    // After its last answer the worker takes no more.
    if sent == expectation.stream.count || count < 0 {
      shutdown(descriptor, Int32(SHUT_WR))
      isSilent = true
    }
  }

  /// Receives the rest.
  ///
  /// - Returns: what was not as expected; nil if nothing.
  func finish() -> String? {
    receive(.max)
    close(descriptor)
    expectation.take(answers: answers)
    return expectation.difference
  }

  private func receive(_ most: Int) {
    var buffer = [UInt8](repeating: 0, count: min(most, 8192))
    repeat {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 || count < 0 && errno != EAGAIN { isEnded = true }
      guard count > 0 else { return }
      answers += buffer[..<count]
    } while most == .max
  }
}
