import Glibc

/// Runs `body` on so many threads at once, each with its number, and waits for all. A single one is the calling thread itself.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  guard count > 1 else { return body(0) }
  let threads = (0..<count).map { number in
    var thread = pthread_t()
    let job = Unmanaged.passRetained(Job { body(number) })
    let error = pthread_create(
      &thread, nil,
      { job in
        Unmanaged<Job>.fromOpaque(job!).takeRetainedValue().run()
        return nil
      },
      job.toOpaque())
    guard error == 0 else { fail("expected a thread, found the error \(error)") }
    return thread
  }
  for thread in threads { pthread_join(thread, nil) }
}

private final class Job: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
