internal import MediaTokenSystem

/// Text that is equal to other text only if the UTF-8 bytes are: what a requestor, a resource, a provider or a request is
/// called.
///
/// Swift's `String ==` and its hash follow canonical equivalence: `é` equals `e` with a combining accent, and the sign for
/// kelvin equals `K`. Who may watch must not depend on that.
public struct ExactText: Sendable, Hashable {
  /// The same as a `String`, for showing it.
  public let text: String

  /// The text with the UTF-8 bytes of `text`.
  public init(_ text: String) { self.text = text }

  /// Whether it has no bytes.
  public var isEmpty: Bool { text.isEmpty }

  public static func == (one: ExactText, other: ExactText) -> Bool {
    one.text.hasSameBytes(as: other.text)
  }

  public func hash(into hasher: inout Hasher) {
    text.utf8Span.span.hash(into: &hasher)
  }
}

extension ExactText: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral text: String) { self.init(text) }

  public var description: String { text }
}
