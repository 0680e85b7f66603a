package import MediaToken
internal import MediaTokenSystem

/// One line of a batch: a token as plain text, or a JSON object about one.
package struct BatchLine: ~Copyable {
  private let object: FlatJSONObject
  private let decoded: [UInt8]?

  /// The answer needs this of the line besides its token.
  package let label: BatchLineLabel
  package let expectation: LineExpectation

  /// The longest line in bytes: a token of the greatest length in JSON, a resource as long, and room for escapes.
  package static let longest = 256 * 1024

  /// The longest id in bytes: an answer must not be much longer than its question, whatever has to be escaped.
  package static let longestID = 256

  private static let members = [
    "token", "tokenBase64", "id", "requestor", "resource", "resourceDocument", "resourceChannel", "at",
    "expected",
  ]

  /// The problem of a line that is longer than ``longest``; it was not read.
  package static let tooLong = Problem("the line is longer than \(longest) bytes")

  /// The problem of a plain token with U+FEFF before it, as some editors write one into a file.
  static let byteOrderMark = Problem(JSONError.Flaw.byteOrderMark.sentence)

  /// Space, tab and CR are blank.
  package static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices {
      switch line[index] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): continue
      default: return false
      }
    }
    return true
  }

  package static func isObject(_ line: Span<UInt8>) -> Bool {
    line.count > 0 && line[0] == UInt8(ascii: "{")
  }

  /// Reads a line that is a JSON object.
  ///
  /// - Parameters:
  ///   - mayHaveInstant: whether `at` is allowed.
  ///   - id: becomes what the caller calls the line, also of one that is wrong.
  /// - Throws: ``/MediaToken/Problem``, which says nothing about a token, and names a member but never a value.
  package static func parse(
    _ line: Span<UInt8>, mayHaveInstant: Bool = true, id: inout BatchLineID?
  ) throws(Problem) -> BatchLine {
    let object = try Self.object(line)
    let given = BatchLineID(object)
    guard given?.isShort != false else { throw Problem("id is longer than \(longestID) bytes") }
    id = given
    let requestor = try filled("requestor", object).map { ExactText($0) }
    let resource = try resource(object)
    guard mayHaveInstant || !object.has("at") else {
      throw Problem("at is not allowed with a shared replay memory, where the system's clock decides")
    }
    let instant = try Self.instant(object)
    let label = BatchLineLabel(id: id, other: try otherVerdict(object))
    guard object.has("token") != object.has("tokenBase64") else {
      throw Problem("the line needs one of token and tokenBase64, and not both")
    }
    let decoded = object.has("token") ? nil : try decodedToken(object)
    return BatchLine(
      object, decoded, label, LineExpectation(requestor: requestor, resource: resource, instant: instant))
  }

  private init(
    _ object: consuming FlatJSONObject, _ decoded: [UInt8]?, _ label: BatchLineLabel, _ expectation: LineExpectation
  ) {
    self.object = object
    self.decoded = decoded
    self.label = label
    self.expectation = expectation
  }

  package func withToken<Value, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if let decoded { return try body(decoded.span) }
    guard let token = object["token"] else { return try body([UInt8]().span) }
    return try body(token)
  }

  private static func object(_ line: Span<UInt8>) throws(Problem) -> FlatJSONObject {
    try rethrow(FlatJSONObject(parsing: line, members: members, integers: ["id"])) { (error: JSONError) in
      Problem(
        error.column.map { "column \($0): \(error.sentence)" } ?? error.sentence,
        code: error.isOutOfMemory ? Fault.outOfMemory.answer.wireName : nil)
    }
  }

  private static func filled(
    _ name: String, _ object: borrowing FlatJSONObject
  ) throws(Problem) -> String? {
    let text = object.string(name)
    guard text != "" else { throw Problem("\(name) is empty", cure: "leave it out to use the batch's own") }
    return text
  }

  private static func resource(_ object: borrowing FlatJSONObject) throws(Problem) -> ExpectedResource? {
    let (exact, document, channel) = try (
      filled("resource", object), filled("resourceDocument", object), filled("resourceChannel", object)
    )
    return try ExpectedResource.oneOf(
      exact: exact, document: document, channel: channel,
      several: Problem(
        "the line has more than one of resource, resourceDocument and resourceChannel", cure: "give one"))
  }

  private static func instant(_ object: borrowing FlatJSONObject) throws(Problem) -> Instant? {
    guard let text = object.string("at") else { return nil }
    guard let instant = Instant(written: text) else {
      throw Problem("at is neither ISO 8601 with an offset nor milliseconds since 1970")
    }
    return instant
  }

  private static func otherVerdict(_ object: borrowing FlatJSONObject) throws(Problem) -> OtherVerdict? {
    guard let name = object.string("expected") else { return nil }
    guard let verdict = OtherVerdict(name) else {
      throw Problem("expected is neither a verdict's name nor one of Adobe's codes")
    }
    return verdict
  }

  private static var notBase64: Problem { Problem("tokenBase64 is not padded base64") }

  private static func decodedToken(_ object: borrowing FlatJSONObject) throws(Problem) -> [UInt8] {
    guard let text = object["tokenBase64"], !text.isEmpty else { return [] }
    // In an envelope a space means +; here it is a mistake.
    for index in text.indices where text[index] == UInt8(ascii: " ") {
      throw notBase64
    }
    var bytes = [UInt8](repeating: 0, count: text.count)
    var output = bytes.mutableSpan
    let count = try rethrow(Base64.decode(text, as: .signature, into: &output)) { (_: Base64.Failure) in notBase64 }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}

/// The line's own expectations of its token; nil: as the batch.
package struct LineExpectation: Sendable {
  package var requestor: ExactText?
  package var resource: ExpectedResource?
  package var instant: Instant?
}

/// The parts of a line that an answer repeats, or is compared with.
package struct BatchLineLabel: Sendable, Hashable {
  /// The caller's name of the line; comes back in the answer.
  package var id: BatchLineID?
  /// Another verifier's verdict on the token.
  package var other: OtherVerdict?

  package init(id: BatchLineID? = nil, other: OtherVerdict? = nil) { (self.id, self.other) = (id, other) }
}

/// The caller's name of a line: a text or an integer, which comes back as it came.
package enum BatchLineID: Sendable, Hashable {
  case text(String)
  case integer(Int64)

  fileprivate var isShort: Bool {
    switch self {
    case .text(let text): text.utf8.count <= BatchLine.longestID
    case .integer: true
    }
  }

  init?(_ object: borrowing FlatJSONObject) {
    if let text = object.string("id") {
      self = .text(text)
    } else if let integer = object.integer("id") {
      self = .integer(integer)
    } else {
      return nil
    }
  }
}
