internal import MediaToken
internal import MediaTokenSystem

/// Looks for a token inside the received text, for `explain` and the inspector, on a copy. A layer counts only if there
/// is a token in the innermost one, or a text that is known as a whole. The finding is never a verdict: a text that is
/// not a token as it was sent stays refused.
package struct Unwrapping: Sendable, Redacted {
  /// The layers around the token, the outermost first; empty if the text is a token as it is, or has nothing that is
  /// known here.
  private(set) var layers: [Cause] = []
  /// The received text that is inside; nil if there is no such text, or no layer around it.
  package private(set) var inside: [UInt8]?

  /// The most layers that are taken off: people send none with more.
  static let mostLayers = 8
  /// The texts that may still be looked at, and their bytes together: each look goes some times through a text.
  private var (looks, bytes) = (40, 4 * Limits.receivedBytes)

  /// A text of more than ``/MediaToken/Limits/receivedBytes`` is not looked into.
  init(_ received: Span<UInt8>) {
    guard received.count <= Limits.receivedBytes else { return }
    let text = TextBytes.trimmed(received)
    var buffers = Armor.Buffers()
    if TextBytes.hasSeveralTokens(text) || !Self.isToken(text, &buffers) { _ = search(text, under: [], &buffers) }
  }

  /// True if a whole token is in the text. Until one is found, the first text is kept that is known, or is a token by
  /// its beginning.
  private mutating func search(_ text: [UInt8], under outer: [Cause], _ buffers: inout Armor.Buffers) -> Bool {
    guard !text.isEmpty, looks > 0, bytes >= text.count, outer.count < Self.mostLayers else { return false }
    (looks, bytes) = (looks - 1, bytes - text.count)
    guard let start = TextBytes.firstMarker(in: text, from: 0) else {
      let known = Cause.inPlace.lazy.compactMap { $0.matching(text.prefix(Self.window))?.cause }.first
      if let known { return keep(outer + [known], nil) }
      return searchValue(of: text, under: outer, &buffers) || searchCodes(of: text, under: outer, &buffers)
    }
    let rest = Array(text[start...])
    let found = TextBytes.tokens(in: text, from: start).compactMap { range in
      Self.around(range, in: text).map { (layers: outer + $0, text: Array(text[range])) }
    }
    if TextBytes.hasSeveralTokens(rest) {
      return keep(outer + Self.names(before: start, in: text) + [.severalTokens])
    }
    if let whole = found.first(where: { Self.isWhole($0.text, &buffers) }) {
      return keep(whole.layers, whole.text, isWhole: true)
    }
    if let remains = Cause.remains.first(where: { !$0.undone(rest).isEmpty }) {
      return keep(outer + Self.names(before: start, in: text) + [remains])
    }
    if let first = found.first(where: { Self.isToken($0.text, &buffers) }) { _ = keep(first.layers, first.text) }
    for (layers, token) in found where token.count < text.count {
      if searchCodes(of: token, under: layers, &buffers) { return true }
    }
    return searchCodes(of: text, under: outer, &buffers)
  }

  /// Keeps the layers around a text, unless an earlier finding is as good: the beginning of a token is the better the
  /// longer it is. True if the search ends.
  private mutating func keep(_ layers: [Cause], _ text: [UInt8]? = nil, isWhole: Bool = false) -> Bool {
    guard layers.count <= Self.mostLayers else { return false }
    if isWhole || self.layers.isEmpty || text?.count ?? 0 > inside?.count ?? 0 {
      (self.layers, inside) = (layers, layers.isEmpty ? nil : text)
    }
    return isWhole
  }

  private mutating func searchCodes(
    of text: [UInt8], under outer: [Cause], _ buffers: inout Armor.Buffers
  ) -> Bool {
    for code in Cause.codes {
      for plain in code.undone(text) where plain != text {
        let layers = outer + [code.named(in: text)]
        if search(TextBytes.trimmed(plain.span), under: layers, &buffers) { return true }
      }
    }
    return false
  }

  /// Looks for a text in place of a token as a value, after a name, a scheme or a quotation mark.
  private mutating func searchValue(
    of text: [UInt8], under outer: [Cause], _ buffers: inout Armor.Buffers
  ) -> Bool {
    let isMark = { (byte: UInt8) in " =:\"'`".utf8.contains(byte) }
    guard text.count <= Self.window, let mark = text.firstIndex(where: isMark),
      let start = text[mark...].firstIndex(where: { !isMark($0) })
    else { return false }
    let names = Self.names(before: start, in: text)
    let value = text[start...].prefix { !"&\"'`".utf8.contains($0) }
    return !names.isEmpty && search(Array(value), under: outer + names, &buffers)
  }

  /// The bytes of a text that are searched for a pattern, at its beginning or before a token.
  private static let window = 512

  /// The layers around a part of a text; nil if they are only characters that are taken off with ``Cause/codes``.
  private static func around(_ part: Range<Int>, in text: [UInt8]) -> [Cause]? {
    let names = names(before: part.lowerBound, in: text)
    guard names.isEmpty, part.count < text.count else { return names }
    let rest = text[..<part.lowerBound] + text[part.upperBound...]
    return rest.allSatisfy { $0 >= 0x80 || TextBytes.isWhiteSpace($0) } ? nil : [.otherText]
  }

  /// The known texts before this place, from the outside in, each kind once: up to the first that has a name.
  private static func names(before end: Int, in text: [UInt8]) -> [Cause] {
    var (names, rows, before) = ([Cause](), Cause.around, text[..<end])
    while let (index, found) = rows.indices.lazy.compactMap({ index in
      rows[index].matching(before.suffix(window)).map { (index, $0) }
    }).first {
      names.insert(found.cause, at: 0)
      guard !found.isNamed else { break }
      rows.remove(at: index)
      before = before[..<found.start]
    }
    return names
  }

  /// True if steps 1 and 2 take the text.
  private static func isToken(_ text: [UInt8], _ buffers: inout Armor.Buffers) -> Bool {
    Armor.form(of: text.span) != nil && (try? Armor.decode(text.span, into: &buffers)) != nil
  }

  /// True if it also has both markers, and ends with the last end tag.
  private static func isWhole(_ text: [UInt8], _ buffers: inout Armor.Buffers) -> Bool {
    var signature = [UInt8](repeating: 0, count: Limits.signatureBytes)
    guard let token = try? Armor.decode(text.span, into: &buffers),
      (try? Envelope(cutting: token.bytes, signatureInto: &signature)) != nil
    else { return false }
    let decoded = TextBytes.trimmed(token.bytes)
    return TextBytes.endOfLastTag(in: decoded) == decoded.count
  }
}
