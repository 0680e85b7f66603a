// Spends distinct identities on one table: see BENCHMARKS.md, "replay-rate".
//
//   replay-rate spend TABLE FIRST COUNT AHEAD START     prints START_NS END_NS FIRST_USES USED CPU_NS
//   replay-rate latency TABLE FIRST COUNT AHEAD         prints two percentiles, 50 and 99, of the last 200,000 in ns
//   replay-rate open TABLE TIMES                        prints the median and the greatest in ms
//
// AHEAD is how many seconds are added to the clock, START the CLOCK_REALTIME second at which to
// begin, 0: at once.

import Glibc
import MediaToken
import MediaTokenReplay

@main
struct ReplayRate {
  static func main() throws {
    let arguments = CommandLine.arguments
    let numbers = arguments.dropFirst(3).map { UInt64($0) ?? 0 }
    switch arguments.dropFirst().first {
    case "spend": try spend(arguments[2], numbers[0], numbers[1], ahead: numbers[2], start: numbers[3])
    case "latency": try latency(arguments[2], numbers[0], numbers[1], ahead: numbers[2])
    case "open": try open(arguments[2], numbers[0])
    default: fatalError("expected spend, latency or open")
    }
  }

  static func spend(_ path: String, _ first: UInt64, _ count: UInt64, ahead: UInt64, start: UInt64) throws {
    let table = try SharedReplayTable(opening: path, policy: .standard)
    guard start == 0 || nanoseconds(CLOCK_REALTIME) < start * 1_000_000_000 else { fatalError("too late to begin") }
    while nanoseconds(CLOCK_REALTIME) < start * 1_000_000_000 {}
    var claims = Claims(ahead: ahead)
    var (firstUses, used) = (0, 0)
    let (begin, processor) = (nanoseconds(CLOCK_MONOTONIC), nanoseconds(CLOCK_PROCESS_CPUTIME_ID))
    for number in first..<(first + count) {
      switch try table.spend(claims.next(number)) {
      case .firstUse: firstUses += 1
      case .alreadyUsed: used += 1
      default: fatalError("neither first nor used")
      }
    }
    print(begin, nanoseconds(CLOCK_MONOTONIC), firstUses, used, nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processor)
  }

  static func latency(_ path: String, _ first: UInt64, _ count: UInt64, ahead: UInt64) throws {
    let table = try SharedReplayTable(opening: path, policy: .standard)
    var claims = Claims(ahead: ahead)
    var times: [UInt64] = []
    times.reserveCapacity(200_000)
    for number in first..<(first + count) {
      // Until then the process touches its pages, as one that runs all day has.
      if number < first + count - 200_000 {
        _ = try table.spend(claims.next(number))
        continue
      }
      let claim = claims.next(number)
      let begin = nanoseconds(CLOCK_MONOTONIC)
      let outcome = try table.spend(claim)
      times.append(nanoseconds(CLOCK_MONOTONIC) - begin)
      guard outcome == .firstUse else { fatalError("not a first use") }
    }
    times.sort()
    print(times[times.count / 2], times[times.count * 99 / 100])
  }

  static func open(_ path: String, _ times: UInt64) throws {
    var milliseconds: [Double] = []
    for _ in 0..<times {
      let begin = nanoseconds(CLOCK_MONOTONIC)
      let table = try SharedReplayTable(opening: path, policy: .standard)
      milliseconds.append(Double(nanoseconds(CLOCK_MONOTONIC) - begin) / 1e6)
      withExtendedLifetime(table) {}
    }
    milliseconds.sort()
    print(milliseconds[milliseconds.count / 2], milliseconds[milliseconds.count - 1])
  }
}

func nanoseconds(_ clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Claims of distinct identities, the clock read now and then.
struct Claims {
  let ahead: UInt64
  var now = Instant(millisecondsSinceEpoch: 0)

  init(ahead: UInt64) { self.ahead = ahead }

  @inline(__always)
  mutating func next(_ number: UInt64) -> UseClaim {
    if number & 1023 == 0 || now.millisecondsSinceEpoch == 0 {
      now = Instant(millisecondsSinceEpoch: Int64(nanoseconds(CLOCK_REALTIME) / 1_000_000 + ahead * 1000))
    }
    return UseClaim(
      identity: identity(number), issueTime: now, ttlMilliseconds: 3_600_000, now: now, request: nil)
  }

  @inline(__always)
  private func identity(_ number: UInt64) -> TokenIdentity {
    var words = InlineArray<4, UInt64>(repeating: 0)
    for index in 0..<4 { words[index] = splitmix64(number * 4 + UInt64(index)) }
    let digest = words.span.withUnsafeBytes { SHA256Digest(bytes: $0.bindMemory(to: UInt8.self).span) }
    guard let digest else { fatalError("not 32 bytes") }
    return TokenIdentity(digest: digest)
  }

  /// G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators".
  @inline(__always)
  private func splitmix64(_ number: UInt64) -> UInt64 {
    var word = (number &+ 1) &* 0x9E37_79B9_7F4A_7C15
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
