internal import Synchronization

/// Objects that wait to be used again, ``Limits/idleParserContexts`` at most. Each is either in here or with the one thread
/// that took it out.
///
/// No thread waits for another's. Besides, ThreadSanitizer sees these hand-overs; it reports every one through
/// `Mutex`, whose code on Linux is in a library that is not instrumented.
@safe final class IdleObjects<Object: AnyObject & Sendable>: Sendable {
  // SAFETY: a cell owns one reference to what it holds. `put` gives up the reference before the exchange that stores it,
  // and of all exchanges with nil in `take` and `deinit` just one returns it: its partner, which sees all that was done
  // to the object before.
  private let cells: InlineArray<64, Atomic<Unmanaged<Object>?>>  // Limits.idleParserContexts

  init() {
    unsafe cells = InlineArray { _ in unsafe Atomic(nil) }
  }

  deinit { while take() != nil {} }

  func take() -> Object? {
    for index in unsafe cells.indices {
      // A load is cheaper than an exchange, and may be wrong in both directions without harm.
      if unsafe cells[index].load(ordering: .sequentiallyConsistent) == nil { continue }
      if let object = unsafe cells[index].exchange(nil, ordering: .sequentiallyConsistent) {
        return unsafe object.takeRetainedValue()
      }
    }
    return nil
  }

  /// Drops the object if there is no room.
  func put(_ object: Object) {
    let reference = unsafe Unmanaged.passRetained(object)
    for index in unsafe cells.indices {
      if unsafe cells[index].load(ordering: .sequentiallyConsistent) != nil { continue }
      let stored = unsafe cells[index].compareExchange(
        expected: nil, desired: reference, ordering: .sequentiallyConsistent)
      if unsafe stored.exchanged { return }
    }
    unsafe reference.release()
  }
}
