internal import Glibc

/// A value that several threads change in turn, and can wait for: the only kind of lock in this project.
///
/// A POSIX lock, and not `Mutex` of Synchronization: that one has nothing to wait with, and ThreadSanitizer does not see it,
/// as its code on Linux is in a library that is not instrumented.
@safe @usableFromInline package final class Monitor<State>: @unchecked Sendable {
  // SAFETY: allocated and initialised in init, destroyed and freed in deinit, when no thread is left to wait. The mutex
  // guards `state`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  @usableFromInline var state: State

  package init(_ state: sending State) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    self.state = state
    // None of these can fail on Linux (pthread_mutex_init(3), pthread_cond_init(3), pthread_condattr_setclock(3)).
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(changed, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// Lets `body` change the value alone, and wakes all who wait.
  @inlinable
  package func change<Value>(_ body: (inout State) -> Value) -> Value {
    lock()
    defer { wakeAndUnlock() }
    return body(&state)
  }

  /// Waits until `isReady`, lets `body` change the value alone, and wakes all who wait.
  @inlinable
  package func change<Value>(when isReady: (State) -> Bool, _ body: (inout State) -> Value) -> Value {
    lock()
    defer { wakeAndUnlock() }
    while !isReady(state) { wait() }
    return body(&state)
  }

  package func wait(atMostMilliseconds most: UInt64, until isReady: (State) -> Bool) {
    lock()
    defer { unlock() }
    let end = MonotonicTime.now &+ most * 1_000_000
    var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    while !isReady(state), MonotonicTime.now < end {
      unsafe pthread_cond_timedwait(changed, mutex, &time)
    }
  }

  @inlinable
  package var current: State {
    lock()
    defer { unlock() }
    return state
  }

  /// Replaces the value. The old one is released after the lock.
  package func exchange(for new: sending State) {
    let old = change { state in
      let old = state
      state = new
      return old
    }
    _ = consume old
  }

  @usableFromInline func lock() { unsafe pthread_mutex_lock(mutex) }

  @usableFromInline func unlock() { unsafe pthread_mutex_unlock(mutex) }

  @usableFromInline func wait() { unsafe pthread_cond_wait(changed, mutex) }

  @usableFromInline func wakeAndUnlock() {
    unsafe pthread_cond_broadcast(changed)
    unlock()
  }
}
