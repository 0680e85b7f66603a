internal import MediaToken
internal import MediaTokenSystem

/// Names in an order of their own, each once. One is found among many by the bytes that a client sent, of which no text is made.
package struct SortedNames: Sendable, Hashable {
  let names: [ExactText]

  init(_ names: [ExactText]) {
    self.names = Set(names).sorted { $0.text.utf8Span.span.precedes($1.text.utf8Span.span) }
  }

  /// Nil if it is not among them.
  func index(of name: ExactText) -> Int? { index(of: name.text.utf8Span.span) }

  /// Nil if it is not among them.
  func index(of name: Span<UInt8>) -> Int? {
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      let found = names[middle].text.utf8Span.span
      if found.hasSameBytes(as: name) { return middle }
      if found.precedes(name) { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}

extension Span<UInt8> {
  /// True if it comes before other bytes: the shorter first, because most comparisons need no more than that.
  fileprivate func precedes(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return count < other.count }
    for index in indices where self[index] != other[index] { return self[index] < other[index] }
    return false
  }
}
