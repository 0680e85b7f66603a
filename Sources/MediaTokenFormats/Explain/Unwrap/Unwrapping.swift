internal import MediaToken
internal import MediaTokenSystem

/// Looks for a token inside what was received, for `explain` and the inspector: layer by layer, on a copy, until what is left can be
/// read. What is found is never a verdict: a text that is not a token as it was sent stays refused.
package struct Unwrapping: Sendable {
  /// What is around the token, the outermost first; none if the text is a token as it is, or nothing that is known here.
  package private(set) var layers: [Wrapper] = []
  /// The received text that is inside; nil if there is none, or no layer around it.
  package private(set) var inside: [UInt8]?

  /// How many layers are taken off: nothing that people send has more.
  static let mostLayers = 8

  /// - Parameter received: at most ``/MediaToken/Limits/receivedBytes``; a longer text is not looked into.
  package init(_ received: Span<UInt8>) {
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
    return inPlaceOfAToken(text) ?? coded(text) ?? around(text) ?? codedAgain(text) ?? beforeIt(text)
      ?? shortened(text)
  }

  /// A text that was cut for display.
  private static func shortened(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    TextBytes.has("\u{2026}", in: text) || TextBytes.has("...", in: text) ? (.shortened, nil) : nil
  }

  /// The token somewhere in a text that has nothing else that is known.
  private static func beforeIt(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    guard let start = TextBytes.firstMarker(in: text, from: 1) else { return nil }
    return (.otherText, Array(text[start...]))
  }
}
