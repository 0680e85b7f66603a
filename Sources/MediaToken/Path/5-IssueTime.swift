internal import MediaTokenSystem

/// The four accepted spellings of an instant, and no other (<doc:TokenFormat>, "Lifetime").
///
/// General date parsers accept February 30, offsets of 99 hours and trailing junk; this one does not, and no time zone
/// or locale of the machine matters: the written offset alone counts.
package enum IssueTime {
  /// The instant, or nil if the text is not exactly one of
  /// `yyyy-MM-dd HH:mm:ss ±HHMM`, `yyyy/MM/dd HH:mm:ss GMT ±HHMM`,
  /// `yyyy-MM-ddTHH:mm:ss[.SSS]` with `Z` or `±HH:MM`, and 13 digits of milliseconds since the epoch.
  package static func parse(_ text: Span<UInt8>) -> Instant? {
    if text.count == 13 {
      return number(text, 0, digits: 13).map { Instant(millisecondsSinceEpoch: $0) }
    }
    // Every written form has its date and time in the first 19 bytes.
    guard text.count >= 20, let local = dateAndTime(text), let rest = fractionLessOffset(text) else { return nil }
    return Instant(millisecondsSinceEpoch: local + rest)
  }

  /// `yyyy-MM-dd?HH:mm:ss`, either separator of the date, as milliseconds since the epoch in local time.
  private static func dateAndTime(_ text: Span<UInt8>) -> Int64? {
    let separator = text[4]
    guard separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/"), text[7] == separator,
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      let year = number(text, 0, digits: 4), year >= 1970, let month = number(text, 5, digits: 2),
      let day = number(text, 8, digits: 2), let date = CivilDate(year: year, month: month, day: day),
      // No 24:00, no leap second.
      let hour = number(text, 11, digits: 2), hour <= 23, let minute = number(text, 14, digits: 2), minute <= 59,
      let second = number(text, 17, digits: 2), second <= 59
    else { return nil }
    return date.daysSinceEpoch * 86_400_000 + ((hour * 60 + minute) * 60 + second) * 1000
  }

  /// The part after the seconds, as milliseconds to add: the fraction less the offset. The bytes at 4 and 10 say which of
  /// the written forms it is.
  private static func fractionLessOffset(_ text: Span<UInt8>) -> Int64? {
    switch (text[4], text[10]) {
    case (UInt8(ascii: "-"), UInt8(ascii: " ")):
      guard text.count == 25, text[19] == UInt8(ascii: " ") else { return nil }
      return offset(text, 20, minutesAt: 23).map { -$0 }
    case (UInt8(ascii: "/"), UInt8(ascii: " ")):
      guard text.count == 29, text.has(" GMT ", at: 19) else { return nil }
      return offset(text, 24, minutesAt: 27).map { -$0 }
    case (UInt8(ascii: "-"), UInt8(ascii: "T")):
      guard text[19] == UInt8(ascii: ".") else { return zone(text, 19).map { -$0 } }
      guard let fraction = number(text, 20, digits: 3), let zone = zone(text, 23) else { return nil }
      return fraction - zone
    default:
      return nil
    }
  }

  /// `Z` or `±HH:MM` from `start` to the end, as milliseconds.
  private static func zone(_ text: Span<UInt8>, _ start: Int) -> Int64? {
    if text.count == start + 1, text[start] == UInt8(ascii: "Z") { return 0 }
    guard text.count == start + 6, text[start + 3] == UInt8(ascii: ":") else { return nil }
    return offset(text, start, minutesAt: start + 4)
  }

  /// A sign, two digits of hours and two of minutes, as milliseconds; at most 14 hours and 59 minutes.
  private static func offset(_ text: Span<UInt8>, _ start: Int, minutesAt minutes: Int) -> Int64? {
    guard let hours = number(text, start + 1, digits: 2), hours <= 14,
      let minutes = number(text, minutes, digits: 2), minutes <= 59
    else { return nil }
    let magnitude = (hours * 60 + minutes) * 60_000
    switch text[start] {
    case UInt8(ascii: "+"): return magnitude
    case UInt8(ascii: "-"): return -magnitude
    default: return nil
    }
  }

  /// Exactly `digits` ASCII digits at `start`, 18 at most; nil also if the text ends before.
  @inline(__always)
  static func number(_ text: Span<UInt8>, _ start: Int, digits: Int) -> Int64? {
    guard start + digits <= text.count else { return nil }
    var number: Int64 = 0
    for index in start..<start + digits {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number &* 10 &+ Int64(digit)
    }
    return number
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
    guard (1...15).contains(bytes.count), let milliseconds = IssueTime.number(bytes, 0, digits: bytes.count) else {
      return nil
    }
    self.init(millisecondsSinceEpoch: milliseconds)
  }
}
