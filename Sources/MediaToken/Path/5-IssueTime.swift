/// The four accepted spellings of an instant, and no other (<doc:TokenFormat>, "Lifetime").
///
/// General date parsers accept February 30, offsets of 99 hours and trailing junk; this one does not, and no time zone
/// or locale of the machine has a say: the written offset alone counts.
package enum IssueTime {
  /// The instant, or nil if the text is not exactly one of
  /// `yyyy-MM-dd HH:mm:ss ±HHMM`, `yyyy/MM/dd HH:mm:ss GMT ±HHMM`,
  /// `yyyy-MM-ddTHH:mm:ss[.SSS]` with `Z` or `±HH:MM`, and 13 digits of milliseconds since the epoch.
  package static func parse(_ text: Span<UInt8>) -> Instant? {
    if text.count == 13 {
      var digits = Scanner(text)
      guard let milliseconds = digits.number(13) else { return nil }
      return Instant(millisecondsSinceEpoch: milliseconds)
    }
    var scanner = Scanner(text)
    guard let instant = scanner.dateAndTime(), scanner.isAtEnd else { return nil }
    return instant
  }

  /// Reads from the left; whatever returns nil or false leaves nothing worth reading.
  private struct Scanner: ~Escapable {
    private let text: Span<UInt8>
    private var position = 0

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) { self.text = text }

    var isAtEnd: Bool { position == text.count }

    /// A date, a time of day and an offset, in one of the three written forms.
    mutating func dateAndTime() -> Instant? {
      guard let year = number(4), year >= 1970, let separator = next(),
        separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/"), let month = number(2),
        next() == separator, let day = number(2), let date = CivilDate(year: year, month: month, day: day),
        let betweenDateAndTime = next()
      else { return nil }
      guard let timeOfDay = timeOfDay() else { return nil }
      let local = date.daysSinceEpoch * 86_400_000 + timeOfDay
      let offset: Int64?
      switch (separator, betweenDateAndTime) {
      case (UInt8(ascii: "-"), UInt8(ascii: " ")):
        offset = skip(UInt8(ascii: " ")) ? writtenOffset(colon: false) : nil
        return offset.map { Instant(millisecondsSinceEpoch: local - $0) }
      case (UInt8(ascii: "/"), UInt8(ascii: " ")):
        offset = skipGMT() ? writtenOffset(colon: false) : nil
        return offset.map { Instant(millisecondsSinceEpoch: local - $0) }
      case (UInt8(ascii: "-"), UInt8(ascii: "T")):
        var fraction: Int64 = 0
        if skip(UInt8(ascii: ".")) {
          guard let milliseconds = number(3) else { return nil }
          fraction = milliseconds
        }
        offset = skip(UInt8(ascii: "Z")) ? 0 : writtenOffset(colon: true)
        return offset.map { Instant(millisecondsSinceEpoch: local + fraction - $0) }
      default:
        return nil
      }
    }

    /// `HH:mm:ss` as milliseconds. No 24:00, no leap second.
    private mutating func timeOfDay() -> Int64? {
      guard let hour = number(2), hour <= 23, skip(UInt8(ascii: ":")), let minute = number(2), minute <= 59, skip(UInt8(ascii: ":")),
        let second = number(2), second <= 59
      else { return nil }
      return ((hour * 60 + minute) * 60 + second) * 1000
    }

    /// `±HHMM` or `±HH:MM` as milliseconds; at most 14 hours and 59 minutes.
    private mutating func writtenOffset(colon: Bool) -> Int64? {
      guard let sign = next(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = number(2),
        hours <= 14, !colon || skip(UInt8(ascii: ":")), let minutes = number(2), minutes <= 59
      else { return nil }
      let magnitude = (hours * 60 + minutes) * 60_000
      return sign == UInt8(ascii: "-") ? -magnitude : magnitude
    }

    /// Exactly `digits` ASCII digits.
    mutating func number(_ digits: Int) -> Int64? {
      guard digits <= text.count - position else { return nil }
      var number: Int64 = 0
      for _ in 0..<digits {
        let digit = text[position] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        number = number * 10 + Int64(digit)
        position += 1
      }
      return number
    }

    private mutating func next() -> UInt8? {
      guard position < text.count else { return nil }
      position += 1
      return text[position - 1]
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
      guard position < text.count, text[position] == byte else { return false }
      position += 1
      return true
    }

    private mutating func skipGMT() -> Bool {
      guard text.has(" GMT ", at: position) else { return false }
      position += 5
      return true
    }
  }
}
