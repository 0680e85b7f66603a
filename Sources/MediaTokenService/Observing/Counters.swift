internal import MediaToken
internal import Synchronization

/// The counters of one thread: only it writes them, any may read them. So a count is a plain load and store of memory
/// that no other thread writes: nothing is shared, nothing waits. Relaxed is enough, because no counter says anything
/// about other memory; a reader may see a count late.
final class Counters: Sendable {
  // A cache line before and one after keep other objects' memory off the lines that are written here.
  private static let padding = 8
  private let words: InlineArray<160, Atomic<UInt64>>

  init() {
    precondition(Counter.count + 2 * Self.padding <= 160)
    words = InlineArray { _ in Atomic(0) }
  }

  /// Called by the owning thread alone.
  func add(_ counter: Counter, _ number: UInt64 = 1) {
    let index = Self.padding + counter.index
    words[index].store(words[index].load(ordering: .relaxed) &+ number, ordering: .relaxed)
  }

  func load(_ counter: Counter) -> UInt64 { words[Self.padding + counter.index].load(ordering: .relaxed) }
}

/// A counter. All of them have a bounded number of names.
struct Counter: Hashable, Sendable {
  fileprivate let index: Int

  /// Those that are counted by themselves.
  private enum Single: Int, CaseIterable {
    case valid, retryAnswers, unknownFields, weakKeyVerdicts, durationNanoseconds, undelivered, notSpent, handovers
  }

  static var valid: Counter { Counter(index: Single.valid.rawValue) }
  static var retryAnswers: Counter { Counter(index: Single.retryAnswers.rawValue) }
  static var unknownFields: Counter { Counter(index: Single.unknownFields.rawValue) }
  static var weakKeyVerdicts: Counter { Counter(index: Single.weakKeyVerdicts.rawValue) }
  static var durationNanoseconds: Counter { Counter(index: Single.durationNanoseconds.rawValue) }
  static var undelivered: Counter { Counter(index: Single.undelivered.rawValue) }
  static var notSpent: Counter { Counter(index: Single.notSpent.rawValue) }
  /// Credentials that tokens were exchanged for.
  static var handovers: Counter { Counter(index: Single.handovers.rawValue) }

  static func rejected(_ reason: Reason) -> Counter { Counter(index: reasonStart + (reasons[reason] ?? 0)) }

  static func undecided(_ fault: Fault) -> Counter { Counter(index: faultStart + Int(fault.rawValue) - 64) }

  /// Verifications that took at most this long, and longer than the bound before; the last has no bound.
  static func duration(bucket: Int) -> Counter { Counter(index: durationStart + bucket) }

  /// A status that is not on the list counts as the last.
  static func response(_ status: UInt16) -> Counter {
    Counter(index: responseStart + (statuses.firstIndex(of: status) ?? statuses.count))
  }

  /// The bounds of the buckets in microseconds: a verification takes 10 to 200, a worst input less than 2,000; a fleet is waited for
  /// 50,000 unless its deadline is another.
  static let durationBounds: [UInt64] = [
    10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000,
  ]

  static let statuses: [UInt16] = [
    200, 204, 400, 401, 403, 404, 405, 408, 411, 413, 414, 415, 417, 431, 503, 505,
  ]

  private static let reasons = Dictionary(
    uniqueKeysWithValues: Reason.allCases.enumerated().map { ($0.element, $0.offset) })
  private static let reasonStart = Single.allCases.count
  private static let faultStart = reasonStart + Reason.allCases.count
  private static let durationStart = faultStart + Fault.allCases.count
  private static let responseStart = durationStart + durationBounds.count + 1
  fileprivate static let count = responseStart + statuses.count + 1
}
