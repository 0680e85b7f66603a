/// The place where two texts differ that a person takes for the same: by position and code point.
struct TextDifference {
  let sentence: String

  /// Nil if their bytes are the same.
  init?(expected: String, found: String) {
    let (ours, theirs) = (Array(expected.unicodeScalars), Array(found.unicodeScalars))
    guard ours != theirs else { return nil }
    let index = zip(ours, theirs).prefix { $0 == $1 }.count
    let bytes = String(String.UnicodeScalarView(ours[..<index])).utf8.count
    let place = "they first differ at character \(index + 1), byte \(bytes)"
    let ends =
      (ours.count == index ? "the expected text ends" : "\(Self.name(ours[index])) is expected")
      + (theirs.count == index ? ", and the token's ends" : ", and \(Self.name(theirs[index])) is found")
    sentence = ([place + ": " + ends] + [Self.kind(expected, found)].compactMap { $0 }).joined(separator: "; ")
  }

  private static func kind(_ expected: String, _ found: String) -> String? {
    // For Swift two texts are the same if they are canonically equivalent.
    if expected == found { return "it is the same text in another Unicode form (NFC or NFD)" }
    if expected.lowercased() == found.lowercased() { return "they differ in upper case alone" }
    for (name, decode) in decoders {
      if decode(expected) == found { return "the expected text is \(name), and the token's is not" }
      if decode(found) == expected { return "the token's text is \(name), and the expected one is not" }
    }
    return kinds.first { $0.plain(expected) == $0.plain(found) }?.sentence
  }

  /// Texts that differ by one kind of change alone are the same once each is made plain.
  private static let kinds: [(sentence: String, plain: @Sendable (String) -> String)] = [
    (
      "they differ in white space at an end alone",
      { text in String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }) }
    ),
    (
      "they differ in white space alone, such as several spaces or a tab (U+0009) that became one space",
      { text in text.split { $0.isWhitespace }.joined(separator: " ") }
    ),
    (
      "they differ in quotation marks, apostrophes, hyphens or dots, which a word processor makes typographer's",
      { text in String(String.UnicodeScalarView(text.unicodeScalars.flatMap { Array(typed[$0] ?? [$0]) })) }
    ),
    (
      "they differ in letters that are not ASCII alone, or where ? or an entity of HTML, such as &eacute;, is written for one",
      { text in
        text.replacing(/&[A-Za-z]+;/, with: "?").unicodeScalars.map { $0.isASCII ? String($0) : "?" }.joined()
      }
    ),
  ]

  /// The typed forms of characters that a word processor puts in their place.
  private static let typed: [Unicode.Scalar: [Unicode.Scalar]] = [
    "\u{2018}": ["'"], "\u{2019}": ["'"], "\u{201C}": ["\""], "\u{201D}": ["\""], "\u{2013}": ["-"],
    "\u{2014}": ["-"],
    "\u{2026}": [".", ".", "."],
  ]

  private static let decoders: [(String, @Sendable (String) -> String?)] = [
    (
      "percent-encoded",
      { TextBytes.percentDecoded(Array($0.utf8)).flatMap { String(validating: $0, as: UTF8.self) } }
    ),
    (
      "escaped as in XML or HTML",
      { text in
        let escapes = [
          ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&"),
        ]
        let plain = escapes.reduce(Array(text.utf8)) { TextBytes.replacing($1.0, by: $1.1, in: $0) }
        return String(validating: plain, as: UTF8.self)
      }
    ),
  ]

  /// `T (U+0054)`, or the code point alone where that is not plain.
  private static func name(_ scalar: Unicode.Scalar) -> String {
    let code = TextBytes.codePoint(scalar.value)
    return (0x21..<0x7F).contains(scalar.value) ? "\(scalar) (\(code))" : code
  }
}
