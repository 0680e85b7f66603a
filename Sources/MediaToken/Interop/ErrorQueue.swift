internal import CLibCrypto

/// What our calls add to this thread's OpenSSL error queue. What the host program has there stays; what is added after
/// it is taken back (ERR_set_mark(3)).
package struct QueuedErrors {
  /// A mark needs an error to be set on: without one the queue was empty.
  private let queueHadErrors: Bool

  /// Begins with no error: what is queued from now on is ours.
  init() { queueHadErrors = ERR_set_mark() == 1 }

  /// Takes back all of them.
  func takeBack() {
    if queueHadErrors { ERR_pop_to_mark() } else { ERR_clear_error() }
  }

  /// Ends the account. Cheaper than ``takeBack()``, and enough where nothing can have been queued.
  func drop() {
    if queueHadErrors { ERR_clear_last_mark() }
  }

  /// Why a call failed, as far as its errors say so.
  package enum Cause {
    /// One of them says that memory ran out.
    case outOfMemory
    /// There are errors, and all of them are such as a signature that does not fit leaves in the versions that are tested.
    case forgery
    /// There is no error, another one, or not all can be seen.
    case unknown
  }

  /// Reads them, the oldest first.
  ///
  /// OpenSSL 3.0 can't show an error that lies under another without taking both away: where the host program has errors
  /// in the queue, the newest is all that is seen.
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

/// Runs `body`, which may ask for the errors of its calls, and takes back all that it added to this thread's OpenSSL error
/// queue.
package func keepingErrorQueue<Value: ~Copyable, Failure: Error>(
  _ body: (QueuedErrors) throws(Failure) -> Value
) throws(Failure) -> Value {
  let errors = QueuedErrors()
  defer { errors.takeBack() }
  return try body(errors)
}
