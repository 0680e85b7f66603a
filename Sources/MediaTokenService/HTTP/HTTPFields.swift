/// Header fields as they were sent, in one buffer.
struct HTTPFields: ~Copyable, Sendable {
  private var bytes: [UInt8] = []
  private var places: [(name: Range<Int>, value: Range<Int>)] = []

  /// How many fields there are.
  var count: Int { places.count }

  /// Takes a field; the name may be in any case.
  mutating func append(name: Span<UInt8>, value: Span<UInt8>) {
    let start = bytes.count
    bytes.append(copying: name)
    let middle = bytes.count
    bytes.append(copying: value)
    places.append((start..<middle, middle..<bytes.count))
  }

  /// Forgets all fields and keeps the memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  /// What a search for a name finds.
  enum Found: Hashable, Sendable {
    case none
    /// The value's place, for ``HTTPFields/value(_:)``.
    case one(Range<Int>)
    /// The field came more than once. Which of them counts is never guessed.
    case repeated
  }

  /// Looks for a field; ASCII letters of either case are the same, as in RFC 9110 section 5.1.
  func find(_ name: Span<UInt8>) -> Found {
    var found = Found.none
    let all = bytes.span
    for index in places.indices {
      let place = places[index]
      guard all.extracting(place.name).isSameName(as: name) else { continue }
      if found != .none { return .repeated }
      found = .one(place.value)
    }
    return found
  }

  /// The bytes of a value that ``find(_:)`` found, until the fields change.
  @_lifetime(borrow self)
  func value(_ place: Range<Int>) -> Span<UInt8> {
    bytes.span.extracting(place)
  }
}

extension Span<UInt8> {
  /// Whether both are the same name of a header field.
  func isSameName(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index].lowercased != other[index].lowercased { return false }
    return true
  }
}

extension UInt8 {
  /// The small letter to an ASCII capital, and every other byte as it is.
  @inline(__always)
  fileprivate var lowercased: UInt8 {
    self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
  }
}
