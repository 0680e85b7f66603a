/// The text of `INFO`: lines of `name:value`, and others.
struct InfoText {
  private var fields: [Substring: Substring] = [:]

  init(_ text: String) { add(text) }

  mutating func add(_ text: String) {
    // By bytes: for Swift CR and LF together are one character.
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      var value = line[line.index(after: colon)...]
      if value.last == UInt8(ascii: "\r") { value = value.dropLast() }
      fields[Substring(line[..<colon])] = Substring(value)
    }
  }

  subscript(_ name: String) -> String? { fields[name[...]].map { String($0) } }
}
