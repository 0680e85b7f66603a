internal import MediaTokenSystem

/// The place of a field in its head.
struct FieldPlace: Sendable {
  let name: Range<Int32>
  /// The value, without the white space around it (RFC 9110 section 5.5).
  let value: Range<Int32>
}

extension FieldPlace {
  /// Reads a line, which comes without its end.
  init(at line: Range<Int>, of bytes: Span<UInt8>) throws(RequestRefusal) {
    var index = line.lowerBound
    while index < line.upperBound, bytes[index].isTokenByte { index += 1 }
    guard index > line.lowerBound, index < line.upperBound, bytes[index] == UInt8(ascii: ":") else {
      throw .malformed(.fieldName)
    }
    var (start, end) = (index + 1, line.upperBound)
    while start < end, bytes[start].isWhiteSpace { start += 1 }
    while start < end, bytes[end - 1].isWhiteSpace { end -= 1 }
    guard bytes.extracting(start..<end).isFieldValue else { throw .malformed(.fieldValue) }
    name = Int32(truncatingIfNeeded: line.lowerBound)..<Int32(truncatingIfNeeded: index)
    value = Int32(truncatingIfNeeded: start)..<Int32(truncatingIfNeeded: end)
  }
}

/// The header fields of one message, as they were sent and in the order of their arrival: a view of the received bytes.
package struct HeaderFields: ~Escapable {
  private let bytes: Span<UInt8>
  private let places: [FieldPlace]

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, _ places: [FieldPlace]) {
    self.bytes = bytes
    self.places = places
  }

  package var count: Int { places.count }

  package enum Found: Hashable, Sendable {
    case none
    /// The value's place, for ``HeaderFields/value(_:)``.
    case one(Range<Int>)
    /// The field came more than once. Which of them counts is never guessed.
    case repeated
  }

  /// ASCII letters of either case are the same (RFC 9110 section 5.1).
  package func find(_ name: Span<UInt8>) -> Found {
    var found = Found.none
    for index in places.indices {
      let place = places[index]
      guard place.name.count == name.count, bytes.extracting(Range(place.name)).isSameName(as: name) else {
        continue
      }
      if found != .none { return .repeated }
      found = .one(Range(place.value))
    }
    return found
  }

  @_lifetime(copy self)
  package func value(_ place: Range<Int>) -> Span<UInt8> {
    bytes.extracting(place)
  }
}

extension Range<Int> {
  /// The same range in the width that places are kept in: a head is at most `HTTPLimits.headBytes` long.
  init(_ range: Range<Int32>) { self = Int(range.lowerBound)..<Int(range.upperBound) }
}

extension Span<UInt8> {
  /// Letters of either case are the same.
  package func isSameName(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index].lowercased != other[index].lowercased { return false }
    return true
  }
}

extension UInt8 {
  /// Bytes that are not ASCII letters stay as they are.
  package var lowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}
