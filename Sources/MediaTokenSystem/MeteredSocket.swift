internal import CLinux
internal import Glibc

/// A connection of a library that reads it by itself: so many bytes get through to the library, and no more.
///
/// The library's descriptor becomes one end of a pair of sockets, and the connection is ours. What comes on it is carried over in
/// pieces, and what the library writes is carried out: so its memory is bounded by what it was given, whatever it makes of that.
/// For one thread at a time.
package final class MeteredSocket: Redacted {
  private let connection: FileDescriptor
  /// Our end of the pair.
  private let inner: FileDescriptor
  private let buffer = ReceiveBuffer(byteCount: MeteredSocket.pieceBytes)
  private var output: [UInt8] = []
  private var sent = 0
  private var allowance = 0
  /// The number of bytes that got through altogether.
  package private(set) var total = 0

  /// The size of a piece: so much always fits into the pair.
  private static let pieceBytes = 8192

  /// Takes the connection over; the library's descriptor keeps its number. After an error the library has its connection
  /// still.
  package init(inPlaceOf descriptor: Int32) throws(SystemError) {
    connection = FileDescriptor(owning: try SystemCall.uninterrupted { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) })
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    // SAFETY: socketpair writes two numbers.
    _ = try SystemCall.uninterrupted { unsafe socketpair(AF_UNIX, kind, 0, &pair) }
    inner = FileDescriptor(owning: pair[0])
    let given = FileDescriptor(owning: pair[1])
    _ = try SystemCall.uninterrupted { dup3(given.number, descriptor, O_CLOEXEC) }
  }

  /// The connection's descriptor, to wait for.
  package var descriptor: Int32 { connection.number }

  /// True if the library has closed its descriptor.
  package var isLeft: Bool { Sockets.isOver(inner.number) }

  package func allow(_ bytes: Int) { allowance = bytes }

  package enum Carried: Hashable, Sendable {
    /// The library has something to read. Unless this is the last piece, more may have come.
    case piece(isLast: Bool)
    case nothing
    /// The peer sends no more, or the connection is broken; the library finds the end after what it was given.
    case end
    /// More came than is allowed, and is not given to the library.
    case tooMuch
  }

  /// Carries a piece of what came over to the library, which is to read it before the next one.
  package func carryIn() -> Carried {
    let buffer = buffer
    switch buffer.receive(from: connection.number) {
    case .nothing: return .nothing
    case .end:
      Sockets.shutDownWriting(inner.number)
      return .end
    case .bytes(let count):
      guard count <= allowance, Sockets.send(inner.number, buffer.bytes) == .bytes(count) else { return .tooMuch }
      allowance -= count
      total += count
      return .piece(isLast: count < Self.pieceBytes)
    }
  }

  /// Sends as much as can be sent now of the library's writing. True if there is more; nil if the connection is broken.
  package func carryOut() -> Bool? {
    let buffer = buffer
    while true {
      while sent < output.count {
        switch Sockets.send(connection.number, output.span.extracting(sent...)) {
        case .broken: return nil
        case .bytes(0): return true
        case .bytes(let count): sent += count
        }
      }
      output.removeAll(keepingCapacity: true)
      sent = 0
      guard case .bytes = buffer.receive(from: inner.number) else { return false }
      output.append(copying: buffer.bytes)
    }
  }
}
