internal import CLinux
internal import Glibc

/// A program that this process started. It is killed when the thread that started it ends, however that happens, so start
/// it on the main thread.
package struct ChildProcess: Sendable {
  package let id: Int32

  /// Starts a program with nothing to read. A name without a slash is looked up in PATH. Standard output and standard error
  /// both go to `output`. ``SystemError/missing`` if there is no such program.
  package init(starting program: String, _ arguments: [String], output: Int32) throws(SystemError) {
    let nothing = try FileDescriptor(opening: "/dev/null", for: .reading)
    var words = unsafe [UnsafeMutablePointer<CChar>?]()
    // SAFETY: each was allocated by strdup, and is freed when the call below is over.
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    for word in [program] + arguments {
      let word = try SystemCall.terminated(word.utf8)
      unsafe words.append(strdup(word))
    }
    unsafe words.append(nil)
    var id: Int32 = 0
    // SAFETY: a list of C strings that ends with NULL; the call reads them and writes the number.
    let error = unsafe mediatoken_start_child(words, nothing.number, output, &id)
    guard error == 0 else { throw SystemError(code: error) }
    self.id = id
  }

  /// Does not wait. Once this was true, do not ask again.
  package func hasEnded() -> Bool {
    // An error says that there is no such child any more.
    waitpid(id, nil, WNOHANG) != 0
  }

  /// The exit status; nil if a signal ended it. Kills it (SIGKILL) if it has not ended in time.
  @discardableResult
  package func status(withinMilliseconds limit: Int) -> Int32? {
    var status: Int32 = 0
    for _ in 0..<max(1, limit / 10) {
      // SAFETY: waitpid writes the one number; an error says that there is no such child any more.
      let found = unsafe waitpid(id, &status, WNOHANG)
      if found != 0 { return found == id && status & 0x7F == 0 ? status >> 8 & 0xFF : nil }
      WorkerThread.sleep(milliseconds: 10)
    }
    _ = kill(id, SIGKILL)
    while waitpid(id, nil, 0) < 0, SystemError.last == .interrupted { continue }
    return nil
  }

  package enum Signal { case terminate, interrupt }

  /// Asks it to end, and kills it (SIGKILL) if it has not ended in time.
  package func end(by signal: Signal = .terminate, withinMilliseconds limit: Int) {
    _ = kill(id, signal == .terminate ? SIGTERM : SIGINT)
    status(withinMilliseconds: limit)
  }
}

extension CurrentProcess {
  /// poll(2): whether the other end of a pipe, socket or terminal was closed.
  package static func hasHungUp(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: 0, revents: 0)
    // SAFETY: poll reads and writes the one structure.
    return unsafe poll(&request, 1, 0) == 1 && Int32(request.revents) & POLLHUP != 0
  }
}
