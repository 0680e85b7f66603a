internal import MediaTokenSystem

/// Redis's answer: one value, or a list of values; no reply that is expected here is deeper.
struct Reply: Redacted {
  /// One value, or the list itself, which comes before its values.
  struct Value {
    enum Kind: UInt8 { case status, error, integer, bytes, null, list }

    let kind: Kind
    /// The integer, or the number of values in the list.
    let number: Int64
    /// The place of its text.
    fileprivate let text: Range<Int>
  }

  /// The first one is the value or the list.
  private(set) var values: [Value] = []
  private var text: [UInt8] = []

  mutating func clear() {
    values.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
  }

  mutating func add(_ kind: Value.Kind, number: Int64 = 0) {
    values.append(Value(kind: kind, number: number, text: text.count..<text.count))
  }

  mutating func add(_ kind: Value.Kind, text bytes: Span<UInt8>) {
    let start = text.count
    text.append(copying: bytes)
    values.append(Value(kind: kind, number: 0, text: start..<text.count))
  }

  /// True if it is one value, or a list of as many as it announced.
  var isWhole: Bool {
    guard let first = values.first else { return false }
    return elements.count == (first.kind == .list ? Int(first.number) : 0)
  }

  /// The kind of the value, or the list's.
  var kind: Value.Kind { values[0].kind }

  /// The values of a list; none of anything else.
  var elements: ArraySlice<Value> { values.dropFirst() }

  subscript(value: Value) -> Span<UInt8> { text.span.extracting(value.text) }

  var wholeText: String { String(decoding: text[values[0].text], as: UTF8.self) }

  /// Nil for elements that are not texts.
  var texts: [String?] {
    elements.map { $0.kind == .bytes ? String(decoding: text[$0.text], as: UTF8.self) : nil }
  }

  /// The integers of a list that has nothing else; nil for any other reply.
  var integers: [Int64]? {
    guard kind == .list, elements.allSatisfy({ $0.kind == .integer }) else { return nil }
    return elements.map(\.number)
  }
}

/// A reply that is not expected here, or that is not Redis's protocol at all.
struct ForeignReply: Error {}
