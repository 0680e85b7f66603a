import Glibc

/// The benchmarks' protocol, for programs in Swift: see suite/measure/contender.py.
///
/// Says that it is ready, then for each line of standard input does the work so many times and says how long that took.
/// Whatever fails must end the program by itself.
package func contend(_ work: (Int) throws -> Void) rethrows {
  var rounds = Rounds()
  while let count = rounds.next() {
    rounds.begin()
    try work(count)
    rounds.end()
  }
}

/// The same where something must be done between a line and its work, or where the work can't be a closure.
package struct Rounds: ~Copyable {
  private var (wall, processor): (Int64, Int64) = (0, 0)
  private let processorClock: clockid_t

  /// Says that it is ready.
  ///
  /// - Parameter processorClock: whose processor time it is; a server's, if that does the work.
  package init(processorClock: clockid_t = CLOCK_PROCESS_CPUTIME_ID) {
    self.processorClock = processorClock
    say("ready")
  }

  /// How often the work is wanted next; nil if it is not wanted any more.
  package func next() -> Int? {
    guard let line = readLine() else { return nil }
    guard let count = Int(line), count > 0 else { fail("expected a count, found \(line)") }
    return count
  }

  /// The work begins now.
  package mutating func begin() {
    (wall, processor) = (nanoseconds(CLOCK_MONOTONIC), nanoseconds(processorClock))
  }

  /// The work is done.
  package func end() {
    let took = nanoseconds(CLOCK_MONOTONIC) - wall
    say("\(took) \(nanoseconds(processorClock) - processor)")
  }

  /// The work is done, and took so many nanoseconds, which the program has found by itself.
  package func end(took: Int64) { say("\(took) \(took)") }
}

/// The clock of another process's processor time.
package func processorClock(of process: pid_t) -> clockid_t {
  var clock = clockid_t()
  guard clock_getcpuclockid(process, &clock) == 0 else { fail("expected a process \(process)") }
  return clock
}

/// Prints as JSON what these times are by hundredth.
package func printPercentiles(_ times: [Int64]) {
  let times = times.sorted()
  let shown = [("50", 0.5), ("90", 0.9), ("99", 0.99), ("99.9", 0.999), ("100", 1)].map { name, part in
    "\"\(name)\": \(times[Int(Double(times.count - 1) * part)])"
  }
  print("{\(shown.joined(separator: ", "))}")
}

/// A clock's time.
package func nanoseconds(_ clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// What time it is.
package func milliseconds() -> Int64 { nanoseconds(CLOCK_REALTIME) / 1_000_000 }

/// Ends the program, which could not do its work.
package func fail(_ why: String) -> Never {
  let line = Array("\(why)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(1)
}

private func say(_ line: String) {
  print(line)
  fflush(nil)
}
