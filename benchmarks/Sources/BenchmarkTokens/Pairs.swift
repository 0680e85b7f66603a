import Glibc

/// How many pairs one comparison takes.
public let pairs = 31

/// Whose time is taken.
public enum TimedBy {
  /// Everybody's.
  case wall
  /// This thread's alone, which other processes' turns are not in.
  case processor

  fileprivate func seconds(_ body: () -> Void) -> Double {
    let clock = self == .wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID
    let start = Self.now(clock)
    body()
    return Self.now(clock) - start
  }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// Runs both in turn and prints the ratio of their times. `whole` is given the number of its pair.
public func compare(
  _ name: String, pairs: Int = pairs, timedBy clock: TimedBy = .wall, floor: () -> Void, whole: (Int) -> Void
) {
  var (ratios, floors): ([Double], [Double]) = ([], [])
  for pair in 0..<pairs {
    let bare = clock.seconds(floor)
    ratios.append(clock.seconds { whole(pair) } / bare)
    floors.append(bare)
  }
  let sorted = ratios.sorted()
  func three(_ value: Double) -> String { String(Double(Int(value * 1000 + 0.5)) / 1000) }
  print(
    "\(name)  ratio median \(three(median(ratios))) (\(three(sorted[pairs / 10]))...\(three(sorted[pairs * 9 / 10])))",
    " floors \(Int(median(floors) * 1e6)) µs a round")
}

public func seconds(_ body: () -> Void) -> Double { TimedBy.wall.seconds(body) }

public func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
