internal import MediaTokenSystem

/// The first lock of step 4: our own recogniser for the little language that signed bytes may be written in.
///
/// libxml2 alone is too lenient: it honours byte order marks, encodings, DOCTYPEs and white space inside tags, and
/// rewrites line ends. What passes this gate means the same to every XML parser, and only that reaches libxml2. The
/// gate decodes nothing: it answers whether, not what (<doc:TokenFormat>, "Fields").
package struct FieldGate: ~Escapable {
  private let bytes: Span<UInt8>
  private var position = 0

  /// Returns the number of the root's child elements. `INVALID_TOKEN_FORMAT` has the offset of the first byte that breaks a
  /// rule.
  package static func check(_ bytes: Span<UInt8>) throws(Refusal) -> Int {
    var gate = FieldGate(bytes)
    return try gate.checkDocument()
  }

  @_lifetime(copy bytes)
  private init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// White space, one root, white space.
  private mutating func checkDocument() throws(Refusal) -> Int {
    try skipWhiteSpace(expectingTagElse: .contentOutsideRoot)
    let root = try openTag()
    var children = 0
    while true {
      try skipWhiteSpace(expectingTagElse: .textOutsideFields)
      if peek(1) == UInt8(ascii: "/") { break }
      children += 1
      guard children <= Limits.fields else { throw refusal(.tooManyFields) }
      let child = try openTag()
      try checkText(mayHoldCDATA: child.count == 10 && bytes.has("resourceID", at: child.lowerBound))
      try closeTag(child)
    }
    try closeTag(root)
    while position < bytes.count {
      guard bytes[position].isFieldWhiteSpace else {
        throw refusal(try character(elseBecause: .contentOutsideRoot))
      }
      position += 1
    }
    return children
  }

  /// `<` name `>` and nothing else. Returns the place of the name.
  private mutating func openTag() throws(Refusal) -> Range<Int> {
    let start = position + 1
    guard let first = peek(1) else { throw refusal(.truncated) }
    guard first.isNameStart else { throw refusal(markup(after: first)) }
    var end = start + 1
    // Eight letters at once, and then the rest of the name, of which tokens have nothing.
    while end &+ 8 <= bytes.count {
      let others = Word.marksOfNonLetters(in: bytes.word(at: end))
      end &+= others == 0 ? 8 : Word.distance(to: others)
      if others != 0 { break }
    }
    while end < bytes.count, bytes[end].isNameByte { end &+= 1 }
    try expectTagEnd(at: end)
    position = end + 1
    return start..<end
  }

  /// `</`, the name that is at `name`, `>`.
  private mutating func closeTag(_ name: Range<Int>) throws(Refusal) {
    let start = position + 2
    let end = start + name.count
    guard end <= bytes.count else { throw refusal(.truncated) }
    guard bytes.extracting(start..<end).hasSameBytes(as: bytes.extracting(name)) else {
      throw refusal(.tagMismatch)
    }
    if end < bytes.count, bytes[end].isNameByte { throw refusal(.tagMismatch) }
    try expectTagEnd(at: end)
    position = end + 1
  }

  private mutating func expectTagEnd(at end: Int) throws(Refusal) {
    guard end < bytes.count else { throw refusal(.truncated) }
    guard bytes[end] == UInt8(ascii: ">") else {
      position = end
      throw refusal(.brokenTag)
    }
  }

  /// A field's text up to its end tag.
  private mutating func checkText(mayHoldCDATA: Bool) throws(Refusal) {
    while true {
      skipPlainText()
      guard position < bytes.count else { throw refusal(.truncated) }
      switch bytes[position] {
      case UInt8(ascii: "<"):
        if peek(1) == UInt8(ascii: "/") { return }
        try checkCDATA(allowed: mayHoldCDATA)
      case UInt8(ascii: "&"):
        try checkReference()
      case UInt8(ascii: "]"):
        guard !bytes.has("]]>", at: position) else { throw refusal(.cdataEndInText) }
        position += 1
      default:
        try skipCharacter()
      }
    }
  }

  /// `<![CDATA[` … `]]>`; any other markup inside a field is refused.
  private mutating func checkCDATA(allowed: Bool) throws(Refusal) {
    guard let next = peek(1) else { throw refusal(.truncated) }
    guard bytes.has("<![CDATA[", at: position) else {
      throw refusal(next.isNameStart ? .nestedElement : markup(after: next))
    }
    guard allowed else { throw refusal(.misplacedCDATA) }
    position += 9
    while true {
      skipPlainText()
      guard position < bytes.count else { throw refusal(.truncated) }
      switch bytes[position] {
      case UInt8(ascii: "]"):
        if bytes.has("]]>", at: position) {
          position += 3
          return
        }
        position += 1
      case UInt8(ascii: "<"), UInt8(ascii: "&"):
        position += 1
      default:
        try skipCharacter()
      }
    }
  }

  /// One of the five named escapes, or a numeric reference to a character that XML 1.0 allows.
  private mutating func checkReference() throws(Refusal) {
    switch XMLReference(in: bytes, from: position) {
    case .end(let end): position = end
    case .unknown: throw refusal(.unknownReference)
    case .forbidden: throw refusal(.forbiddenReference)
    }
  }
}

