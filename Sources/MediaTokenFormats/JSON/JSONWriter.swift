internal import MediaTokenSystem

/// Writes JSON (RFC 8259) to the end of a buffer and needs no other memory.
///
/// Commas come by themselves: one is due unless the last byte opens an object or array or ends a name or line.
/// Characters that a terminal obeys or does not show are escaped too (``VisibleText``), so that an answer can be read as it is.
package struct JSONWriter: Redacted {
  /// The owner may take these bytes, empty them, or put anything before what is written next.
  package var bytes: [UInt8]

  package init(appendingTo bytes: [UInt8] = []) { self.bytes = bytes }

  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "{"))
    members(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  package mutating func array(_ values: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "["))
    values(&self)
    bytes.append(UInt8(ascii: "]"))
  }

  /// A member's name; its value must follow. Names are the program's own: nothing in them needs an escape.
  package mutating func name(_ name: StaticString) {
    bytes.appendMember(isCommaDue, name, nil)
  }

  package mutating func string(_ text: String) {
    let utf8 = text.utf8Span.span
    separate()
    if utf8.isPlainJSON { return bytes.append(addingCapacity: utf8.count + 2) { $0.quote(utf8) } }
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars { escape(scalar) }
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func number(_ number: Int64) {
    separate()
    // The longest has a sign and 19 digits.
    bytes.append(addingCapacity: 20) { $0.decimal(number) }
  }

  mutating func boolean(_ value: Bool) {
    separate()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  package mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// For a text with one value per line.
  package mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

  private var isCommaDue: Bool {
    switch bytes.last {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: "\n"): false
    default: true
    }
  }

  private mutating func separate() {
    if isCommaDue { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"", "\\":
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(UInt8(truncatingIfNeeded: scalar.value))
    case "\n": bytes.append(contentsOf: "\\n".utf8)
    case "\r": bytes.append(contentsOf: "\\r".utf8)
    case "\t": bytes.append(contentsOf: "\\t".utf8)
    case _ where VisibleText.shows(scalar): bytes.append(contentsOf: String(scalar).utf8)
    default: for unit in String(scalar).utf16 { escapeNumerically(unit) }
    }
  }

  private mutating func escapeNumerically(_ unit: UInt16) {
    bytes.append(contentsOf: "\\u".utf8)
    for shift in [12, 8, 4, 0] { bytes.append(Hexadecimal.digit(UInt8(truncatingIfNeeded: unit >> shift) & 15)) }
  }
}

extension JSONWriter {
  /// Plain ASCII, in which nothing needs an escape.
  package mutating func member(_ name: StaticString, plain text: Span<UInt8>) {
    bytes.appendMember(isCommaDue, name, text)
  }

  package mutating func member(_ name: StaticString, _ text: String) {
    let utf8 = text.utf8Span.span
    if utf8.isPlainJSON { return member(name, plain: utf8) }
    self.name(name)
    string(text)
  }

  package mutating func member(_ name: StaticString, _ number: Int64) {
    self.name(name)
    self.number(number)
  }

  /// Thousandths, written with three decimals.
  package mutating func member(_ name: StaticString, thousandths number: UInt64) {
    self.name(name)
    let fraction = "\(number % 1000)"
    let zeros = String(repeating: "0", count: 3 - fraction.utf8.count)
    bytes.append(contentsOf: "\(number / 1000).\(zeros)\(fraction)".utf8)
  }

  package mutating func member(_ name: StaticString, _ value: Bool) {
    self.name(name)
    boolean(value)
  }

  package mutating func member(_ name: StaticString, _ texts: [String]) {
    self.name(name)
    array { array in for text in texts { array.string(text) } }
  }

  package mutating func member(_ name: StaticString, object members: (inout JSONWriter) -> Void) {
    self.name(name)
    object(members)
  }

  /// `members` writes the object of each element.
  package mutating func member<Element>(
    _ name: StaticString, objects elements: some Sequence<Element>, _ members: (Element, inout JSONWriter) -> Void
  ) {
    self.name(name)
    array { array in for element in elements { array.object { members(element, &$0) } } }
  }
}

extension Span<UInt8> {
  /// True if nothing of the text is escaped: ASCII without control characters, quotation marks and backslashes.
  fileprivate var isPlainJSON: Bool {
    for index in indices {
      let byte = self[index]
      if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
    }
    return true
  }
}

extension OutputSpan<UInt8> {
  fileprivate mutating func decimal(_ number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var divisor: UInt64 = 1
    while number.magnitude / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number.magnitude / divisor % 10))
      divisor /= 10
    }
  }
}
