/// The memory that one verification works in. Making it costs allocations; it is made once and used for one token after
/// another, by one thread at a time.
struct ParserContext: ~Copyable {
  /// The one that signed the last token first.
  var keys: [VerificationKey]
  var hasher: SHA256Hasher
  var parser: FieldParser

  init(for keys: TrustedKeys) throws(Fault) {
    var verificationKeys: [VerificationKey] = []
    for key in keys.keys { verificationKeys.append(try VerificationKey(key)) }
    let hasher = try SHA256Hasher()
    self.keys = verificationKeys
    self.hasher = hasher
    parser = FieldParser()
  }
}

/// Idle parser contexts, so that any number of threads can verify at once and none waits for another's.
final class ParserContextPool: Sendable {
  private let trustedKeys: TrustedKeys
  private let idle = IdleObjects<Slot>()

  /// Sendable, because a slot is either in `idle` or with the one caller that took it out.
  private final class Slot: @unchecked Sendable {
    var memory: Memory

    init(for keys: TrustedKeys) throws(Fault) { memory = Memory(context: try ParserContext(for: keys)) }
  }

  /// The buffers are apart from the parser context, because the token is read out of them while the rest works.
  private struct Memory: ~Copyable {
    var token = Armor.Buffers()
    var signature = [UInt8](repeating: 0, count: Limits.signatureBytes)
    var context: ParserContext

    mutating func lend<Value: ~Copyable>(
      to body: (inout Armor.Buffers, inout [UInt8], inout ParserContext) throws(Refusal) -> Value
    ) throws(Refusal) -> Value {
      try body(&token, &signature, &context)
    }
  }

  /// OpenSSL tries the keys here, so that a fault is known before the first token.
  init(for keys: TrustedKeys) throws(Fault) {
    trustedKeys = keys
    idle.put(try Slot(for: keys))
  }

  /// No other caller has the buffers for the token, the one for its decoded signature, or the parser context meanwhile.
  func withParserContext<Value: ~Copyable>(
    _ body: (inout Armor.Buffers, inout [UInt8], inout ParserContext) throws(Refusal) -> Value
  ) throws(Refusal) -> Value {
    let slot = try take()
    defer { idle.put(slot) }
    return try slot.memory.lend(to: body)
  }

  private func take() throws(Refusal) -> Slot {
    if let slot = idle.take() { return slot }
    do throws(Fault) {
      return try Slot(for: trustedKeys)
    } catch {
      throw .undecided(error)
    }
  }
}
