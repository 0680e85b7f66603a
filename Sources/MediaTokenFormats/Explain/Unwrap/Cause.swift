internal import MediaToken
internal import MediaTokenSystem

/// A row of what programs and people do to a token: how it is known, how it is undone, and what to say about it.
///
/// The tables are ``around``, ``codes``, ``inPlace`` and ``changes``. No row shows what a client sent, except for short names of fields, elements
/// and parameters, and a character's number.
package struct Cause: Sendable, Redacted {
  /// What was found, after "it ". A name that was found is put in the place of `{}`.
  package private(set) var sentence: String
  /// What to do about it, with the name in the same way.
  private(set) var cure: String
  /// What it is known by, each a ``TextPattern``: of all that is before a token, or of a whole text that is no token.
  private let patterns: [String]
  /// What the text may have been before; an empty text stands for one that is known, and has no token in it.
  let undone: @Sendable ([UInt8]) -> [[UInt8]]
  /// What is shown of the text.
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

  /// The row with what is shown of this text.
  func named(in text: [UInt8]) -> Cause { named(name(text)) }

  func named(_ name: String) -> Cause {
    var named = self
    (named.sentence, named.cure) = (sentence.replacing("{}", with: name), cure.replacing("{}", with: name))
    return named
  }

  /// The row with the name in a text that is as one of its patterns, and where the pattern begins after a `*` at its own beginning.
  func matching(_ text: ArraySlice<UInt8>) -> (cause: Cause, start: Int, isNamed: Bool)? {
    for pattern in patterns {
      var found = TextPattern(pattern, text)
      if found.matches() { return (named(found.name ?? found.literal), found.start, found.name != nil) }
    }
    return nil
  }
}
