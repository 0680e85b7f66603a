/// How a batch of claims ended.
package enum ClaimBatchResult: String, Sendable, Hashable, CaseIterable {
  /// It was answered.
  case ok
  /// It was committed with a warning, which is no answer: a standby that was to have it may lack it.
  case warned
  /// It has no answer.
  case error
}

/// The batches of claims that a database was sent, and what became of them.
package struct BatchReading: Sendable, Hashable {
  /// How many ended in each way.
  package private(set) var results: [ClaimBatchResult: UInt64] = [:]
  /// How many had a number of claims up to each of ``bounds``, and above the one before.
  package private(set) var counts = [UInt64](repeating: 0, count: BatchReading.bounds.count)
  /// All their claims together.
  package private(set) var claims: UInt64 = 0

  /// The upper bounds of ``counts``: up to ``ClaimBatch/mostClaims``.
  package static let bounds = [1, 2, 4, 8, 16, 32, ClaimBatch.mostClaims]

  /// No batches yet.
  package init() {}

  /// Counts a batch that has ended.
  package mutating func count(_ result: ClaimBatchResult, claims: Int) {
    results[result, default: 0] += 1
    if let bucket = Self.bounds.firstIndex(where: { claims <= $0 }) { counts[bucket] += 1 }
    self.claims += UInt64(claims)
  }
}
