internal import Glibc

package struct WorkerThread {
  private let thread: pthread_t

  package init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = unsafe Unmanaged.passRetained(Box(body))
    var thread = pthread_t()
    // SAFETY: the new thread takes over the one reference to the box; if no thread was made, it is given back here.
    let code = unsafe pthread_create(
      &thread, nil,
      { box in
        guard let box = unsafe box else { return nil }
        unsafe Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      unsafe box.release()
      throw SystemError(code: code)
    }
    self.thread = thread
  }

  /// Waits for the end of the closure; once only.
  package func join() { pthread_join(thread, nil) }

  /// Lets the thread end by itself, in place of ``join()``.
  package func detach() { pthread_detach(thread) }

  /// Runs the closure on a thread of its own, which ends by itself; here, if there is no thread to spare.
  package static func runDetached(_ body: @escaping @Sendable () -> Void) {
    if let thread = try? WorkerThread(body) { thread.detach() } else { body() }
  }

  /// Puts this thread to sleep; a signal may wake it early.
  package static func sleep(milliseconds: Int) { _ = usleep(UInt32(clamping: milliseconds * 1000)) }
}
