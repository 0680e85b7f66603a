import Testing

@testable import MediaToken

/// Case 71: what waits in ``IdleObjects`` is with one thread at a time, and is freed once.
@Suite("Idle objects")
struct IdleObjectsTests {
  /// Not synchronised by itself: ThreadSanitizer, and the sum, tell if two threads ever had it at once.
  private final class Counter: @unchecked Sendable {
    var uses = 0
    private let freed: @Sendable () -> Void

    init(_ freed: @escaping @Sendable () -> Void = {}) { self.freed = freed }

    deinit { freed() }
  }

  @Test func eachObjectIsWithOneThreadAtATime() async {
    let idle = IdleObjects<Counter>()
    let made = await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          var made = 0
          for _ in 0..<20_000 {
            let taken = idle.take()
            if taken == nil { made += 1 }
            let counter = taken ?? Counter()
            counter.uses += 1
            idle.put(counter)
          }
          return made
        }
      }
      return await group.reduce(0, +)
    }
    var (found, uses) = (0, 0)
    while let counter = idle.take() { (found, uses) = (found + 1, uses + counter.uses) }
    #expect(found == made)
    #expect(uses == 160_000)
  }

  @Test func asManyAreKeptAsTheLimitSaysAndAllAreFreed() async {
    await confirmation(expectedCount: Limits.idleParserContexts + 1) { freed in
      var idle: IdleObjects<Counter>? = IdleObjects()
      for _ in 0...Limits.idleParserContexts { idle?.put(Counter { freed() }) }
      var kept = 0
      while let counter = idle?.take() {
        kept += 1
        if kept == Limits.idleParserContexts {
          idle?.put(counter)
          break
        }
      }
      #expect(kept == Limits.idleParserContexts)
      idle = nil
    }
  }
}
