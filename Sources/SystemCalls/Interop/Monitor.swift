internal import Glibc

/// A value that several threads change in turn, and can wait for.
@safe package final class Monitor<State>: @unchecked Sendable {
  // SAFETY: allocated and initialised in init, destroyed and freed in deinit, when nobody is left to wait.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var state: State

  package init(_ state: State) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    self.state = state
    // With default attributes neither can fail on Linux (pthread_mutex_init(3), pthread_cond_init(3)).
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// Waits until `isReady`, lets `body` change the value alone, and wakes everybody who waits.
  package func change<Value>(
    when isReady: (State) -> Bool = { _ in true }, _ body: (inout State) -> Value
  ) -> Value {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while !isReady(state) { unsafe pthread_cond_wait(changed, mutex) }
    let value = body(&state)
    unsafe pthread_cond_broadcast(changed)
    return value
  }
}
