internal import MediaTokenSystem

/// The trace that a request is part of, as its caller says by `traceparent` (W3C Trace Context, section 3.2): numbers, so
/// that nothing else that a caller sent gets into the log, and a request that has one costs little more than one that has
/// none.
package struct TraceContext: Equatable, Sendable {
  /// The 16 bytes of the trace, in two halves; both are 0 where there is no trace, which no trace is called.
  private let (first, second): (UInt64, UInt64)
  /// The 8 bytes of the caller's span.
  private let span: UInt64

  package static let none = TraceContext(0, 0, span: 0)

  private init(_ first: UInt64, _ second: UInt64, span: UInt64) {
    (self.first, self.second, self.span) = (first, second, span)
  }

  /// Nil for a `traceparent` that is ill formed, or all of whose digits of trace or span are 0.
  init?(_ value: Span<UInt8>) {
    // Version, trace, span and flags; what versions after the first add is after a hyphen.
    let hyphen = UInt8(ascii: "-")
    guard value.count >= Self.length, value[2] == hyphen, value[35] == hyphen, value[52] == hyphen,
      let version = Self.number(value, 0..<2), version != 0xFF,
      value.count == Self.length || version != 0 && value[Self.length] == hyphen,
      let first = Self.number(value, 3..<19), let second = Self.number(value, 19..<35), first | second != 0,
      let span = Self.number(value, 36..<52), span != 0, Self.number(value, 53..<55) != nil
    else { return nil }
    self.init(first, second, span: span)
  }

  private static let length = 55

  /// Lower-case hexadecimal digits, sixteen at most.
  private static func number(_ value: Span<UInt8>, _ place: Range<Int>) -> UInt64? {
    var number: UInt64 = 0
    for index in place {
      let byte = value[index]
      guard let digit = Hexadecimal.value(ofDigit: byte), byte < UInt8(ascii: "A") || byte > UInt8(ascii: "F")
      else {
        return nil
      }
      number = number << 4 | UInt64(digit)
    }
    return number
  }

  /// The ids in lower-case hexadecimal digits: 32 of the trace and 16 of the caller's span; nil where there is no trace.
  package var ids: (trace: String, span: String)? {
    guard span != 0 else { return nil }
    return (Self.digits(first) + Self.digits(second), Self.digits(span))
  }

  private static func digits(_ number: UInt64) -> String {
    String(
      decoding: stride(from: 60, through: 0, by: -4).map {
        Hexadecimal.digit(UInt8(truncatingIfNeeded: number >> UInt64($0)) & 15)
      }, as: UTF8.self)
  }
}
