internal import MediaTokenSystem

/// One block of a PEM file: its place and its label. OpenSSL decodes it.
///
/// OpenSSL's reader skips whatever is around blocks and accepts much that is wrong inside them (PEM_read_bio(3)). Here
/// only text around blocks is skipped (RFC 7468, section 2), and nothing that could be a block: a key that is overlooked
/// is as bad as a wrong one.
struct PEMBlock {
  let label: Label
  /// The number of its BEGIN line, from 1.
  let line: Int
  /// From the BEGIN line to the end of the END line.
  let range: Range<Int>

  enum Label: String {
    case publicKey = "PUBLIC KEY"
    case certificate = "CERTIFICATE"
  }

  /// True if a BEGIN or END line, or a text that resembles one, is anywhere in the file.
  static func isPresumed(in file: Span<UInt8>) -> Bool { file.indices.contains { resemblesBoundary(file, at: $0) } }

  /// The error names the line of a block that is not accepted, or of a text that may be one that was damaged.
  static func blocks(of file: [UInt8], _ origin: KeyOrigin) throws(Problem) -> [PEMBlock] {
    if let form = spoiledForm(of: file.span) { throw Problem.otherForm(form, origin).about("\(origin)") }
    var blocks: [PEMBlock] = []
    var open: (label: Label, line: Int, start: Int)?
    var (start, number) = (0, 0)
    while start < file.count {
      let newline = file[start...].firstIndex(of: 0x0A) ?? file.count
      number += 1
      let line = trimmingEnd(file[start..<newline])
      try origin.at(.line(number)).blamed { () throws(Problem) in
        if let block = open {
          if line.elementsEqual("-----END \(block.label.rawValue)-----".utf8) {
            blocks.append(PEMBlock(label: block.label, line: block.line, range: block.start..<newline))
            open = nil
          } else {
            try checkBody(line)
          }
        } else if let label = try label(beginning: line, origin) {
          open = (label, number, start)
        }
      }
      start = newline + 1
    }
    if let open { throw Problem.unclosedPEM.about("\(origin.at(.line(open.line)))") }
    return blocks
  }

  /// The fault of a file that looks right where it is shown; nil if its first block has lines of its own.
  private static func spoiledForm(of file: Span<UInt8>) -> OtherKeyForm? {
    if file.beginsWithByteOrderMark { return .markedPEM }
    guard let begin = file.indices.first(where: { file.has("-----BEGIN ", at: $0) }) else { return nil }
    let margin = file.indices.prefix(begin).last { file[$0] != 0x20 && file[$0] != 0x09 }
    let end = file.firstIndex(of: UInt8(ascii: "\n"), from: begin) ?? file.count
    let line = file.extracting(begin..<end)
    guard line.indices.contains(where: { line.has("-----END ", at: $0) }) else {
      return begin > 0 && margin != begin - 1 && margin.map { file[$0] == 0x0A } ?? true ? .indentedPEM : nil
    }
    if line.indices.contains(where: { line.has("\\n", at: $0) }) { return .escapedPEM }
    return line.indices.dropLast().contains { line[$0] == UInt8(ascii: "\r") } ? .carriageReturnPEM : .oneLinePEM
  }

  /// Nil if the line is text that is skipped.
  private static func label(beginning line: ArraySlice<UInt8>, _ origin: KeyOrigin) throws(Problem) -> Label? {
    let (prefix, suffix) = ("-----BEGIN ".utf8, "-----".utf8)
    guard line.starts(with: prefix), line.count >= prefix.count + suffix.count,
      line.suffix(suffix.count).elementsEqual(suffix)
    else {
      guard !isPresumed(in: line.span) else { throw .brokenBoundary }
      return nil
    }
    let label = line.dropFirst(prefix.count).dropLast(suffix.count)
    // Swift takes U+212A for a K, and OpenSSL does not.
    guard label.allSatisfy({ $0 < 0x80 }) else { throw .unknownLabel(nil) }
    let text = String(decoding: label, as: UTF8.self)
    if let label = Label(rawValue: text) { return label }
    if let form = otherForm(text) { throw .otherForm(form, origin) }
    // RFC 7468 allows more; the label that is shown is kept harmless.
    let isPlain = text.utf8.count <= 40 && text.utf8.allSatisfy { $0 == 0x20 || (0x30...0x5A).contains($0) }
    throw .unknownLabel(isPlain ? text : nil)
  }

