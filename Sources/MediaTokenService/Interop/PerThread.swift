internal import Glibc
internal import SystemCalls

/// One object for each thread that asks, made at its first question and kept until the thread ends.
@safe final class PerThread<Value: AnyObject>: @unchecked Sendable {
  // SAFETY: the value behind the key is one reference that `current` retained; the destructor, which runs when the thread
  // ends, gives it back. Threads that outlive this object keep theirs: it is made once in a program's life.
  private let key: pthread_key_t
  private let make: @Sendable () -> Value

  /// - Throws: what the system says when it has no keys left (pthread_key_create(3)).
  init(_ make: @escaping @Sendable () -> Value) throws(SystemFailure) {
    var key = pthread_key_t()
    let code = unsafe pthread_key_create(&key) { value in
      guard let value = unsafe value else { return }
      unsafe Unmanaged<AnyObject>.fromOpaque(value).release()
    }
    guard code == 0 else { throw SystemFailure(code: code) }
    self.key = key
    self.make = make
  }

  deinit { pthread_key_delete(key) }

  /// This thread's object.
  var current: Value {
    if let value = unsafe pthread_getspecific(key) {
      return unsafe Unmanaged<Value>.fromOpaque(value).takeUnretainedValue()
    }
    let value = make()
    let reference = unsafe Unmanaged.passRetained(value)
    // Without memory for the slot the object serves this once, and the next question makes another.
    if unsafe pthread_setspecific(key, reference.toOpaque()) != 0 { unsafe reference.release() }
    return value
  }
}
