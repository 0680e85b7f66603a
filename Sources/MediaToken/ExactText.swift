internal import MediaTokenSystem

/// Text that is equal to other text only if the UTF-8 bytes are.
///
/// Swift's `String ==` and its hash follow canonical equivalence: `é` equals `e` with a combining accent. Who may
/// watch must not depend on that.
struct ExactText: Sendable, Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (one: ExactText, other: ExactText) -> Bool {
    one.text.hasSameBytes(as: other.text)
  }

  func hash(into hasher: inout Hasher) {
    // A copy into native storage never fails; the hash is over its bytes.
    let bytes = text.utf8Span.span
    hasher.combine(bytes.count)
    for index in bytes.indices { hasher.combine(bytes[index]) }
  }
}