  /// True if BEGIN or END is here, in any case, after two hyphens or before a label of ours.
  private static func resemblesBoundary(_ text: Span<UInt8>, at offset: Int) -> Bool {
    let letter = text[offset] | 0x20
    guard letter == UInt8(ascii: "b") || letter == UInt8(ascii: "e") else { return false }
    guard let word = ["BEGIN", "END"].first(where: { text.hasLetters($0, at: offset) }) else { return false }
    var start = offset
    while start > 0, text[start - 1] == 0x20 { start -= 1 }
    if start >= 2, text[start - 1] == UInt8(ascii: "-"), text[start - 2] == UInt8(ascii: "-") { return true }
    let label = offset + word.utf8.count
    return text.hasLetters(" PUBLIC KEY", at: label) || text.hasLetters(" CERTIFICATE", at: label)
  }

  private static func otherForm(_ label: String) -> OtherKeyForm? {
    switch label {
    case "RSA PUBLIC KEY": .pkcs1PEM
    case "OPENSSH PRIVATE KEY": .openSSH
    case "TRUSTED CERTIFICATE", "X509 CERTIFICATE": .otherCertificatePEM
    case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": .requestPEM
    case "PKCS7", "PKCS #7 SIGNED DATA": .pkcs7PEM
    case _ where label.utf8.suffix(11).elementsEqual("PRIVATE KEY".utf8): .privateKeyPEM
    default: nil
    }
  }

  /// Only base64, with padding at the end, which OpenSSL checks. In particular no `-`, at which OpenSSL's decoder
  /// would stop without an error.
  private static func checkBody(_ line: ArraySlice<UInt8>) throws(Problem) {
    guard !line.isEmpty, !line.contains(UInt8(ascii: ":")) else { throw .headerInPEM }
    let digits = line.reversed().drop { $0 == UInt8(ascii: "=") }
    guard digits.allSatisfy(isBase64) else { throw .brokenPEM }
  }

  static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }

  private static func trimmingEnd(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.prefix(through: line.lastIndex { !isWhiteSpace($0) } ?? line.startIndex - 1)
  }

  /// Space, tab, line feed, carriage return.
  static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}

extension Problem {
  static var brokenBoundary: Problem {
    Problem(
      "the line resembles the BEGIN or END line of a PEM block",
      cure: "expected five hyphens, the words in capitals and five hyphens alone on a line, as in "
        + "-----BEGIN PUBLIC KEY-----, and the END line after its block")
  }
  static var unclosedPEM: Problem { Problem("the PEM block has no END line", cure: "is the file complete?") }
  static func unknownLabel(_ label: String?) -> Problem {
    Problem("expected a PEM block PUBLIC KEY or CERTIFICATE, found \(label ?? "a label with odd characters")")
  }
  static var headerInPEM: Problem {
    Problem("the PEM block holds a header or an empty line", cure: "decrypt the block first")
  }
  static var brokenPEM: Problem { Problem("the PEM block is not base64") }
}

extension Span<UInt8> {
  /// The text is ASCII in capitals, and compared in any case.
  fileprivate func hasLetters(_ text: String, at offset: Int) -> Bool {
    guard text.utf8.count <= count - offset else { return false }
    return zip(text.utf8, offset...).allSatisfy { byte, index in
      self[index] == byte || byte >= 0x41 && self[index] == byte | 0x20
    }
  }
}
