internal import MediaToken
internal import MediaTokenSystem

/// The reason why a text is not the JSON object that was expected.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  package let flaw: Flaw
  /// The line of the text at which it was noticed, from 1; nil if the problem has no single place.
  package let line: Int?
  /// The column on that line in characters, from 1.
  let column: Int?
  /// The place up to which the text was read.
  let offset: Int?

  init(_ flaw: Flaw, line: Int? = nil, column: Int? = nil, offset: Int? = nil) {
    (self.flaw, self.line, self.column, self.offset) = (flaw, line, column, offset)
  }

  /// Members are named as far as ``MemberName`` allows; values never are.
  package enum Flaw: Sendable, Hashable {
    /// Not the grammar of JSON.
    case syntax
    /// The same where a comment begins.
    case comment
    /// The text ends too early.
    case truncated
    /// More text after the object.
    case trailingText
    case notUTF8
    /// U+FEFF before the text.
    case byteOrderMark
    /// U+0000, raw or as `\u0000`.
    case nulCharacter
    /// Deeper than the parser goes, or with more in it than a flat object has.
    case tooDeep
    /// Objects and arrays inside each other beyond the number that is allowed here.
    case tooManyLevels
    /// More outside of strings than any text of this kind has.
    case tooManyValues
    case number
    case notAnObject
    case repeated(MemberName)
    /// A member that is not expected here, and those that are, the nearest first.
    case unknown(MemberName, expected: [String])
    case notAString(MemberName)
    case neitherStringNorInteger(MemberName)
    case outOfMemory
  }

  package var description: String {
    guard let line, let column else { return sentence }
    return "line \(line), column \(column): \(sentence)"
  }

  package var isOutOfMemory: Bool { flaw == .outOfMemory }

  /// The problem without its place.
  package var sentence: String { flaw.sentence }
}

extension JSONError {
  /// True if the problem was noticed inside the value of this member of the outermost object, which is an object or an
  /// array.
  package func isInside(_ member: String, of text: Span<UInt8>) -> Bool {
    guard let offset else { return false }
    var (index, open, name) = (0, 0, 0..<0)
    // The last byte that was read may be a bracket too many.
    while index < min(offset, text.count) - 1 {
      switch text[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
      case UInt8(ascii: "\""):
        let end = JSONBounds.endOfString(text, from: index)
        if open == 1 { name = index + 1..<end }
        index = end
      default: break
      }
      index += 1
    }
    return open > 1 && text.extracting(name).hasSameBytes(as: member.utf8Span.span)
  }
}

extension JSONError.Flaw {
  static func unknown(_ name: String, among members: [String]) -> Self {
    let nearest = Spelling.nearest(to: Array(name.utf8), among: members)
    return .unknown(MemberName(name), expected: members.filter { $0 == nearest } + members.filter { $0 != nearest })
  }

  package var sentence: String {
    switch self {
    case .syntax: "not JSON"
    case .comment: "not JSON: there is a comment, which JSON does not have; remove it"
    case .truncated: "the JSON text ends too early"
    case .trailingText: "there is text after the JSON object"
    case .notUTF8: "not UTF-8"
    case .byteOrderMark: "the text begins with a byte order mark; write UTF-8 without one"
    case .nulCharacter: "there is a NUL character, raw or escaped"
    case .tooDeep: "the object is not flat"
    case .tooManyLevels: "objects and arrays are nested on too many levels"
    case .tooManyValues: "there are too many values"
    case .number: "a number is out of range"
    case .notAnObject: "not a JSON object"
    case .repeated(let name): "\(name) is given twice"
    case .unknown(let name, let expected):
      "unknown member: \(name); the members are \(expected.joined(separator: ", "))"
    case .notAString(let name): "the value of \(name) is not a string"
    case .neitherStringNorInteger(let name): "the value of \(name) is neither a string nor an integer"
    case .outOfMemory: "memory ran out while the JSON was read"
    }
  }
}

/// The name of a member, if a message may repeat it.
///
/// A secret may have been put where a name belongs: only short plain words are shown.
package struct MemberName: Sendable, Hashable, CustomStringConvertible {
  private let text: String?

  /// A name is shown if it has 1 to 24 ASCII letters, digits, `_`, `-` and `.`; the shortest secret, a GUID, has 32.
  package init(_ text: String?) {
    guard let text, (1...24).contains(text.utf8.count), text.utf8.allSatisfy(\.isNameByte) else {
      self.text = nil
      return
    }
    self.text = text
  }

  package var description: String { text ?? "a member whose name is not shown here" }
}
