internal import MediaToken
internal import MediaTokenSystem

/// Looks for a token inside what was received, for `explain` and the inspector: layer by layer, on a copy, until what is left can be
/// read. What is found is never a verdict: a text that is not a token as it was sent stays refused.
package struct Unwrapping: Sendable, Redacted {
  /// What is around the token, the outermost first; empty if the text is a token as it is, or has nothing that is known here.
  private(set) var layers: [Wrapper] = []
  /// The received text that is inside; nil if there is no such text, or no layer around it.
  package private(set) var inside: [UInt8]?

  /// How many layers are taken off: nothing that people send has more.
  static let mostLayers = 8

  /// - Parameter received: at most ``/MediaToken/Limits/receivedBytes``; a longer text is not looked into.
  init(_ received: Span<UInt8>) {
    guard received.count <= Limits.receivedBytes else { return }
    var text = TextBytes.trimmed(received)
    var buffers = Armor.Buffers()
    while !Self.isToken(text, &buffers) {
      guard layers.count < Self.mostLayers, let (layer, rest) = Self.peel(text) else { return }
      layers.append(layer)
      guard let rest else { return }
      text = TextBytes.trimmed(rest.span)
    }
    if !layers.isEmpty { inside = text }
  }

  /// Whether steps 1 and 2 take the text.
  private static func isToken(_ text: [UInt8], _ buffers: inout Armor.Buffers) -> Bool {
    guard Armor.form(of: text.span) != nil, !TextBytes.hasSeveralTokens(text) else { return false }
    do throws(Refusal) {
      _ = try Armor.decode(text.span, into: &buffers)
      return true
    } catch {
      return false
    }
  }

  /// The outermost layer, and what is in it; nil if none is known. Each look goes once through the text at most.
  private static func peel(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    guard !text.isEmpty else { return nil }
    return inPlaceOfAToken(text) ?? coded(text) ?? around(text) ?? codedAgain(text) ?? amongOtherText(text)
  }

  /// The token somewhere in a text that has nothing else that is known, or what a display left of it.
  private static func amongOtherText(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    guard let start = TextBytes.firstMarker(in: text, from: 0) else { return nil }
    let token = text[start...]
    guard token.starts(with: "PHN".utf8) else {
      if start > 0 { return (.otherText, Array(token)) }
      return TextBytes.has("\u{2026}", in: text) ? (.shortened, nil) : nil
    }
    let end = token.firstIndex { !TextBytes.isBase64($0) } ?? text.count
    if ["\u{2026}", "..."].contains(where: { text[end...].starts(with: $0.utf8) }) { return (.shortened, nil) }
    return start > 0 || end < text.count ? (.otherText, Array(text[start..<end])) : nil
  }
}
