internal import CLibCrypto

/// A place in this thread's OpenSSL error queue. What the host program has there stays; what our calls add behind it is
/// taken back (ERR_set_mark(3)).
struct ErrorQueueMark {
  /// A mark needs an error to sit on: without one the queue was empty.
  private let queueHadErrors: Bool

  init() { queueHadErrors = ERR_set_mark() == 1 }

  /// Takes back every error since the mark.
  func restoreQueue() {
    if queueHadErrors { ERR_pop_to_mark() } else { ERR_clear_error() }
  }

  /// Drops the mark. Cheaper than ``restoreQueue()``, and enough where nothing can have added an error.
  func drop() {
    if queueHadErrors { ERR_clear_last_mark() }
  }
}

/// Runs `body` and takes back every error that it added to this thread's OpenSSL error queue.
package func keepingErrorQueue<Value: ~Copyable, Failure: Error>(
  _ body: () throws(Failure) -> Value
) throws(Failure) -> Value {
  let mark = ErrorQueueMark()
  defer { mark.restoreQueue() }
  return try body()
}

/// Whether the newest error of this thread is that memory ran out.
package func newestErrorIsOutOfMemory() -> Bool {
  mediatoken_err_is_malloc_failure(ERR_peek_last_error()) == 1
}
