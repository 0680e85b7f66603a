internal import MediaToken
internal import MediaTokenSystem

/// The requirements for a token.
struct Expectation: Sendable {
  let verifier: TokenPath
  var requestor: ExpectedRequestor
  var resource: ExpectedResource
  /// Nil: a used token is exchanged for nothing.
  var handover: Handover?
}

extension RequestError {
  // Errors of a request that does not say what to expect where only it can.
  fileprivate static let requestorMissing = parameter("requestor is missing, and several are served")
  fileprivate static let resourceMissing = parameter(
    "resource is missing, and the requestor does not have just one")
  /// Every token's is.
  static let resourceNotText = parameter("resource is not UTF-8")

  /// The resource is not a document, or not a channel's id, or there is no memory to read it.
  static func expectedResource(_ error: ResourceDocumentError) -> RequestError {
    error.fault.map { .undecided($0) } ?? .parameter("the expected resource cannot be used: \(error)")
  }
}

extension ServingState {
  /// A requestor that is not on the list, or a resource that is not on the tenant's, matches no token. So a forged or
  /// expired token is still called that, a good one is for another requestor or resource, and none is spent.
  ///
  /// A tenant hands over at `/v1/verify` and a route, which the caller knows, at `/v1/auth`.
  ///
  /// - Throws: the question's missing values, if only it can give them; also a fault.
  func expectation(_ question: borrowing Question, at endpoint: Endpoint) throws(RequestError) -> Expectation {
    guard let tenant = try tenant(question) else {
      try question.resource.check()
      return Expectation(verifier: verifier.path, requestor: .noMatch, resource: .noMatch)
    }
    let resource = try resource(question, of: tenant)
    return Expectation(
      verifier: tenant.verifier, requestor: .exactly(tenant.requestor), resource: resource,
      handover: endpoint == .verify ? tenant.handover : nil)
  }

  /// Nil if the requestor is not on the list.
  private func tenant(_ question: borrowing Question) throws(RequestError) -> Tenant? {
    if question.requestor.isGiven { return question.requestor.index(in: requestors).map { tenants[$0] } }
    guard tenants.count == 1 else { throw .requestorMissing }
    return tenants[0]
  }

  private func resource(
    _ question: borrowing Question, of tenant: Tenant
  ) throws(RequestError) -> ExpectedResource {
    switch tenant.resources {
    case .every:
      guard question.resource.isGiven else { throw .resourceMissing }
      return try question.resource.expected()
    case .listed(let listed):
      guard question.resource.isGiven else {
        guard listed.names.count == 1 else { throw .resourceMissing }
        return .exactly(listed.names[0])
      }
      if let index = question.resource.index(in: listed) { return .exactly(listed.names[index]) }
      try question.resource.check()
      return .noMatch
    case .one(let one):
      guard question.resource.isGiven else { return one }
      let asked = try question.resource.expected()
      return try rethrow(one.admits(asked), as: RequestError.undecided) ? asked : .noMatch
    }
  }
}
