internal import MediaTokenSystem

/// A point in time: milliseconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX time).
///
/// The library has no clock of its own: the caller that asks for a verdict says what time it is.
public struct Instant: Sendable, Hashable, Comparable {
  /// Milliseconds since the epoch; negative before it.
  public let millisecondsSinceEpoch: Int64

  /// The instant that is `milliseconds` after the epoch.
  public init(millisecondsSinceEpoch milliseconds: Int64) {
    millisecondsSinceEpoch = milliseconds
  }

  public static func < (earlier: Instant, later: Instant) -> Bool {
    earlier.millisecondsSinceEpoch < later.millisecondsSinceEpoch
  }
}

extension Instant {
  /// What the system's real-time clock says: what a verdict about a token that has just come needs, and the only clock
  /// that may be asked where a shared replay memory is used.
  public static var now: Instant {
    guard let now = try? RealTime.now() else { preconditionFailure("the system has no real-time clock") }
    return Instant(millisecondsSinceEpoch: now)
  }
}

extension Instant: CustomStringConvertible {
  /// ISO 8601 in UTC with milliseconds, for example `2026-11-20T12:00:00.000Z`.
  public var description: String {
    let (days, millisecondOfDay) = millisecondsSinceEpoch.flooredDivision(by: 86_400_000)
    let date = CivilDate(daysSinceEpoch: days)
    let (secondOfDay, millisecond) = millisecondOfDay.flooredDivision(by: 1000)
    let (minuteOfDay, second) = secondOfDay.flooredDivision(by: 60)
    let (hour, minute) = minuteOfDay.flooredDivision(by: 60)
    return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2)
      + "T" + padded(hour, 2) + ":" + padded(minute, 2) + ":" + padded(second, 2)
      + "." + padded(millisecond, 3) + "Z"
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

extension Instant {
  /// The instant that people and scripts write: any spelling that a token's `issueTime` may have, which includes
  /// ISO 8601 with an offset, or 1 to 15 digits of milliseconds since the epoch. Nil for anything else.
  package init?(written text: String) {
    let bytes = text.utf8Span.span
    if let instant = IssueTime.parse(bytes) {
      self = instant
      return
    }
    guard (1...15).contains(bytes.count) else { return nil }
    var milliseconds: Int64 = 0
    for index in bytes.indices {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      milliseconds = milliseconds * 10 + Int64(digit)
    }
    self.init(millisecondsSinceEpoch: milliseconds)
  }
}

/// A date of the proleptic Gregorian calendar.
struct CivilDate: Equatable {
  var year: Int64
  var month: Int64
  var day: Int64

  /// The date as written, or nil if the calendar does not have it. Any year, months and days from 1.
  init?(year: Int64, month: Int64, day: Int64) {
    guard (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The date that is `days` after 1970-01-01.
  ///
  /// Years are counted from March, so that the leap day is a year's last; 400 years are 146,097 days
  /// (the same arithmetic as in H. Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  init(daysSinceEpoch days: Int64) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days from 1970-01-01 to this date; negative before it.
  var daysSinceEpoch: Int64 {
    let yearFromMarch = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = yearFromMarch.flooredDivision(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Int64 {
  /// Quotient and remainder for a positive divisor, the remainder never negative.
  package func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// A number in decimal, filled up with zeros to at least `width` digits.
private func padded(_ number: Int64, _ width: Int) -> String {
  let digits = String(number.magnitude)
  let zeros = String(repeating: "0", count: Swift.max(0, width - digits.utf8.count))
  return (number < 0 ? "-" : "") + zeros + digits
}