// MARK: bytes and characters

extension FieldGate {
  /// Skips ASCII that means nothing in text, tab and line feed among it.
  private mutating func skipPlainText() {
    var index = position
    while index < bytes.count {
      if index &+ 8 <= bytes.count {
        let special = specialBytes(in: bytes.word(at: index))
        index &+= special == 0 ? 8 : Word.distance(to: special)
        if special == 0 { continue }
      }
      guard isPlain(bytes[index]) else { break }
      index &+= 1
    }
    position = index
  }

  /// Marks the bytes for which ``isPlain(_:)`` is false, and tab and line feed.
  private func specialBytes(in word: UInt64) -> UInt64 {
    Word.marks(of: UInt8(ascii: "<"), in: word) | Word.marks(of: UInt8(ascii: "&"), in: word)
      | Word.marks(of: UInt8(ascii: "]"), in: word) | Word.marks(below: 0x20, in: word) | word & Word.highBits
  }

  private func isPlain(_ byte: UInt8) -> Bool {
    (byte &- 0x20 < 0x60 || byte.isFieldWhiteSpace) && byte != UInt8(ascii: "<") && byte != UInt8(ascii: "&")
      && byte != UInt8(ascii: "]")
  }

  /// Skips one character that is not plain, if a token may have it.
  private mutating func skipCharacter() throws(Refusal) {
    guard bytes[position] >= 0x80 else { throw refusal(.forbiddenCharacter) }
    guard let length = UTF8Scalar.length(in: bytes, at: position) else { throw refusal(.notUTF8) }
    // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
    if length == 3, bytes[position] == 0xEF, bytes[position + 1] == 0xBF, bytes[position + 2] >= 0xBE {
      throw refusal(.forbiddenCharacter)
    }
    position += length
  }

  private mutating func skipWhiteSpace(expectingTagElse reason: Reason) throws(Refusal) {
    while position < bytes.count, bytes[position].isFieldWhiteSpace { position += 1 }
    guard position < bytes.count else { throw refusal(.truncated) }
    guard bytes[position] == UInt8(ascii: "<") else { throw refusal(try character(elseBecause: reason)) }
  }

  /// The reason to give for a byte where there must be none: the byte itself may be the worse fault.
  private mutating func character(elseBecause reason: Reason) throws(Refusal) -> Reason {
    let start = position
    if bytes[start] &- 0x20 >= 0x60 { try skipCharacter() }
    position = start
    return reason
  }

  /// The fault of markup that begins with `<` and this byte, and is not a tag.
  private func markup(after byte: UInt8) -> Reason {
    switch byte {
    case UInt8(ascii: "!"): bytes.has("<![CDATA[", at: position) ? .misplacedCDATA : .forbiddenMarkup
    case UInt8(ascii: "?"): .forbiddenMarkup
    default: .brokenTag
    }
  }

  private func peek(_ distance: Int) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  private func refusal(_ reason: Reason) -> Refusal {
    .because(reason, .offset(position))
  }
}
