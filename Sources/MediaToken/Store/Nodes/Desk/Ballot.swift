internal import MediaTokenSystem

/// A claim's mark on a node: 12 bytes that say which claim it is, and the second of the claim by its host's clock.
///
/// A node gives its vote for one token to at most one ballot, so two claims with one ballot would both win. A random ballot is
/// used by one claim at a time; the ballot of a request says only that this request was made before.
package struct Ballot: Sendable, Hashable {
  /// The first eight bytes, the first one lowest, and the next four.
  package let id: ID
  /// The claim's time, in seconds since the epoch.
  package let second: UInt32

  /// The name of a claim.
  package struct ID: Sendable, Hashable, Redacted {
    let first: UInt64
    let last: UInt32

    init(_ first: UInt64, _ last: UInt32) { (self.first, self.last) = (first, last) }

    /// 12 random bytes, from the kernel (getrandom(2)).
    package static func random() -> ID {
      var kernel = SystemRandomNumberGenerator()
      return ID(kernel.next(), UInt32(truncatingIfNeeded: kernel.next()))
    }

    /// The first 12 bytes of SHA-256(`mt1 retry\n` ‖ identity (32) ‖ caller's uid (4, big endian) ‖ request id): any host
    /// knows the repeated request by it.
    package static func of(
      _ request: UseRequest, for identity: TokenIdentity, _ hasher: inout SHA256Hasher
    ) throws(Fault) -> ID {
      var message = Array("mt1 retry\n".utf8)
      let bytes = identity.digest.bytes
      for index in bytes.indices { message.append(bytes[index]) }
      for shift in [24, 16, 8, 0] { message.append(UInt8(truncatingIfNeeded: request.callerUID >> UInt32(shift))) }
      message.append(contentsOf: request.id.text.utf8)
      let digest = try hasher.digest(of: message.span).bytes
      return ID(digest.span.word(at: 0), digest.span.halfWord(at: 8))
    }
  }

  package init(_ id: ID, second: UInt32) { (self.id, self.second) = (id, second) }

  /// Nil unless there are 16 bytes.
  package init?(bytes: Span<UInt8>) {
    guard bytes.count == 16 else { return nil }
    id = ID(bytes.word(at: 0), bytes.halfWord(at: 8))
    second = bytes.halfWord(at: 12).byteSwapped
  }

  /// The id, and the second big endian.
  package var bytes: InlineArray<16, UInt8> {
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    var output = bytes.mutableSpan
    output.store(id.first, at: 0)
    output.store(id.last, at: 8)
    output.store(second.byteSwapped, at: 12)
    return bytes
  }
}
