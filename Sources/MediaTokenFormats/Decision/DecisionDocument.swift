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
  package init(parsing text: Span<UInt8>) throws(DecisionError) {
    guard text.count <= Self.mostBytes else { throw .tooLong }
    try self.init(rethrow(LocatedJSON(parsing: text, levels: Self.mostLevels), as: DecisionError.json))
  }

  /// The other text, whose value the document is, bounds its size and its levels.
  package init(_ json: LocatedJSON) throws(DecisionError) {
    guard let list = json["decisions"] else {
      guard let code = try json.text("code") else { throw json["serializedToken"] == nil ? .noDecisions : .restV1 }
      (decisions, error) = ([], NoToken(code: code))
      return
    }
    guard case .array(let elements) = list.value else { throw .type("decisions", "an array", found: list) }
    var decisions: [Decision] = []
    for element in elements { decisions.append(try Decision(element)) }
    (self.decisions, error) = (decisions, nil)
  }

  /// The one decision about this resource, by the rule that holds for a token's own resource, or Adobe's error instead of
  /// all. The document's word is unsigned: the token must be verified for the same resource afterwards.
  package func answer(for resource: ExpectedResource) throws(DecisionError) -> DecisionAnswer {
    if let error { return .noToken(error) }
    var meant: [Decision] = []
    for decision in decisions where try decision.isFor(resource) { meant.append(decision) }
    guard let decision = meant.first, meant.count == 1 else {
      throw meant.isEmpty ? .noneForResource(of: decisions.count) : .several(meant.count)
    }
    return decision.answer
  }
}

package enum DecisionAnswer: Sendable, Redacted {
  /// A received text that is to be verified, and the decision that it came in.
  case token(String, Decision)
  case noToken(NoToken)
}
