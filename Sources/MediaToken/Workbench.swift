internal import Synchronization

/// The memory that one verification works in. Making it costs allocations; it is made once and used for one token after
/// another, by one thread at a time.
struct Workbench: ~Copyable {
  let keys: [VerificationKey]
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

/// Idle workbenches, so that any number of threads can verify at once and none waits for another's.
final class WorkbenchPool: Sendable {
  private let trustedKeys: TrustedKeys
  private let idle: Mutex<[Slot]>

  /// Two parts, because the token's bytes are read out of `decoded` while the rest works.
  ///
  /// Sendable, because a slot is either in `idle` or with the one caller that took it out.
  private final class Slot: @unchecked Sendable {
    var decoded = [UInt8](repeating: 0, count: Limits.receivedBytes)
    var workbench: Workbench

    init(for keys: TrustedKeys) throws(Fault) { workbench = try Workbench(for: keys) }
  }

  /// - Throws: a fault if OpenSSL can't work with these keys, so that it is known before the first token.
  init(for keys: TrustedKeys) throws(Fault) {
    trustedKeys = keys
    let first = try Slot(for: keys)
    var slots: [Slot] = []
    slots.reserveCapacity(Limits.idleWorkbenches)
    slots.append(first)
    idle = Mutex(slots)
  }

  /// Runs `body` with a buffer of ``Limits/receivedBytes`` bytes and a workbench that nobody else has.
  func withWorkbench<Value>(
    _ body: (inout [UInt8], inout Workbench) throws(Refusal) -> Value
  ) throws(Refusal) -> Value {
    let slot = try take()
    defer { giveBack(slot) }
    return try body(&slot.decoded, &slot.workbench)
  }

  private func take() throws(Refusal) -> Slot {
    if let slot = idle.withLock({ $0.popLast() }) { return slot }
    do throws(Fault) {
      return try Slot(for: trustedKeys)
    } catch {
      throw .undecided(error)
    }
  }

  private func giveBack(_ slot: Slot) {
    idle.withLock { if $0.count < Limits.idleWorkbenches { $0.append(slot) } }
  }
}
