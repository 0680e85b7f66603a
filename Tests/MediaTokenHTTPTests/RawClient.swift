import Glibc
import MediaTokenSystem
import Testing

/// A client that sends whatever bytes it is told to.
final class RawClient {
  let descriptor: Int32
  private let server: HTTPFixture?

  /// - Parameter server: what ends when the last client of it does.
  init(_ path: String, _ server: HTTPFixture? = nil) throws {
    self.server = server
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let descriptor = descriptor
    do throws(SystemError) {
      try Sockets.connect(descriptor, to: .local(path))
    } catch {
      throw POSIXFailure(code: error.code)
    }
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// One end of a pair.
  init(owning descriptor: Int32) { (self.descriptor, server) = (descriptor, nil) }

  deinit { close(descriptor) }

  /// Whether everything could be sent.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// Sends a request whose answer has this status.
  func ask(
    _ request: String = HTTPTests.HTTPExchangeTests.get("/x"), _ status: Int = 200,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    send(request)
    #expect(readAnswer().statuses == [status], sourceLocation: sourceLocation)
  }

  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Neither sends nor reads any more.
  func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// The next bytes; empty at the end, or if the connection broke.
  func read(atMost limit: Int = 65536) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = unsafe recv(descriptor, &bytes, limit, 0)
    return count > 0 ? Array(bytes.prefix(count)) : []
  }

  /// Everything until the connection ends.
  func readAll() -> String {
    var all: [UInt8] = []
    while true {
      let bytes = read()
      if bytes.isEmpty { return String(decoding: all, as: UTF8.self) }
      all += bytes
    }
  }

  /// One answer whose body is as long as its Content-Length says; the rest of the connection is left.
  func readAnswer() -> String {
    var all: [UInt8] = []
    while true {
      let text = String(decoding: all, as: UTF8.self)
      if let length = text.contentLength, let head = text.headLength, all.count >= head + length { return text }
      let byte = read(atMost: 1)
      if byte.isEmpty { return text }
      all += byte
    }
  }

  /// Whether there is nothing to be read, not even the end.
  var isSilent: Bool {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0
      && errno == EAGAIN
  }

  /// Whether the peer has ended the connection, waiting for it.
  func isEnded() -> Bool {
    var byte: UInt8 = 0
    // A time-out is not an end.
    let count = unsafe recv(descriptor, &byte, 1, 0)
    return count == 0 || count < 0 && errno == ECONNRESET
  }
}

extension String {
  /// The status codes of all answers in here.
  var statuses: [Int] {
    utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let text = String(decoding: line, as: UTF8.self)
      return text.hasPrefix("HTTP/1.") ? Int(text.dropFirst(9).prefix(3)) : nil
    }
  }

  var headLength: Int? {
    let bytes = Array(utf8)
    guard bytes.count >= 4 else { return nil }
    for index in 0...(bytes.count - 4) where Array(bytes[index..<index + 4]) == [13, 10, 13, 10] {
      return index + 4
    }
    return nil
  }

  var contentLength: Int? {
    for line in utf8.split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("Content-Length: ") { return Int(text.dropFirst(16).filter(\.isNumber)) }
    }
    return nil
  }
}
