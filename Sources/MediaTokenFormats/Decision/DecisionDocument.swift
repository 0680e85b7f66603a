package import MediaToken
internal import MediaTokenSystem

/// Adobe Pass's answer to `POST /api/v2/{serviceProvider}/decisions/authorize/{mvpd}` of its REST API v2.
///
/// Nothing in it is signed but the tokens. So it says which token is to be verified, and nothing else that it says can change
/// the verdict (the article HowATokenArrives of MediaToken).
package struct DecisionDocument: Sendable {
  /// The longest document where no other limit holds.
  package static let mostBytes = 1_048_576
  /// Objects and arrays inside each other, the document itself counted. Adobe's have four.
  package static let mostLevels = 32

  private let decisions: [Decision]
  /// Adobe's answer instead of decisions.
  private let error: NoToken?

  /// A document that is broken is not a verdict on a token.
  package init(parsing text: Span<UInt8>) throws(Problem) {
    guard text.count <= Self.mostBytes else {
      throw Problem("the document is longer than \(Self.mostBytes) bytes", cure: "send Adobe's answer alone")
    }
    try self.init(rethrow(JSONTree(parsing: text, levels: Self.mostLevels), as: Self.broken))
  }

  /// The other text, whose value the document is, bounds its size and its levels.
  package init(_ json: JSONTree) throws(Problem) {
    guard let list = json["decisions"] else {
      guard let code = try json.text("code") else {
        guard json["serializedToken"] == nil else {
          throw Problem(
            "it is an answer of REST API v1, and no decision",
            cure: "send the value of its member serializedToken as the token")
        }
        throw Problem("there are neither decisions nor Adobe's error with its code")
      }
      (decisions, error) = ([], NoToken(code: code))
      return
    }
    guard case .array(let elements) = list.value else { throw list.isNot("an array", "decisions") }
    var decisions: [Decision] = []
    for element in elements { decisions.append(try Decision(element)) }
    (self.decisions, error) = (decisions, nil)
  }

  /// The problem of a document that is not strict JSON.
  package static func broken(_ error: JSONError) -> Problem {
    Problem(
      error.description, cure: "send Adobe's answer byte for byte",
      code: error.isOutOfMemory ? Fault.outOfMemory.answer.wireName : nil)
  }

  /// The one decision about this resource, by the rule that holds for a token's own resource, or Adobe's error instead of
  /// all. The document's word is unsigned: the token must be verified for the same resource afterwards.
  package func answer(for resource: ExpectedResource) throws(Problem) -> DecisionAnswer {
    if let error { return .noToken(error) }
    var meant: [Decision] = []
    for decision in decisions where try decision.isFor(resource) { meant.append(decision) }
    guard let decision = meant.first, meant.count == 1 else {
      throw meant.isEmpty
        ? Problem(
          "none of the decisions is about the resource (\(decisions.count) found)",
          cure: "send the answer about what is to be played")
        : Problem("expected one decision about the resource, found \(meant.count)")
    }
    return decision.answer
  }
}

package enum DecisionAnswer: Sendable, Redacted {
  /// A received text that is to be verified, and the decision that it came in.
  case token(String, Decision)
  case noToken(NoToken)
}
