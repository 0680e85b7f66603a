internal import MediaToken
internal import MediaTokenSystem

/// Adobe Pass's decision about one resource. All of it is unsigned, except what is inside the token.
package struct Decision: Sendable, Redacted {
  private let resource: ExactText?
  private let isAuthorized: Bool
  private let error: NoToken?
  private let serializedToken: String?
  /// Of any type, because no verdict depends on these members.
  let mvpd, serviceProvider, notBefore, notAfter: JSONTree?

  /// Refused if it is not an object, or a member that decides is of a type other than Adobe documents.
  init(_ json: JSONTree) throws(Problem) {
    try json.requireObject("a decision")
    resource = try json.text("resource").map { ExactText($0) }
    isAuthorized = try json.boolean("authorized") ?? false
    let error = try json.object("error")
    self.error = try error.map { (error) throws(Problem) in NoToken(code: try error.text("code")) }
    let token = try json.object("token")
    serializedToken = try token?.text("serializedToken")
    (mvpd, serviceProvider) = (json["mvpd"], json["serviceProvider"])
    // The decision's own times, outside the token, are those of the authorization, which lives for hours.
    (notBefore, notAfter) = (token?["notBefore"], token?["notAfter"])
  }

  func isFor(_ expected: ExpectedResource) throws(Problem) -> Bool {
    if case .anyResource = expected { return true }
    guard let resource else { return false }
    return try rethrow(expected.matches(resource)) { (fault: Fault) in
      let name = fault.answer.wireName
      return Problem("the resource of a decision could not be read (\(name))", code: name)
    }
  }

  /// The token, if nothing contradicts it: one that comes with a denial or an error is ignored.
  var answer: DecisionAnswer {
    if let error { return .noToken(error) }
    guard isAuthorized, let serializedToken else { return .noToken(NoToken(code: nil)) }
    return .token(serializedToken, self)
  }
}

extension JSONTree {
  /// The problem of a member that has a type other than Adobe documents. It is named; its value never is, because a document
  /// holds tokens.
  func isNot(_ expected: String, _ member: StaticString) -> Problem {
    let found =
      switch value {
      case .integer, .real: "a number"
      case .boolean: "true or false"
      case .object, .array, .string, .null: value.kind
      }
    return Problem("expected \(expected) in \(member), found \(found)")
  }

  func requireObject(_ name: StaticString) throws(Problem) {
    guard case .object = value else { throw isNot("an object", name) }
  }

  /// Nil if the member is absent.
  func text(_ name: StaticString) throws(Problem) -> String? {
    guard let member = self["\(name)"] else { return nil }
    guard case .string(let text) = member.value else { throw member.isNot("a string", name) }
    return text
  }

  /// Nil if the member is absent.
  func boolean(_ name: StaticString) throws(Problem) -> Bool? {
    guard let member = self["\(name)"] else { return nil }
    guard case .boolean(let value) = member.value else { throw member.isNot("true or false", name) }
    return value
  }

  /// Nil if the member is absent or null.
  func object(_ name: StaticString) throws(Problem) -> JSONTree? {
    guard let member = self["\(name)"] else { return nil }
    if case .null = member.value { return nil }
    try member.requireObject(name)
    return member
  }
}
