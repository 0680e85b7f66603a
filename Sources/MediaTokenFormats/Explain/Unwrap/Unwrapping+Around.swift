internal import MediaToken
internal import MediaTokenSystem

/// What is written around a token.
extension Unwrapping {
  static func around(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    if let found = structured(text) ?? quoted(text) ?? scheme(text) ?? named(text) { return found }
    return nil
  }

  // MARK: JSON and XML

  private static func structured(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    switch text[0] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return json(text)
    case UInt8(ascii: "\""): return jsonString(text)
    case UInt8(ascii: "<"): return xml(text)
    default: return nil
    }
  }

  /// How much of a JSON text may be besides its strings: Adobe's answers have some hundred bytes.
  private static let bounds = JSONBounds(punctuation: 4096, levels: 32)

  private static func json(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    guard let tree = parsed(text) else { return nil }
    let found = member(with: tree)
    if tree["decisions"] != nil { return found.map { (.decision, Array($0.text.utf8)) } }
    return found.map { (.jsonMember($0.name), Array($0.text.utf8)) }
  }

  /// The tree, with a list as the member of an object that has no name.
  private static func parsed(_ text: [UInt8]) -> LocatedJSON? {
    let object = text[0] == UInt8(ascii: "{") ? text : Array("{\"\":".utf8) + text + Array("}".utf8)
    guard (try? bounds.check(object.span)) != nil else { return nil }
    return try? LocatedJSON(parsing: object.span)
  }

  /// The first member, from the outside in, whose text has a token.
  private static func member(with tree: LocatedJSON, called name: String = "") -> (name: String, text: String)? {
    switch tree.value {
    case .string(let text):
      return TextBytes.firstMarker(in: Array(text.utf8), from: 0).map { _ in
        (TextBytes.name(Array(name.utf8)[...]) ?? "without a plain name", text)
      }
    case .object(let members): return members.lazy.compactMap { member(with: $0.value, called: $0.name) }.first
    case .array(let elements): return elements.lazy.compactMap { member(with: $0, called: name) }.first
    case .integer, .real, .boolean, .null: return nil
    }
  }

  /// A JSON string; jansson reads it as the member of an object.
  private static func jsonString(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    guard case .string(let inside)? = parsed(text)?[""]?.value else { return nil }
    return (.jsonString, Array(inside.utf8))
  }

  private static func xml(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    if text.span.begins(with: "<?xml") {
      guard let end = TextBytes.first(Array("?>".utf8), in: text) else { return nil }
      return (.xmlDeclaration, Array(text[(end + 2)...]))
    }
    if TextBytes.has("<simpleToken", in: text) { return (.longToken, nil) }
    guard let start = TextBytes.firstMarker(in: text, from: 1),
      let open = text[..<start].lastIndex(of: UInt8(ascii: "<")),
      text[open..<start].contains(UInt8(ascii: ">"))
    else { return nil }
    // The element that was opened last; its text ends with its own end tag.
    let name = text[(open + 1)..<start].prefix { $0.isNameByte || $0 == UInt8(ascii: ":") }
    let end = TextBytes.first(Array("</".utf8) + name + Array(">".utf8), in: text, from: start) ?? text.count
    let shown = TextBytes.name(name.split(separator: UInt8(ascii: ":")).last ?? name)
    return (.xmlElement(shown ?? "without a plain name"), Array(text[start..<end]))
  }

  // MARK: quotation marks, and how programs print texts

  private static let marks: [(begin: String, end: String)] = [
    ("\"", "\""), ("'", "'"), ("`", "`"), ("\u{201C}", "\u{201D}"), ("\u{201E}", "\u{201C}"),
    ("\u{2018}", "\u{2019}"), ("\u{AB}", "\u{BB}"),
  ]
  private static let printed: [(begin: String, end: String, shown: String)] = [
    ("b'", "'", "b'…', as Python does"), ("b\"", "\"", "b\"…\", as Python does"),
    ("Optional(\"", "\")", "Optional(\"…\"), as Swift does"),
    ("Optional(", ")", "Optional(…), as Swift does"), ("Some(\"", "\")", "Some(\"…\"), as Rust does"),
    ("@\"", "\"", "@\"…\", as Objective-C does"),
  ]

  private static func quoted(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    for form in printed {
      if let inside = between(form.begin, form.end, text) { return (.printed(form.shown), inside) }
    }
    for form in marks {
      if let inside = between(form.begin, form.end, text) { return (.quotes("\(form.begin) \(form.end)"), inside) }
    }
    return nil
  }

  /// What is after the first mark, and before the second where it is at the end.
  private static func between(_ begin: String, _ end: String, _ text: [UInt8]) -> [UInt8]? {
    let (begin, end) = (Array(begin.utf8), Array(end.utf8))
    guard text.starts(with: begin), text.count > begin.count else { return nil }
    let rest = text.dropFirst(begin.count)
    return Array(rest.suffix(end.count) == end[...] ? rest.dropLast(end.count) : rest)
  }

  // MARK: names and schemes

  private static let schemes = ["bearer", "basic", "token", "oauth", "mediatoken", "saml"]

  private static func scheme(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    let word = text.prefix { TextBytes.isLetter($0) }
    guard word.count < text.count, text[word.count] == UInt8(ascii: " "),
      schemes.contains(String(decoding: word, as: UTF8.self).lowercased())
    else { return nil }
    return (.scheme(String(decoding: word, as: UTF8.self)), Array(text[(word.count + 1)...]))
  }

  /// An address, a header's line, or `name=value`.
  private static func named(_ text: [UInt8]) -> (Wrapper, [UInt8]?)? {
    let name = text.prefix(41).prefix(while: \.isNameByte)
    guard name.count < text.count, let shown = TextBytes.name(name) else { return nil }
    let rest = text[name.count...]
    if rest.starts(with: "://".utf8) { return parameter(of: text) }
    if rest.starts(with: ":".utf8) { return (.headerLine(shown), Array(rest.dropFirst())) }
    // Padding is no value.
    guard rest.starts(with: "=".utf8), rest.count > 3 else { return nil }
    return (.parameter(shown), Array(rest.dropFirst().prefix { $0 != UInt8(ascii: "&") }))
  }

  /// The first parameter of an address whose value has a token, once it is decoded where it must be.
  private static func parameter(of address: [UInt8]) -> (Wrapper, [UInt8]?)? {
    guard let marker = TextBytes.firstMarker(in: address, from: 0) else { return nil }
    let isEnd = { (byte: UInt8) in
      byte == UInt8(ascii: "&") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        || byte == UInt8(ascii: ";")
    }
    let start = address[..<marker].lastIndex(where: isEnd).map { $0 + 1 } ?? 0
    let pair = address[start...].prefix { !isEnd($0) }
    guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    return (.address(TextBytes.name(pair[..<sign]) ?? "without a plain name"), Array(pair[(sign + 1)...]))
  }
}
