/// The end of a batch of claims.
package enum ClaimBatchResult: String, Sendable, Hashable, CaseIterable {
  case ok
  /// It was committed with a warning, which is no answer: a standby that was to have it may lack it.
  case warned
  case error
}

/// The batches of claims that a database was sent, and their ends.
package struct BatchReading: Sendable, Hashable {
  package private(set) var results: [ClaimBatchResult: UInt64] = [:]
  /// The batches by their number of claims: up to each of ``bounds``, and above the one before.
  package private(set) var counts = [UInt64](repeating: 0, count: BatchReading.bounds.count)
  package private(set) var claims: UInt64 = 0

  /// The upper bounds of ``counts``: up to ``ClaimBatch/mostClaims``.
  package static let bounds = [1, 2, 4, 8, 16, 32, ClaimBatch.mostClaims]

  package init() {}

  package mutating func count(_ result: ClaimBatchResult, claims: Int) {
    results[result, default: 0] += 1
    if let bucket = Self.bounds.firstIndex(where: { claims <= $0 }) { counts[bucket] += 1 }
    self.claims += UInt64(claims)
  }
}
