internal import MediaToken
internal import MediaTokenSystem

/// A pattern for a whole text, in lower or upper case: `*` is any bytes, `+` any but white space, quotation marks and
/// angle brackets, `~` a whole name, `_` white space or none, `^` six or more hexadecimal digits.
struct TextPattern: Redacted {
  private let pattern: [UInt8]
  private let text: ArraySlice<UInt8>
  /// The places of a `*` or `+`, and of the text, that were tried: once is enough.
  private var isTried: [Bool] = []
  /// The last name in the text.
  private(set) var name: String?
  /// The place in the text after a `*` at the beginning.
  private(set) var start: Int

  init(_ pattern: String, _ text: ArraySlice<UInt8>) {
    (self.pattern, self.text, start) = (Array(pattern.utf8), text, text.startIndex)
  }

  var literal: String { String(decoding: pattern.filter { !"*+~_^".utf8.contains($0) }, as: UTF8.self) }

  mutating func matches() -> Bool {
    // Most patterns of what is before a token differ in the last byte.
    if let last = pattern.last, !"*+~_^".utf8.contains(last),
      text.last.map({ Self.folded($0) }) != Self.folded(last)
    {
      return false
    }
    isTried = [Bool](repeating: false, count: pattern.count * (text.count + 1))
    return matches(from: 0, text.startIndex)
  }

  private mutating func matches(from place: Int, _ index: Int) -> Bool {
    guard place < pattern.count else { return index == text.endIndex }
    let rest = text[index...]
    switch pattern[place] {
    case UInt8(ascii: "*"): return matchesAny(from: place, index) { _ in true }
    case UInt8(ascii: "+"): return matchesAny(from: place, index) { $0 > 0x20 && !"\"'`<>".utf8.contains($0) }
    case UInt8(ascii: "_"):
      return matches(from: place + 1, rest.firstIndex { !TextBytes.isWhiteSpace($0) } ?? text.endIndex)
    case UInt8(ascii: "^"):
      let digits = rest.prefix { Hexadecimal.value(ofDigit: $0) != nil }
      return digits.count >= 6 && matches(from: place + 1, digits.endIndex)
    case UInt8(ascii: "~"):
      let name = rest.prefix(64).prefix(while: \.isNameByte)
      guard index == text.startIndex || !text[index - 1].isNameByte, let shown = TextBytes.name(name),
        matches(from: place + 1, name.endIndex)
      else { return false }
      self.name = self.name ?? shown
      return true
    default:
      return rest.first.map { Self.folded($0) } == Self.folded(pattern[place])
        && matches(from: place + 1, index + 1)
    }
  }

  private mutating func matchesAny(from place: Int, _ index: Int, _ isPart: (UInt8) -> Bool) -> Bool {
    for next in index...text.endIndex {
      let slot = place * (text.count + 1) + next - text.startIndex
      guard !isTried[slot] else { return false }
      isTried[slot] = true
      if matches(from: place + 1, next) {
        if place == 0 { start = next }
        return true
      }
      if next < text.endIndex, !isPart(text[next]) { return false }
    }
    return false
  }

  private static func folded(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }
}
