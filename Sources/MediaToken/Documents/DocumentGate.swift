internal import MediaTokenSystem

/// The first lock of a resource document: our own recogniser for the XML that one may be written in, as ``FieldGate`` is for a
/// token's fields.
///
/// It knows which element may be in which. ``DocumentEvents`` counts elements, and knows their attributes and what prefixes
/// mean. What passes holds no DOCTYPE, comment, processing instruction or entity, and is in UTF-8: only that reaches
/// libxml2. The gate decodes nothing (<doc:ResourceDocuments>, "Grammar").
struct DocumentGate: ~Escapable {
  private let bytes: Span<UInt8>
  private var position = 0
  private var elements = 0

  /// Returns the number of elements.
  static func check(_ bytes: Span<UInt8>) throws(ResourceDocumentError) -> Int {
    var gate = DocumentGate(bytes)
    try gate.checkDocument()
    return gate.elements
  }

  @_lifetime(copy bytes)
  private init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// An XML declaration or none, white space, the root, white space.
  private mutating func checkDocument() throws(ResourceDocumentError) {
    guard !bytes.beginsWithByteOrderMark else { throw .byteOrderMark }
    if bytes.begins(with: "<?xml"), peek(5)?.isXMLWhiteSpace == true { try checkDeclaration() }
    skipWhiteSpace()
    guard peek() == UInt8(ascii: "<") else { throw .contentOutsideRoot }
    try checkElement(in: nil)
    skipWhiteSpace()
    guard position == bytes.count else {
      throw peek(1) == UInt8(ascii: "!") || peek(1) == UInt8(ascii: "?") ? .forbiddenMarkup : .contentOutsideRoot
    }
  }

  /// The production `XMLDecl` of XML 1.0, section 2.8, with `1.0` and `UTF-8` alone.
  private mutating func checkDeclaration() throws(ResourceDocumentError) {
    position = 5
    guard bytes.extracting(try value(of: "version")).isExactly("1.0") else { throw .declaration }
    if isNext("encoding"), !bytes.extracting(try value(of: "encoding")).isExactlyIgnoringCase("utf-8") {
      throw .declaration
    }
    if isNext("standalone") {
      let value = bytes.extracting(try value(of: "standalone"))
      guard value.isExactly("yes") || value.isExactly("no") else { throw .declaration }
    }
    skipWhiteSpace()
    guard take("?>") else { throw .declaration }
  }

  /// True if white space and this name are next.
  private func isNext(_ name: StaticString) -> Bool {
    var ahead = position
    while ahead < bytes.count, bytes[ahead].isXMLWhiteSpace { ahead += 1 }
    return ahead > position && bytes.has(name, at: ahead)
  }

  /// White space, the name, `=`, and a quoted value, whose place is returned.
  private mutating func value(of name: StaticString) throws(ResourceDocumentError) -> Range<Int> {
    guard isNext(name) else { throw .declaration }
    skipWhiteSpace()
    position += name.utf8CodeUnitCount
    skipWhiteSpace()
    guard take("=") else { throw .declaration }
    skipWhiteSpace()
    guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let end = bytes.firstIndex(of: quote, from: position + 1)
    else { throw .declaration }
    let start = position + 1
    position = end + 1
    return start..<end
  }

  /// An element with all that it holds. The grammar has four levels, so that this calls itself three times at most.
  private mutating func checkElement(in parent: DocumentElement?) throws(ResourceDocumentError) {
    try refuseOtherMarkup()
    elements += 1
    guard elements <= Limits.documentElements else { throw .tooManyElements }
    position += 1
    let (name, colon) = try qualifiedName()
    let local = bytes.extracting((colon.map { $0 + 1 } ?? name.lowerBound)..<name.upperBound)
    guard let element = DocumentElement(local, isMedia: colon != nil), element.mayBe(in: parent) else {
      throw .misplacedElement
    }
    if try checkAttributes() { return }
    if element.holdsText { try checkText() } else { try checkChildren(of: element) }
    try closeTag(name)
  }

  /// Elements and white space up to the end tag.
  private mutating func checkChildren(of element: DocumentElement) throws(ResourceDocumentError) {
    while true {
      skipWhiteSpace()
      guard let next = peek() else { throw .truncated }
      guard next == UInt8(ascii: "<") else {
        try skipReferenceOrCharacter()
        throw .misplacedText
      }
      if peek(1) == UInt8(ascii: "/") { return }
      try checkElement(in: element)
    }
  }

