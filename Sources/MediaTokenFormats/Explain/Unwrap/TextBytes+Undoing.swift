internal import MediaTokenSystem

/// Undoing programs' changes to a text on its way, for ``Cause/changes``.
extension TextBytes {
  /// Percent-decoded once, or nil if an escape is broken, or there is no escape. `+` stays: it may be base64's.
  static func percentDecoded(_ text: [UInt8]) -> [UInt8]? {
    let span = text.span
    var (plain, index, isChanged) = ([UInt8](), 0, false)
    plain.reserveCapacity(text.count)
    while index < text.count {
      guard let (byte, length) = PercentCoding.byte(of: span, at: index) else { return nil }
      plain.append(byte)
      index += length
      if length > 1 { isChanged = true }
    }
    return isChanged ? plain : nil
  }

  static func replacing(_ old: String, by new: String, in text: [UInt8]) -> [UInt8] {
    let old = Array(old.utf8)
    var (changed, index) = ([UInt8](), 0)
    changed.reserveCapacity(text.count)
    while let next = first(old, in: text, from: index) {
      changed += text[index..<next]
      changed += new.utf8
      index = next + old.count
    }
    return changed + text[index...]
  }

  /// The text with ` +0000<` for each `  0000<`: the sign of an offset at the end of a time.
  static func withOffsetSigns(_ text: [UInt8]) -> [UInt8] {
    var (signed, index) = (text, 0)
    while let place = first([0x20, 0x20], in: text, from: index) {
      let digits = text[(place + 2)...].prefix { isDigit($0) }
      if digits.count == 4, digits.endIndex < text.count, text[digits.endIndex] == UInt8(ascii: "<") {
        signed[place + 1] = UInt8(ascii: "+")
      }
      index = place + 1
    }
    return signed
  }

  /// The text with a plus sign for each space in the first element of this name.
  static func withPluses(in element: String, of text: [UInt8]) -> [UInt8] {
    guard let start = first(Array("<\(element)>".utf8), in: text),
      let end = first(Array("</\(element)>".utf8), in: text, from: start)
    else { return text }
    let begin = start + element.utf8.count + 2
    return text[..<begin] + text[begin..<end].map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }
      + text[end...]
  }

  /// The content of the resource's element, and the text with this resource in its place, in the escapes that are used; nil
  /// if it is the same.
  static func withResource(_ resource: String, in text: [UInt8]) -> (found: [UInt8], text: [UInt8])? {
    let (tag, end) = (Array("<resourceID>".utf8), Array("</resourceID>".utf8))
    guard let start = first(tag, in: text).map({ $0 + tag.count }), let end = first(end, in: text, from: start)
    else {
      return nil
    }
    let escapes = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\r", "&#13;")]
    let escaped = escapes.reduce(Array(resource.utf8)) { replacing($1.0, by: $1.1, in: $0) }
    let found = Array(text[start..<end])
    return found == escaped ? nil : (found, text[..<start] + escaped + text[end...])
  }

  /// The end of the last end tag of a token's root.
  static func endOfLastTag(in text: [UInt8]) -> Int? {
    ["</authToken>", "</shortAuthorizationToken>"].compactMap { tag in
      first(Array(tag.utf8), in: text).map { $0 + tag.utf8.count }
    }.max()
  }

  /// The part after the second marker, if that is as the first.
  static func signedPart(of token: [UInt8]) -> ArraySlice<UInt8>? {
    let marker = Array("<signatureInfo>".utf8)
    return first(marker, in: token, from: 1).map { token[($0 + marker.count)...] }
  }

  /// True if a token's signed bytes begin with its root and lack its end, in whatever letters, escapes and lines: they were
  /// cut off.
  static func isCutOff(_ signed: [UInt8]) -> Bool {
    let tags = replacing("&gt;", by: ">", in: replacing("&lt;", by: "<", in: signed))
    let plain = tags.filter { !isWhiteSpace($0) }.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
    return ["authtoken>", "shortauthorizationtoken>"].contains { name in
      let begin = "<\(name)".utf8
      return plain.prefix(begin.count).elementsEqual(begin.prefix(plain.count)) && !has("</\(name)", in: plain)
    }
  }

  /// The text without white space that has a `>` before it and a `<` after it.
  static func withoutSpaceBetweenTags(_ text: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      guard isWhiteSpace(text[index]) else {
        plain.append(text[index])
        index += 1
        continue
      }
      let end = text[index...].firstIndex { !isWhiteSpace($0) } ?? text.count
      let isBetween =
        (plain.last ?? UInt8(ascii: ">")) == UInt8(ascii: ">")
        && (end == text.count || text[end] == UInt8(ascii: "<"))
      if !isBetween { plain += text[index..<end] }
      index = end
    }
    return plain
  }

  /// The text with `&amp;` for each `&` that begins no escape.
  static func withEscapes(_ text: [UInt8]) -> [UInt8] {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.count)
    let escapes = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#"].map { Array($0.utf8) }
    for index in text.indices {
      escaped.append(text[index])
      if text[index] == UInt8(ascii: "&"), !escapes.contains(where: { text[index...].starts(with: $0) }) {
        escaped += "amp;".utf8
      }
    }
    return escaped
  }

  /// The bytes that this UTF-8 is the Latin-1 reading of; nil if it has other characters, or none that is not ASCII.
  static func latin1(_ text: [UInt8]) -> [UInt8]? {
    guard text.contains(where: { $0 >= 0x80 }), let string = String(validating: text, as: UTF8.self) else {
      return nil
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    for scalar in string.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
