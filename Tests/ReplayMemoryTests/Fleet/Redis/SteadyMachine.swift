import MediaTokenSystem
import Testing

/// For tests with real nodes. Nodes and hosts give each other a second and more, by clocks that no test can stop: a clock that is a
/// second off is a warning, and a node that is silent for two is down. On a machine that stalls for that long a test may meet that,
/// and is run again. One that fails in less than a second has failed.
struct SteadyMachine: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    for _ in 0..<10 {
      let (start, hasStalled) = (MonotonicTime.now, Monitor(false))
      try await withKnownIssue("the machine stalled", isIntermittent: true) {
        try await body()
      } matching: { _ in
        guard MonotonicTime.now - start > 1_000_000_000 else { return false }
        hasStalled.change { $0 = true }
        return true
      }
      if !hasStalled.current { return }
    }
    try await body()
  }
}

extension Trait where Self == SteadyMachine {
  static var steadyMachine: Self { Self() }
}
