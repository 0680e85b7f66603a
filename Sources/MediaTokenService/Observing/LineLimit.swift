internal import MediaToken
internal import MediaTokenSystem
internal import Synchronization

/// How many lines a second may have. Where there are too many, no thread writes shared memory but to count what was left out.
final class LineLimit: Sendable {
  /// The second, and how many lines it had: 44 and 20 bits.
  private let window = Atomic<UInt64>(0)
  private let suppressed = Atomic<UInt64>(0)

  /// Asks for one line.
  ///
  /// - Returns: how many lines were left out since the last one that was written, or nil if this one is to be left out too.
  func take(atMost limit: Int) -> UInt64? {
    let second = MonotonicTime.now / 1_000_000_000
    var current = window.load(ordering: .relaxed)
    while true {
      let used = current >> 20 == second ? current & 0xF_FFFF : 0
      guard used < UInt64(clamping: limit) else {
        suppressed.wrappingAdd(1, ordering: .relaxed)
        return nil
      }
      let attempt = window.compareExchange(
        expected: current, desired: second << 20 | (used + 1), ordering: .relaxed)
      if attempt.exchanged { return suppressed.exchange(0, ordering: .relaxed) }
      current = attempt.original
    }
  }
}
