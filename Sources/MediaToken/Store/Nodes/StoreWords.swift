internal import MediaTokenSystem

/// A store's words, for people: their first 200 characters without a full stop, with what can't be printed escaped.
package struct StoreWords: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// The longest texts of Redis and PostgreSQL about their state are shorter.
  private static let mostCharacters = 200

  init(_ text: String) {
    description = DisplayText.visible(
      text.hasSuffix(".") ? String(text.dropLast()) : text, limit: Self.mostCharacters)
  }
}
