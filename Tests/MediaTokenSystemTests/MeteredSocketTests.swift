import Glibc
import Testing

@testable import MediaTokenSystem

/// What a library reads and writes on a connection that is metered.
@Suite struct MeteredSocketTests {
  /// The other side of the connection.
  private let peer: Int32
  /// What the library has: its number stays.
  private let library: Int32
  private let meter: MeteredSocket
  private let buffer = ReceiveBuffer(byteCount: 65536)

  init() throws {
    (peer, library) = try Self.pair()
    meter = try MeteredSocket(inPlaceOf: library)
  }

  private static func pair() throws -> (Int32, Int32) {
    var pair: [Int32] = [-1, -1]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    return (pair[0], pair[1])
  }

  private func send(_ count: Int, from descriptor: Int32) {
    #expect(Sockets.send(descriptor, [UInt8](repeating: 7, count: count).span) == .bytes(count))
  }

  @Test func `as much as is allowed gets through, in pieces that are read one by one`() {
    meter.allow(20000)
    send(20000, from: peer)
    var pieces: [MeteredSocket.Carried] = []
    var got = 0
    while got < 20000, pieces.count < 10 {
      pieces.append(meter.carryIn())
      if case .bytes(let count) = buffer.receive(from: library) { got += count }
    }
    #expect(pieces == [.piece(isLast: false), .piece(isLast: false), .piece(isLast: true)])
    #expect(got == 20000 && meter.total == 20000 && meter.carryIn() == .nothing)
  }

  @Test func `of what is too much the library gets nothing`() {
    meter.allow(10)
    send(10, from: peer)
    #expect(meter.carryIn() == .piece(isLast: true))
    #expect(buffer.receive(from: library) == .bytes(10))
    send(1, from: peer)
    #expect(meter.carryIn() == .tooMuch)
    #expect(buffer.receive(from: library) == .nothing && meter.total == 10)
  }

  @Test func `a piece is not carried to a library that has left those before`() {
    meter.allow(1 << 30)
    var carried = 0
    while carried < 1000 {
      send(8192, from: peer)
      if meter.carryIn() == .tooMuch { break }
      carried += 1
    }
    #expect(carried > 0 && carried < 1000)
  }

  @Test func `what the library writes gets out, however late the other side reads`() {
    #expect(meter.carryOut() == false)
    var (written, got) = (0, 0)
    while meter.carryOut() == false {
      send(8192, from: library)
      written += 8192
    }
    while got < written {
      guard case .bytes(let count) = buffer.receive(from: peer) else { break }
      got += count
      #expect(meter.carryOut() != nil)
    }
    #expect(got == written && meter.carryOut() == false)
  }

  @Test func `the end is found after what came before it, and a connection that is broken when it is written to`() {
    meter.allow(100)
    send(5, from: peer)
    Sockets.close(peer)
    #expect(meter.carryIn() == .piece(isLast: true) && meter.carryIn() == .end)
    #expect(buffer.receive(from: library) == .bytes(5) && buffer.receive(from: library) == .end)
    send(1, from: library)
    #expect(meter.carryOut() == nil)
  }

  @Test func `it is known when the library has closed its descriptor`() {
    #expect(!meter.isLeft)
    Sockets.close(library)
    #expect(meter.isLeft)
  }
}
