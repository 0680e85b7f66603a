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

  /// `mayHaveInstant`: `at` is allowed. An error names a member but never a value.
  package static func parse(_ line: Span<UInt8>, mayHaveInstant: Bool = true) throws(BatchLineError) -> BatchLine {
    let object = try Self.object(line)
    let id = BatchLineID(object)
    guard id?.isShort != false else { throw BatchLineError(.longID, id: nil) }
    let requestor = try filled("requestor", object).map { ExactText($0) }
    let resource = try resource(object)
    guard mayHaveInstant || !object.has("at") else { throw BatchLineError(.instantForbidden, id: id) }
    let instant = try Self.instant(object)
    let label = BatchLineLabel(id: id, other: try otherVerdict(object))
    guard object.has("token") != object.has("tokenBase64") else { throw BatchLineError(.token, id: id) }
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

  private static func object(_ line: Span<UInt8>) throws(BatchLineError) -> FlatJSONObject {
    try rethrow(FlatJSONObject(parsing: line, members: members, integers: ["id"])) { (error: JSONError) in
      BatchLineError(.json(error), id: nil)
    }
  }

  private static func filled(
    _ name: String, _ object: borrowing FlatJSONObject
  ) throws(BatchLineError) -> String? {
    let text = object.string(name)
    guard text != "" else { throw BatchLineError(.empty(name), id: BatchLineID(object)) }
    return text
  }

  private static func resource(_ object: borrowing FlatJSONObject) throws(BatchLineError) -> ExpectedResource? {
    let (exact, document, channel) = try (
      filled("resource", object), filled("resourceDocument", object), filled("resourceChannel", object)
    )
    let id = BatchLineID(object)
    return try rethrow(ExpectedResource.oneOf(exact: exact, document: document, channel: channel)) {
      (error: ResourceChoiceError) in
      BatchLineError(.resource(error), id: id)
    }
  }

  private static func instant(_ object: borrowing FlatJSONObject) throws(BatchLineError) -> Instant? {
    guard let text = object.string("at") else { return nil }
    guard let instant = Instant(written: text) else { throw BatchLineError(.instant, id: BatchLineID(object)) }
    return instant
  }

  private static func otherVerdict(_ object: borrowing FlatJSONObject) throws(BatchLineError) -> OtherVerdict? {
    guard let name = object.string("expected") else { return nil }
    guard let verdict = OtherVerdict(name) else { throw BatchLineError(.otherVerdict, id: BatchLineID(object)) }
    return verdict
  }

  private static func decodedToken(_ object: borrowing FlatJSONObject) throws(BatchLineError) -> [UInt8] {
    guard let text = object["tokenBase64"], !text.isEmpty else { return [] }
    // In an envelope a space means +; here it is a mistake.
    for index in text.indices where text[index] == UInt8(ascii: " ") {
      throw BatchLineError(.base64, id: BatchLineID(object))
    }
    var bytes = [UInt8](repeating: 0, count: text.count)
    var output = bytes.mutableSpan
    let id = BatchLineID(object)
    let count = try rethrow(Base64.decode(text, as: .signature, into: &output)) { (_: Base64.Failure) in
      BatchLineError(.base64, id: id)
    }
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

/// The reason why a line of a batch is malformed. Says nothing about a token.
package struct BatchLineError: Error, Sendable, Hashable, CustomStringConvertible {
  package let problem: Problem
  /// Nil if the line has none, or it could not be read.
  package let id: BatchLineID?

  init(_ problem: Problem, id: BatchLineID?) {
    self.problem = problem
    self.id = id
  }

  package enum Problem: Sendable, Hashable {
    case json(JSONError)
    /// Neither `token` nor `tokenBase64`, or both.
    case token
    /// `tokenBase64` is not padded base64.
    case base64
    case longID
    /// An expectation that no token can meet.
    case empty(String)
    /// More than one member has the resource, or the one is not a document, or not a channel's id.
    case resource(ResourceChoiceError)
    case instant
    /// `at` is given where the caller may not choose the instant.
    case instantForbidden
    /// `expected` is not the name of a verdict.
    case otherVerdict
    case tooLong
    /// A plain token with U+FEFF before it, as some editors write one into a file.
    case byteOrderMark
  }

  /// A fault on our side: then nothing is known of the line.
  package var fault: Fault? {
    switch problem {
    case .resource(.text(let error)): error.fault
    case .json(let error): error.isOutOfMemory ? .outOfMemory : nil
    default: nil
    }
  }

  /// The line was not read.
  package static let tooLong = BatchLineError(.tooLong, id: nil)

  static let byteOrderMark = BatchLineError(.byteOrderMark, id: nil)

  package var description: String {
    switch problem {
    case .json(let error):
      error.column.map { "column \($0): \(error.sentence)" } ?? error.sentence
    case .token: "the line needs one of token and tokenBase64, and not both"
    case .base64: "tokenBase64 is not padded base64"
    case .longID: "id is longer than \(BatchLine.longestID) bytes"
    case .empty(let name): "\(name) is empty; leave it out to use the batch's own"
    case .resource(.several):
      "the line has more than one of resource, resourceDocument and resourceChannel; give one"
    case .resource(.text(let error)): "the expected resource cannot be used: \(error)"
    case .instant: "at is neither ISO 8601 with an offset nor milliseconds since 1970"
    case .instantForbidden: "at is not allowed with a shared replay memory, where the system's clock decides"
    case .otherVerdict: "expected is neither a verdict's name nor one of Adobe's codes"
    case .byteOrderMark: JSONError.Problem.byteOrderMark.sentence
    case .tooLong: "the line is longer than \(BatchLine.longest) bytes"
    }
  }
}
