internal import CLibCrypto

/// The errors that our calls add to this thread's OpenSSL error queue. The host program's errors stay; what is added after
/// them is taken back (ERR_set_mark(3)).
package struct QueuedErrors {
  /// A mark needs an error to be set on: without one the queue was empty.
  private let queueHadErrors: Bool

  /// Errors that are queued from now on are ours.
  init() { queueHadErrors = ERR_set_mark() == 1 }

  func takeBack() {
    if queueHadErrors { ERR_pop_to_mark() } else { ERR_clear_error() }
  }

  /// Cheaper than ``takeBack()``, and enough where nothing can have been queued.
  func drop() {
    if queueHadErrors { ERR_clear_last_mark() }
  }

  /// The reason of a failure, as far as its errors say so.
  package enum Cause {
    /// One of them says that memory ran out.
    case outOfMemory
    /// There are errors, and all of them are such as a signature that does not fit leaves in the versions that are tested.
    case forgery
    /// There is no error, another one, or not all can be seen.
    case unknown
  }

  /// Reads the errors, the oldest first. OpenSSL 3.0 can't show an error that lies under another without taking both away:
  /// where the host program has errors in the queue, the newest is all that is seen.
  package func cause() -> Cause {
    if queueHadErrors {
      return mediatoken_err_is_malloc_failure(ERR_peek_last_error()) == 1 ? .outOfMemory : .unknown
    }
    var (isForgery, isOutOfMemory) = (ERR_peek_error() != 0, false)
    while case let error = ERR_get_error(), error != 0 {
      isForgery = isForgery && mediatoken_err_is_of_forgery(error) == 1
      isOutOfMemory = isOutOfMemory || mediatoken_err_is_malloc_failure(error) == 1
    }
    return isOutOfMemory ? .outOfMemory : isForgery ? .forgery : .unknown
  }
}

/// Takes back all that `body`, which may ask for the errors of its calls, added to this thread's OpenSSL error queue.
package func keepingErrorQueue<Value: ~Copyable, Failure: Error>(
  _ body: (QueuedErrors) throws(Failure) -> Value
) throws(Failure) -> Value {
  let errors = QueuedErrors()
  defer { errors.takeBack() }
  return try body(errors)
}
