/// Texts that were given to a C program, each ended by NUL, until they are taken back all at once.
///
/// A text is made when it is asked for: a verification that nobody asks about costs nothing.
@safe struct TextShelf: ~Copyable {
  private var texts: [Int: Text] = [:]

  /// One text and its NUL.
  // SAFETY: allocated in `copy`, and freed in `clear` or `deinit`, nowhere else.
  @safe private struct Text { let characters: UnsafeMutableBufferPointer<CChar> }

  deinit {
    for text in texts.values { unsafe text.characters.deallocate() }
  }

  /// The text of this place, made by `text` if nobody asked for it before. Its length goes to `length` if that is not NULL;
  /// for no text it is 0, and the pointer NULL.
  mutating func text(
    _ place: Int, _ length: UnsafeMutablePointer<Int>?, _ make: () -> String?
  ) -> UnsafePointer<CChar>? {
    // SAFETY: the caller's, or NULL.
    unsafe length?.pointee = 0
    if texts[place] == nil {
      guard let made = make() else { return nil }
      texts[place] = Self.copy(made)
    }
    guard let text = texts[place] else { return nil }
    unsafe length?.pointee = text.characters.count - 1
    return unsafe UnsafePointer(text.characters.baseAddress)
  }

  /// Takes back everything that was given.
  mutating func clear() {
    if texts.isEmpty { return }
    for text in texts.values { unsafe text.characters.deallocate() }
    texts.removeAll(keepingCapacity: true)
  }

  private static func copy(_ text: String) -> Text {
    let bytes = text.utf8Span.span
    let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count + 1)
    for index in bytes.indices { unsafe copy.initializeElement(at: index, to: CChar(bitPattern: bytes[index])) }
    unsafe copy.initializeElement(at: bytes.count, to: 0)
    return unsafe Text(characters: copy)
  }
}
