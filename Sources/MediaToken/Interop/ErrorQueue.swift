internal import CLibCrypto

/// A place in this thread's OpenSSL error queue. What the host program has there stays; what our calls add after it is
/// taken back (ERR_set_mark(3)).
struct ErrorQueueMark {
  /// A mark needs an error to be set on: without one the queue was empty.
  private let queueHadErrors: Bool

  init() { queueHadErrors = ERR_set_mark() == 1 }

  /// Takes back every error since the mark.
  func restoreQueue() {
    if queueHadErrors { ERR_pop_to_mark() } else { ERR_clear_error() }
  }

  /// Takes back every error since the mark, and shows each to `body`, the oldest first.
  ///
  /// OpenSSL 3.0 can't show an error that lies under another without taking both away: where the host program has errors
  /// in the queue, only the newest is shown.
  func restoreQueue(_ body: (ErrorCode) -> Void) {
    if queueHadErrors {
      body(ErrorCode(value: ERR_peek_last_error()))
      ERR_pop_to_mark()
    } else {
      while case let error = ErrorCode(value: ERR_get_error()), error.value != 0 { body(error) }
    }
  }

  /// Drops the mark. Cheaper than ``restoreQueue()``, and enough where nothing can have added an error.
  func drop() {
    if queueHadErrors { ERR_clear_last_mark() }
  }
}

/// One entry of the queue.
struct ErrorCode {
  /// OpenSSL's packed number; 0 if the queue is empty.
  let value: UInt

  /// Whether it says that memory ran out.
  var isOutOfMemory: Bool { mediatoken_err_is_malloc_failure(value) == 1 }

  /// Whether it comes from OpenSSL's RSA code or the provider around it, and not from below, as from its arithmetic.
  var isOfRSA: Bool { mediatoken_err_is_of_rsa(value) == 1 }
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
  ErrorCode(value: ERR_peek_last_error()).isOutOfMemory
}
