import Glibc

/// A process that this one started, of the same program.
public struct Child: Sendable {
  public let pid: pid_t

  /// Starts this program with these arguments.
  public init(_ arguments: [String]) {
    var strings = (["proof"] + arguments).map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    var pid = pid_t()
    let error = posix_spawn(&pid, "/proc/self/exe", nil, nil, &strings, environ)
    guard error == 0 else { fail("cannot start a process: \(String(cString: strerror(error)))") }
    self.pid = pid
  }

  /// Waits until it stopped or ended, and returns how (waitpid(2)).
  @discardableResult
  public func wait(untraced: Bool = false) -> Int32 {
    var status = Int32()
    while waitpid(pid, &status, untraced ? WUNTRACED : 0) != pid {
      guard errno == EINTR else { fail("waitpid: \(String(cString: strerror(errno)))") }
    }
    return status
  }

  /// Waits until it ended, and fails the proof unless it did so well.
  public func waitForSuccess() {
    let status = wait()
    guard status == 0 else { fail("a process ended with the status 0x\(String(status, radix: 16))") }
  }

  /// Kills it, and waits until it is gone.
  public func killAndWait() {
    kill(pid, SIGKILL)
    wait()
  }
}

/// Runs a closure on a thread of its own for each number, and waits for all of them.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  final class Work: Sendable {
    let index: Int
    let body: @Sendable (Int) -> Void
    init(_ index: Int, _ body: @escaping @Sendable (Int) -> Void) { (self.index, self.body) = (index, body) }
  }
  var threads: [pthread_t] = []
  for index in 0..<count {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(index, body)).toOpaque()
    let error = pthread_create(
      &thread, nil,
      { argument in
        let work = Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue()
        work.body(work.index)
        return nil
      }, work)
    guard error == 0 else { fail("cannot start a thread") }
    threads.append(thread)
  }
  for thread in threads { pthread_join(thread, nil) }
}

/// Ends the proof: it failed.
public func fail(_ message: String) -> Never {
  print("FAILED: \(message)")
  fflush(nil)
  exit(1)
}

/// Ends the proof unless what it claims is so.
public func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fail(message()) }
}

/// Prints a line, and at once, also into a file: a proof that hangs has said how far it came.
public func say(_ line: String) {
  print(line)
  fflush(nil)
}
