/// The grammar of a head and what its fields mean, from RFC 9112 and RFC 9110 and not from the reader: every byte of an
/// accepted head has its place in it.
struct Grammar {
  private let bytes: [UInt8]
  private let reading: Reading

  private static let tokenBytes = Set(
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
  private static let hostBytes = tokenBytes.subtracting("#^`|".utf8).union("(),;=:[]".utf8)
  private static let blanks = Set(" \t".utf8)

  init(_ bytes: [UInt8], _ reading: Reading) { (self.bytes, self.reading) = (bytes, reading) }

  /// The first rule that the head breaks; nil if it breaks none.
  func brokenRule(limit: Int) -> String? {
    if reading.byteCount > limit { return "it is longer than the limit" }
    if bytes[..<reading.byteCount].contains(0) { return "it has a NUL" }
    return brokenPlace() ?? brokenMeaning()
  }

  /// Walks over the head from its first byte to its last.
  private func brokenPlace() -> String? {
    var at = has("\r\n", at: 0) ? 2 : 0
    guard reading.method.lowerBound == at, isToken(reading.method) else { return "the method" }
    at = reading.method.upperBound
    guard has(" ", at: at), reading.target.lowerBound == at + 1, !reading.target.isEmpty,
      bytes[reading.target].allSatisfy({ 0x21...0x7E ~= $0 })
    else { return "the target" }
    at = reading.target.upperBound
    guard has(" HTTP/1.1\r\n", at: at) || has(" HTTP/1.0\r\n", at: at) else { return "the version" }
    at += 11
    for field in reading.fields {
      let (name, value) = (range(field[0]), range(field[1]))
      guard name.lowerBound == at, isToken(name), has(":", at: name.upperBound) else { return "a field's name" }
      guard name.upperBound < value.lowerBound, value.upperBound <= reading.byteCount,
        bytes[(name.upperBound + 1)..<value.lowerBound].allSatisfy(Self.blanks.contains),
        bytes[value].allSatisfy({ $0 == 9 || $0 >= 0x20 && $0 != 0x7F }),
        value.isEmpty
          || !Self.blanks.contains(bytes[value.lowerBound]) && !Self.blanks.contains(bytes[value.upperBound - 1])
      else { return "a field's value" }
      at = value.upperBound
      while Self.blanks.contains(bytes[at]) { at += 1 }
      guard has("\r\n", at: at) else { return "a field's end" }
      at += 2
    }
    return has("\r\n", at: at) && at + 2 == reading.byteCount ? nil : "the end"
  }

  /// What all fields together say.
  private func brokenMeaning() -> String? {
    let is10 = has(" HTTP/1.0", at: reading.target.upperBound)
    let method = String(decoding: bytes[reading.method], as: UTF8.self)
    let (hosts, lengths, expectations) = (values("host"), values("content-length"), values("expect"))
    if !values("transfer-encoding").isEmpty { return "another framing" }
    if hosts.count > 1 || hosts.isEmpty && !is10 { return "the number of hosts" }
    if !hosts.allSatisfy({ $0.utf8.allSatisfy(Self.hostBytes.contains) }) { return "a host" }

    if lengths.count > 1 || lengths.isEmpty && method == "POST" { return "the number of lengths" }
    if method == "CONNECT", !lengths.isEmpty { return "a body of CONNECT" }
    if let length = lengths.first {
      guard !length.isEmpty, length.allSatisfy({ "0"..."9" ~= $0 }), length == "0" || !length.hasPrefix("0") else {
        return "the length"
      }
      guard reading.bodyBytes == (length.utf8.count > 18 ? .max : Int(length)) else { return "the body's bytes" }
    } else if reading.bodyBytes != 0 {
      return "a body without a length"
    }

    let options = values("connection").flatMap { $0.split(separator: ",") }.map {
      String($0).trimmed.lowercased()
    }
    let ends = method == "CONNECT" || options.contains("close") || is10 && !options.contains("keep-alive")
    if reading.endsConnection != ends { return "the connection's end" }
    if reading.saysKeepAlive != (is10 && !ends) { return "the answer's keep-alive" }
    let waits = expectations.map { $0.lowercased() } == ["100-continue"]
    if !expectations.isEmpty, !waits, !is10 { return "an expectation" }
    if reading.expectsContinue != (waits && !is10 && reading.bodyBytes > 0) { return "100-continue" }
    if reading.isHEAD != (method == "HEAD") { return "HEAD" }
    return nil
  }

  /// The values of all fields of that name, byte for byte as characters.
  private func values(_ name: String) -> [String] {
    reading.fields.filter { text(range($0[0])).lowercased() == name }.map { text(range($0[1])) }
  }

  private func text(_ place: Range<Int>) -> String {
    String(String.UnicodeScalarView(bytes[place].map { Unicode.Scalar($0) }))
  }

  private func range(_ place: Range<Int32>) -> Range<Int> { Int(place.lowerBound)..<Int(place.upperBound) }

  private func has(_ text: String, at start: Int) -> Bool { bytes[start...].starts(with: text.utf8) }

  private func isToken(_ place: Range<Int>) -> Bool {
    !place.isEmpty && bytes[place].allSatisfy(Self.tokenBytes.contains)
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}
