internal import MediaToken
internal import MediaTokenSystem

/// A change that programs and people make to a token: its mark, the way to undo it, and the words about it.
///
/// The tables are ``around``, ``codes``, ``inPlace`` and ``changes``. No row shows what a client sent, except for short names of fields, elements
/// and parameters, and a character's number.
package struct Cause: Sendable, Redacted {
  /// The finding, after "it ". A name that was found is put in the place of `{}`.
  package private(set) var sentence: String
  /// It has the name in the same way.
  private(set) var cure: String
  /// The marks, each a ``TextPattern``: of the text before a token, or of a whole text that is no token.
  private let patterns: [String]
  /// The possible texts before the change; an empty one stands for a text that is known, and has no token in it.
  let undone: @Sendable ([UInt8]) -> [[UInt8]]
  /// The name that is shown of the text.
  private let name: @Sendable ([UInt8]) -> String

  init(_ sentence: String, _ cure: String, _ patterns: [String]) {
    (self.sentence, self.cure, self.patterns) = (sentence, cure, patterns)
    (undone, name) = ({ _ in [] }, { _ in "" })
  }

  init(
    _ sentence: String, _ cure: String, name: @escaping @Sendable ([UInt8]) -> String = { _ in "" },
    undone: @escaping @Sendable ([UInt8]) -> [[UInt8]]
  ) {
    (self.sentence, self.cure, patterns) = (sentence, cure, [])
    (self.undone, self.name) = (undone, name)
  }

  func named(in text: [UInt8]) -> Cause { named(name(text)) }

  func named(_ name: String) -> Cause {
    var named = self
    (named.sentence, named.cure) = (sentence.replacing("{}", with: name), cure.replacing("{}", with: name))
    return named
  }

  /// The row with its name, if the text is as one of its patterns, and the pattern's place after a `*` at its own
  /// beginning.
  func matching(_ text: ArraySlice<UInt8>) -> (cause: Cause, start: Int, isNamed: Bool)? {
    for pattern in patterns {
      var found = TextPattern(pattern, text)
      if found.matches() { return (named(found.name ?? found.literal), found.start, found.name != nil) }
    }
    return nil
  }
}
