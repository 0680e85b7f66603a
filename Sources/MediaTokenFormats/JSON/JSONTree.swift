internal import MediaTokenSystem

/// A JSON text as a tree. jansson alone decides what is JSON.
package struct JSONTree: Sendable {
  package let value: Value

  package enum Value: Sendable, Redacted {
    case object([Member])
    case array([JSONTree])
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

    /// The value as it is typed, without quotation marks: of a list its elements, of what has no such text its kind.
    package var typed: String {
      switch self {
      case .string(let text): text
      case .array(let elements): elements.map(\.value.typed).joined(separator: ", ")
      case .object, .integer, .real, .boolean, .null: kind
      }
    }
  }

  package struct Member: Sendable {
    package let name: String
    package let value: JSONTree

    package init(name: String, value: JSONTree) { (self.name, self.value) = (name, value) }
  }

  /// Nil if the value does not have the member, or is not an object.
  package subscript(name: String) -> JSONTree? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.name.hasSameBytes(as: name) }?.value
  }

  package init(value: Value) { self.value = value }

  /// One object with nothing after it; no name may come twice in any object. `levels` bounds the objects and arrays inside
  /// each other, the object itself counted. Errors have jansson's line and column.
  package init(parsing text: Span<UInt8>, levels: Int = .max) throws(JSONError) {
    if levels < .max { try JSONBounds(levels: levels).check(text) }
    let document = try JSONDocument(parsing: text)
    guard document.isObject else { throw JSONError(.notAnObject, line: 1, column: 1) }
    self = document.tree
  }
}
