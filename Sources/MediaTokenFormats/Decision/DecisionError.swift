package import MediaToken

/// The reason why a decision document does not say which token is to be verified. It is not a verdict, and says nothing
/// about a token.
///
/// Members are named, values never: a document holds tokens.
package enum DecisionError: Error, Sendable, Hashable {
  case tooLong
  case json(JSONError)
  /// Neither decisions nor Adobe's error.
  case noDecisions
  /// An answer of the REST API v1, which is a token and no decision.
  case restV1
  /// A member that is read has a type other than Adobe documents.
  case type(member: String, expected: String, found: String, line: Int)
  case noneForResource(of: Int)
  case several(Int)
  /// A fault on our side: nothing is known of the document.
  case undecided(Fault)

  package var fault: Fault? {
    switch self {
    case .undecided(let fault): fault
    case .json(let error): error.isOutOfMemory ? .outOfMemory : nil
    case .tooLong, .noDecisions, .restV1, .type, .noneForResource, .several: nil
    }
  }

  static func type(_ member: StaticString, _ expected: String, found json: LocatedJSON) -> DecisionError {
    .type(member: "\(member)", expected: expected, found: json.value.type, line: json.line)
  }

  /// The fault, and the cure.
  package var description: String {
    switch self {
    case .tooLong: "the document is longer than \(DecisionDocument.mostBytes) bytes; send Adobe's answer alone"
    case .json(let error): "\(error.description); send Adobe's answer byte for byte"
    case .noDecisions: "there are neither decisions nor Adobe's error with its code"
    case .restV1:
      "it is an answer of REST API v1, and no decision; send the value of its member serializedToken as the token"
    case .type(let member, let expected, let found, let line):
      "line \(line): expected \(expected) in \(member), found \(found)"
    case .noneForResource(let count):
      "none of the decisions is about the resource (\(count) found); send the answer about what is to be played"
    case .several(let count): "expected one decision about the resource, found \(count)"
    case .undecided(let fault): "the resource of a decision could not be read (\(fault.answer.wireName))"
    }
  }
}

extension LocatedJSON.Value {
  /// The type's name in messages, which do not repeat the value.
  fileprivate var type: String {
    switch self {
    case .integer, .real: "a number"
    case .boolean: "true or false"
    case .object, .array, .string, .null: kind
    }
  }
}
