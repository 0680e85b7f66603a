import Dispatch
import Testing

@testable import MediaTokenService

@Suite struct FormTextTests {
  /// All empty arrays of a process are one object, whose count `append(addingCapacity: 0)` writes. Seen by ThreadSanitizer.
  @Test func emptyTextWritesNothingThatThreadsShare() {
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<1000 {
        var output: [UInt8] = []
        #expect(FormText.decode([UInt8]().span, into: &output) && output.isEmpty)
      }
    }
  }
}
