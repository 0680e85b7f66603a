internal import Glibc

/// Texts that were given to a C program, each ended by NUL, until they are taken back all at once. A text is made when
/// it is asked for: a verification that is not asked about costs nothing.
@safe struct TextShelf: ~Copyable {
  private var texts: [Int: CText] = [:]
  /// Texts that were given too, and are out of date.
  private var former: [CText] = []

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
      texts[place] = CText(made)
    }
    guard let text = texts[place] else { return nil }
    unsafe length?.pointee = text.count
    return unsafe text.pointer
  }

  /// The text may have changed. What was given stays until all is taken back.
  mutating func text(
    _ place: Int, _ length: UnsafeMutablePointer<Int>?, replacing text: String
  ) -> UnsafePointer<CChar>? {
    if let old = texts[place], !old.holds(text) {
      former.append(old)
      texts[place] = nil
    }
    return unsafe self.text(place, length) { text }
  }

  mutating func clear() {
    if texts.isEmpty, former.isEmpty { return }
    for text in texts.values { text.free() }
    for text in former { text.free() }
    texts.removeAll(keepingCapacity: true)
    former.removeAll()
  }
}

/// A text for C, ended by NUL. It is there until it is freed, if ever.
@safe struct CText: Sendable {
  // SAFETY: a copy that is ended by NUL, never written to, and freed in `free`, nowhere else.
  nonisolated(unsafe) let pointer: UnsafePointer<CChar>

  init(_ text: String) {
    guard let copy = unsafe strdup(text) else { preconditionFailure("memory ran out") }
    unsafe pointer = UnsafePointer(copy)
  }

  /// Without its NUL. Counted in the copy: whatever the text was, C reads no further.
  var count: Int { unsafe strlen(pointer) }

  func holds(_ text: String) -> Bool { unsafe strcmp(pointer, text) == 0 }

  func free() { unsafe Glibc.free(UnsafeMutablePointer(mutating: pointer)) }
}
