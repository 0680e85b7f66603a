internal import Glibc

/// A reference that many threads read and some exchange.
///
/// A POSIX lock, and not `Mutex`: ThreadSanitizer knows it. It is held for as long as it takes to retain an object.
@safe final class Exchangeable<Object: AnyObject & Sendable>: @unchecked Sendable {
  // SAFETY: allocated and initialised in init, destroyed and freed in deinit, when nobody has the object any more; it
  // guards `object`.
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var object: Object

  init(_ object: Object) {
    unsafe lock = .allocate(capacity: 1)
    self.object = object
    // With default attributes it cannot fail on Linux (pthread_mutex_init(3)).
    unsafe pthread_mutex_init(lock, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  /// The object that is in it now.
  var current: Object {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return object
  }

  /// Puts another one in. Whoever has the old one keeps it until done.
  func exchange(for new: Object) {
    var old = new
    unsafe pthread_mutex_lock(lock)
    swap(&old, &object)
    unsafe pthread_mutex_unlock(lock)
    // Here the old one may end: not while others wait.
    _ = consume old
  }
}
