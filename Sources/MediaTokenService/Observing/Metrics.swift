internal import MediaToken
internal import MediaTokenSystem
internal import Synchronization

/// All counts, over all threads, and the few values that are not counters.
final class Metrics: Sendable {
  private let threads = Monitor<[Counters]>([])
  /// 1 if the last reload was taken, 0 if the old set stays in use.
  let lastReloadSuccessful = Atomic<Bool>(true)

  /// They count on after their thread's end.
  func newCounters() -> Counters {
    let counters = Counters()
    threads.change { $0.append(counters) }
    return counters
  }

  func total(_ counter: Counter) -> UInt64 {
    threads.current.reduce(0) { $0 &+ $1.load(counter) }
  }
}

extension Counters {
  func addDuration(nanoseconds: UInt64) {
    add(.durationNanoseconds, nanoseconds)
    let microseconds = nanoseconds / 1000
    var bucket = 0
    while bucket < Counter.durationBounds.count, microseconds >= Counter.durationBounds[bucket] { bucket += 1 }
    add(.duration(bucket: bucket))
  }
}
