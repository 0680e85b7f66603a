internal import Glibc

/// Texts that were given to a C program, each ended by NUL, until they are taken back all at once.
///
/// A text is made when it is asked for: a verification that is not asked about costs nothing.
@safe struct TextShelf: ~Copyable {
  private var texts: [Int: Text] = [:]
  /// Texts that were given too, and are out of date.
  private var former: [Text] = []

  /// One text and its NUL.
  // SAFETY: allocated in `copy`, and freed in `free`, nowhere else.
  @safe private struct Text {
    let characters: UnsafeMutableBufferPointer<CChar>

    func holds(_ text: String) -> Bool {
      unsafe characters.dropLast().elementsEqual(text.utf8.lazy.map { CChar(bitPattern: $0) })
    }

    func free() { unsafe characters.deallocate() }
  }

  deinit {
    for text in texts.values { text.free() }
    for text in former { text.free() }
  }

  /// The text of this place, made by `text` if it was not asked for before. Its length goes to `length` if that is not NULL;
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

  /// The text of this place, which may have changed. What was given stays until all is taken back.
  mutating func text(
    _ place: Int, _ length: UnsafeMutablePointer<Int>?, replacing text: String
  ) -> UnsafePointer<CChar>? {
    if let old = texts[place], !old.holds(text) {
      former.append(old)
      texts[place] = nil
    }
    return unsafe self.text(place, length) { text }
  }

  /// Takes back everything that was given.
  mutating func clear() {
    if texts.isEmpty, former.isEmpty { return }
    for text in texts.values { text.free() }
    for text in former { text.free() }
    texts.removeAll(keepingCapacity: true)
    former.removeAll()
  }

  private static func copy(_ text: String) -> Text {
    let bytes = text.utf8Span.span
    let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count + 1)
    for index in bytes.indices { unsafe copy.initializeElement(at: index, to: CChar(bitPattern: bytes[index])) }
    unsafe copy.initializeElement(at: bytes.count, to: 0)
    return unsafe Text(characters: copy)
  }
}

/// A text for C that is never freed, because there is no moment at which a program is done with it.
@safe struct EternalText: Sendable {
  // SAFETY: a copy that is never freed or written to, ended by NUL.
  nonisolated(unsafe) let pointer: UnsafePointer<CChar>?

  init(_ text: String) {
    unsafe pointer = UnsafePointer(strdup(text))
  }
}
