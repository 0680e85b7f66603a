internal import MediaToken
internal import MediaTokenSystem

/// A change that programs and people make to a token: its mark, by which it is found or undone, and the words about it.
///
/// The rows are in ``inPlace``, ``remains``, ``around``, ``codes`` and ``changes``, in the order in which they are tried. No row shows what a
/// client sent, except for short names of fields, elements and parameters, and a character's number.
package struct Cause: Sendable, Redacted {
  /// The finding, after "it ". A name that was found is put in the place of `{}`.
  package private(set) var sentence: String
  /// It has the name in the same way.
  private(set) var cure: Cure
  private let mark: Mark

  private enum Mark: Sendable, Redacted {
    /// Each a ``TextPattern``: of the text before a token, or of a whole text that is no token.
    case patterns([String])
    /// The possible texts before the change, and the name that is shown of the text.
    case undoing(name: @Sendable ([UInt8]) -> String, @Sendable ([UInt8]) -> [[UInt8]])
  }

  /// A row without a pattern is found by what looks for it.
  init(_ sentence: String, _ cure: Cure, _ patterns: [String] = []) {
    (self.sentence, self.cure, mark) = (sentence, cure, .patterns(patterns))
  }

  /// An empty text among `undone` stands for a text that is known, and has no token in it.
  init(
    _ sentence: String, _ cure: Cure, name: @escaping @Sendable ([UInt8]) -> String = { _ in "" },
    undone: @escaping @Sendable ([UInt8]) -> [[UInt8]]
  ) {
    (self.sentence, self.cure, mark) = (sentence, cure, .undoing(name: name, undone))
  }

  /// The possible texts before the change; none for a row of patterns.
  func undone(_ text: [UInt8]) -> [[UInt8]] {
    if case .undoing(_, let undone) = mark { undone(text) } else { [] }
  }

  func named(in text: [UInt8]) -> Cause {
    if case .undoing(let name, _) = mark { named(name(text)) } else { self }
  }

  func named(_ name: String) -> Cause {
    var named = self
    named.sentence = sentence.replacing("{}", with: name)
    named.cure = Cure { [cure] in cure.text(in: $0).replacing("{}", with: name) }
    return named
  }

  /// The row with its name, if the text is as one of its patterns, and the pattern's place after a `*` at its own
  /// beginning.
  func matching(_ text: ArraySlice<UInt8>) -> (cause: Cause, start: Int, isNamed: Bool)? {
    guard case .patterns(let patterns) = mark else { return nil }
    for pattern in patterns {
      var found = TextPattern(pattern, text)
      if found.matches() { return (named(found.name ?? found.literal), found.start, found.name != nil) }
    }
    return nil
  }
}
