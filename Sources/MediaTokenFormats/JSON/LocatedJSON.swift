internal import MediaTokenSystem

/// A JSON text as a tree with the line on which each value begins: for a configuration, whose errors name the line.
///
/// jansson alone decides what is JSON; the lines come from a second, simpler look at a text that it accepted.
package struct LocatedJSON: Sendable {
  /// The line on which the value begins, or the name of its member, from 1.
  package let line: Int
  package let value: Value

  package enum Value: Sendable, Redacted {
    case object([Member])
    case array([LocatedJSON])
    case string(String)
    case integer(Int64)
    /// A number with a fraction or an exponent.
    case real
    case boolean(Bool)
    case null

    /// The kind's name in messages, with the value where a message may repeat it.
    package var kind: String {
      switch self {
      case .object: "an object"
      case .array: "an array"
      case .string: "a string"
      case .integer(let number): "\(number)"
      case .real: "a number with a fraction or an exponent"
      case .boolean(let value): "\(value)"
      case .null: "null"
      }
    }
  }

  package struct Member: Sendable {
    package let name: String
    package let value: LocatedJSON

    package init(name: String, value: LocatedJSON) { (self.name, self.value) = (name, value) }
  }

  /// Nil if the value does not have the member, or is not an object.
  package subscript(name: String) -> LocatedJSON? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.name.hasSameBytes(as: name) }?.value
  }

  package init(line: Int, value: Value) {
    self.line = line
    self.value = value
  }

  /// One object with nothing after it; no name may come twice in any object. `levels` bounds the objects and arrays inside
  /// each other, the object itself counted. Errors have jansson's line and column.
  package init(parsing text: Span<UInt8>, levels: Int = .max) throws(JSONError) {
    if levels < .max { try JSONBounds(levels: levels).check(text) }
    let document = try JSONDocument(parsing: text)
    guard document.isObject else { throw JSONError(.notAnObject, line: 1, column: 1) }
    self = document.located(lines: JSONLines.ofEntries(in: text))
  }
}

/// The places where members and elements begin in a text that is JSON.
enum JSONLines {
  /// The line of every member's name and of every array's element, in the order of the text.
  static func ofEntries(in text: Span<UInt8>) -> [Int] {
    var lines: [Int] = []
    // For every object and array that is open: whether a member or an element begins next, not the rest of one.
    var isDue: [Bool] = []
    var (line, index) = (1, 0)
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: ":"): break
      case UInt8(ascii: ","): if isDue.popLast() != nil { isDue.append(true) }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = isDue.popLast()
      case let byte:
        if isDue.last == true {
          isDue[isDue.count - 1] = false
          lines.append(line)
        }
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { isDue.append(true) }
        if byte == UInt8(ascii: "\"") { index = JSONBounds.endOfString(text, from: index) }
      }
      index += 1
    }
    return lines
  }
}
