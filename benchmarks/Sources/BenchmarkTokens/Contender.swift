import Glibc

/// The benchmarks' protocol, for programs in Swift: see suite/contender.py.
///
/// Says that it is ready, then for each line of standard input does the work so many times and says how long that took.
/// Whatever fails must end the program by itself.
public func contend(_ work: (Int) throws -> Void) rethrows {
  say("ready")
  while let line = readLine() {
    guard let count = Int(line), count > 0 else { fatalError("expected a count, found \(line)") }
    let (wall, processor) = (nanoseconds(CLOCK_MONOTONIC), nanoseconds(CLOCK_PROCESS_CPUTIME_ID))
    try work(count)
    let took = nanoseconds(CLOCK_MONOTONIC) - wall
    say("\(took) \(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processor)")
  }
}

/// A clock's time.
public func nanoseconds(_ clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

private func say(_ line: String) {
  print(line)
  fflush(nil)
}
