/// Header fields as they were sent, in one buffer.
struct HTTPFields: Sendable {
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
  enum Found: Sendable {
    case none
    /// The value's place in ``valueBytes``.
    case one(Range<Int>)
    /// The field came more than once. Which of them counts is never guessed.
    case repeated
  }
}
