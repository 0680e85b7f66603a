internal import MediaTokenSystem

/// A point in time: milliseconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX time).
public struct UnixTime: Sendable, Hashable, Comparable {
  /// Milliseconds since the epoch; negative before it.
  public let millisecondsSinceEpoch: Int64

  /// The instant that is `milliseconds` after the epoch.
  public init(millisecondsSinceEpoch milliseconds: Int64) {
    millisecondsSinceEpoch = milliseconds
  }

  /// The instant of a `Date`'s `timeIntervalSince1970`, rounded down to a millisecond.
  public init(secondsSinceEpoch seconds: Double) {
    millisecondsSinceEpoch = Int64(exactly: (seconds * 1000).rounded(.down)) ?? (seconds < 0 ? .min : .max)
  }

  /// For `Date(timeIntervalSince1970:)`.
  public var secondsSinceEpoch: Double { Double(millisecondsSinceEpoch) / 1000 }

  public static func + (time: UnixTime, duration: Duration) -> UnixTime {
    UnixTime(millisecondsSinceEpoch: time.millisecondsSinceEpoch + duration.milliseconds)
  }

  public static func < (earlier: UnixTime, later: UnixTime) -> Bool {
    earlier.millisecondsSinceEpoch < later.millisecondsSinceEpoch
  }
}

extension UnixTime {
  /// What the system's real-time clock says.
  public static var now: UnixTime {
    guard let now = try? RealTime.now() else { preconditionFailure("the system has no real-time clock") }
    return UnixTime(millisecondsSinceEpoch: now)
  }
}

extension UnixTime: CustomStringConvertible {
  /// ISO 8601 in UTC with milliseconds, for example `2026-11-20T12:00:00.000Z`.
  public var description: String {
    if let text = iso8601 { return String(decoding: text.indices.map { text[$0] }, as: UTF8.self) }
    // Every 400 years the calendar begins again, and has 146,097 days until then.
    let (cycles, rest) = millisecondsSinceEpoch.flooredDivision(by: 146_097 * 86_400_000)
    let within = UnixTime(millisecondsSinceEpoch: rest).description
    let year = 400 * cycles + (Int64(within.prefix(4)) ?? 0)
    let digits = String(year.magnitude)
    let zeros = String(repeating: "0", count: Swift.max(0, 4 - digits.utf8.count))
    return (year < 0 ? "-" : "") + zeros + digits + within.dropFirst(4)
  }
}

extension Instant {
  /// The same text as ``description`` without a String around it; nil outside the years 0 to 9999.
  package var iso8601: InlineArray<24, UInt8>? {
    let (days, millisecondOfDay) = millisecondsSinceEpoch.flooredDivision(by: 86_400_000)
    let date = CivilDate(daysSinceEpoch: days)
    guard (0...9999).contains(date.year) else { return nil }
    let (secondOfDay, millisecond) = millisecondOfDay.quotientAndRemainder(dividingBy: 1000)
    let (minuteOfDay, second) = secondOfDay.quotientAndRemainder(dividingBy: 60)
    // Punctuation remains where nothing is written over it.
    var text = InlineArray<24, UInt8>(repeating: UInt8(ascii: "-"))
    text[10] = UInt8(ascii: "T")
    (text[13], text[16], text[19], text[23]) = (
      UInt8(ascii: ":"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "Z")
    )
    text.write(date.year, digits: 4, at: 0)
    text.write(date.month, digits: 2, at: 5)
    text.write(date.day, digits: 2, at: 8)
    text.write(minuteOfDay / 60, digits: 2, at: 11)
    text.write(minuteOfDay % 60, digits: 2, at: 14)
    text.write(second, digits: 2, at: 17)
    text.write(millisecond, digits: 3, at: 20)
    return text
  }
}

extension InlineArray<24, UInt8> {
  /// Writes a number that has at most so many digits.
  @inline(__always)
  fileprivate mutating func write(_ number: Int64, digits: Int, at start: Int) {
    var rest = number
    for index in (start..<start + digits).reversed() {
      self[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }
}

// The package calls it by a short name; the public one does not collide in an application.
package typealias Instant = UnixTime