  /// Attributes, namespace declarations among them, and the end of the tag. True if that ended the element, too.
  private mutating func checkAttributes() throws(ResourceDocumentError) -> Bool {
    var count = 0
    while true {
      let start = position
      skipWhiteSpace()
      guard let next = peek() else { throw .truncated }
      if next == UInt8(ascii: ">") {
        position += 1
        return false
      }
      if take("/>") { return true }
      guard position > start else { throw .brokenTag }
      count += 1
      guard count <= Limits.documentAttributes else { throw .tooManyAttributes }
      _ = try qualifiedName()
      skipWhiteSpace()
      guard take("=") else { throw .brokenTag }
      skipWhiteSpace()
      try checkQuoted()
    }
  }

  private mutating func checkQuoted() throws(ResourceDocumentError) {
    guard let quote = peek() else { throw .truncated }
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw .brokenTag }
    position += 1
    while let byte = peek(), byte != quote {
      guard byte != UInt8(ascii: "<") else { throw .brokenTag }
      try skipReferenceOrCharacter()
    }
    guard position < bytes.count else { throw .truncated }
    position += 1
  }

  /// Text and CDATA sections up to the end tag.
  private mutating func checkText() throws(ResourceDocumentError) {
    while let byte = peek() {
      if byte == UInt8(ascii: "<") {
        if peek(1) == UInt8(ascii: "/") { return }
        guard take("<![CDATA[") else {
          try refuseOtherMarkup()
          throw .misplacedElement
        }
        try skipCDATA()
      } else {
        if byte == UInt8(ascii: "]"), bytes.has("]]>", at: position) { throw .cdataEndInText }
        try skipReferenceOrCharacter()
      }
    }
    throw .truncated
  }

  /// The rest of a CDATA section with its end.
  private mutating func skipCDATA() throws(ResourceDocumentError) {
    while position < bytes.count {
      if take("]]>") { return }
      try skipCharacter()
    }
    throw .truncated
  }

  /// `</`, the name that is at `name`, `>`.
  private mutating func closeTag(_ name: Range<Int>) throws(ResourceDocumentError) {
    position += 2
    let end = position + name.count
    guard end < bytes.count else { throw .truncated }
    guard bytes.extracting(position..<end).hasSameBytes(as: bytes.extracting(name)), !isNameByte(bytes[end]) else {
      throw .tagMismatch
    }
    position = end
    skipWhiteSpace()
    guard position < bytes.count else { throw .truncated }
    guard take(">") else { throw .brokenTag }
  }
}

// MARK: names and characters

extension DocumentGate {
  /// A name and the colon in it, if it has a prefix. Which characters beyond ASCII a name may have is for libxml2 to say.
  private mutating func qualifiedName() throws(ResourceDocumentError) -> (name: Range<Int>, colon: Int?) {
    let start = position
    try skipName()
    guard peek() == UInt8(ascii: ":") else { return (start..<position, nil) }
    let colon = position
    position += 1
    try skipName()
    return (start..<position, colon)
  }

  private mutating func skipName() throws(ResourceDocumentError) {
    guard let first = peek() else { throw .truncated }
    guard first.isNameStart || first >= 0x80 else { throw .brokenTag }
    while let byte = peek(), isNameByte(byte) { try skipCharacter() }
  }

  private func isNameByte(_ byte: UInt8) -> Bool { byte.isNameByte || byte >= 0x80 }

  /// Markup that is not a tag, where a tag is expected.
  private func refuseOtherMarkup() throws(ResourceDocumentError) {
    guard !bytes.has("<![CDATA[", at: position) else { throw .misplacedText }
    guard peek(1) != UInt8(ascii: "!"), peek(1) != UInt8(ascii: "?") else { throw .forbiddenMarkup }
  }

  private mutating func skipReferenceOrCharacter() throws(ResourceDocumentError) {
    guard peek() == UInt8(ascii: "&") else { return try skipCharacter() }
    switch XMLReference(in: bytes, from: position) {
    case .end(let end): position = end
    case .unknown: throw .unknownReference
    case .forbidden: throw .forbiddenReference
    }
  }

  /// Skips one character if it is a `Char` of XML 1.0, section 2.2.
  private mutating func skipCharacter() throws(ResourceDocumentError) {
    let byte = bytes[position]
    if byte < 0x80 {
      guard byte >= 0x20 || byte.isXMLWhiteSpace else { throw .forbiddenCharacter }
      position += 1
      return
    }
    guard let length = UTF8Scalar.length(in: bytes, at: position) else { throw .notUTF8 }
    // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
    if byte == 0xEF, bytes[position + 1] == 0xBF, bytes[position + 2] >= 0xBE { throw .forbiddenCharacter }
    position += length
  }

  private mutating func skipWhiteSpace() {
    while position < bytes.count, bytes[position].isXMLWhiteSpace { position += 1 }
  }

  private mutating func take(_ text: StaticString) -> Bool {
    guard bytes.has(text, at: position) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  private func peek(_ distance: Int = 0) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }
}
