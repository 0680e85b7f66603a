internal import CLinux
internal import Glibc

/// The time of day, which people and other machines set.
package enum RealTime {
  /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
  package static func now() throws(SystemError) -> Int64 {
    let time = try Clock.read(CLOCK_REALTIME)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension RealTime {
  /// True if the clock follows others (adjtimex(2)); nil if the system does not say, as in a sandbox.
  package static var isSynchronised: Bool? {
    switch mediatoken_clock_is_synchronised() {
    case 1: true
    case 0: false
    default: nil
    }
  }
}

/// Nanoseconds on a clock that is never set.
package enum MonotonicTime {
  package static var now: UInt64 { read(CLOCK_MONOTONIC) }

  /// Processor time of the calling thread: time spent waiting is not included.
  package static var ofThisThread: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

  /// Time since the machine was started, also while it slept; nil if the system does not say.
  package static var sinceBoot: UInt64? { (try? Clock.read(CLOCK_BOOTTIME)).map(nanoseconds) }

  private static func read(_ clock: clockid_t) -> UInt64 {
    // The clock always exists (clock_gettime(2)).
    guard let time = try? Clock.read(clock) else { preconditionFailure("the system has no monotonic clock") }
    return nanoseconds(time)
  }

  private static func nanoseconds(_ time: timespec) -> UInt64 {
    UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}

package enum BootIdentity {
  /// A number that differs after every start of the kernel (random(4)), as two words. EINVAL if the file holds no UUID.
  package static func current() throws(SystemError) -> (UInt64, UInt64) {
    let file = try FileDescriptor(opening: "/proc/sys/kernel/random/boot_id", for: .reading)
    var text = InlineArray<36, UInt8>(repeating: 0)
    var output = text.mutableSpan
    guard try SystemCall.read(file.number, into: &output) == text.count else { throw .invalidArgument }
    var (words, digits): ((UInt64, UInt64), Int) = ((0, 0), 0)
    for index in text.indices where text[index] != UInt8(ascii: "-") {
      guard let digit = Hexadecimal.value(ofDigit: text[index]) else { throw .invalidArgument }
      if digits < 16 { words.0 = words.0 << 4 | UInt64(digit) } else { words.1 = words.1 << 4 | UInt64(digit) }
      digits += 1
    }
    guard digits == 32 else { throw .invalidArgument }
    return words
  }
}

private enum Clock {
  static func read(_ clock: clockid_t) throws(SystemError) -> timespec {
    var time = timespec()
    // SAFETY: clock_gettime fills in the structure that it is given.
    guard unsafe clock_gettime(clock, &time) == 0 else { throw .last }
    return time
  }
}

extension Duration {
  /// At most as many as fit.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, isTooMuch) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return overflow || isTooMuch ? (seconds < 0 ? .min : .max) : sum
  }

  /// At most as many as fit; 0 for a negative duration.
  package var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    if seconds < 0 || attoseconds < 0 { return 0 }
    let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product &+ UInt64(attoseconds) / 1_000_000_000
  }
}
