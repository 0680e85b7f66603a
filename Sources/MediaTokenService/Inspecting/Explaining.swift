internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

extension ServingState {
  /// Explains a token by the keys and the rules of this state. The token is in the document, unless the question has
  /// it.
  ///
  /// `any`: the names that may be any, where neither the question nor the configuration gives them; otherwise a name
  /// that only the token gives is compared with nothing, and leaves no verdict.
  ///
  /// - Throws: the question's error, a decision without a token, or a fault that kept it from being read.
  func explain(
    _ question: inout Question, from document: DecisionDocument?, any: AskedBinding = .none,
    at now: Instant = .now, peekingAt memory: PeekedMemory, in wording: Wording
  ) throws(RequestError) -> ExplainedToken {
    let decision = try document.map { (document) throws(RequestError) in try choose(from: document, &question) }
    // A copy, because the question is completed by it.
    let token = question.token
    var (expectation, asked) = try expectation(&question, orOf: token, at: now)
    if any.requestor, !asked.requestor {
      if expectation.requestor != .noMatch { expectation.requestor = .anyRequestor }
      asked.requestor = true
    }
    if any.resource, !asked.resource {
      if expectation.resource != .noMatch { expectation.resource = .anyResource }
      asked.resource = true
    }
    return ExplainedToken(
      token.span, with: expectation.verifier, requestor: expectation.requestor, resource: expectation.resource,
      asked: asked, at: now, peekingAt: memory, from: decision, in: wording)
  }

  /// Throws 400 if there is not exactly one token, 403 if the decision has none, 503 for a fault.
  private func choose(
    from document: DecisionDocument, _ question: inout Question
  ) throws(RequestError) -> Decision {
    var resource = ExpectedResource.anyResource
    if question.resource.isGiven {
      resource = try question.resource.expected()
    } else if let expectation = try? expectation(question, at: .verify), expectation.resource != .noMatch {
      resource = expectation.resource
    }
    switch try rethrow(document.answer(for: resource), as: RequestError.ofDecision) {
    case .token(let text, let decision):
      question.take(token: text.utf8Span.span)
      return decision
    case .noToken(let noToken): throw .noTokenInDecision(noToken)
    }
  }

  /// The requirements for a token. Names that neither the question nor the configuration gives are those of the token
  /// itself: so a person need not know them, and the token is explained by the rules of the tenant that it is for. The
  /// result says which names the question or the configuration gave.
  ///
  /// Only the bytes that a trusted key signed are read for that. A token that does not come so far is explained as one
  /// for an unknown tenant, of which no field is looked at.
  private func expectation(
    _ question: inout Question, orOf token: [UInt8], at now: Instant
  ) throws(RequestError) -> (Expectation, AskedBinding) {
    var asked = AskedBinding(
      requestor: question.requestor.isGiven || tenants.count == 1, resource: question.resource.isGiven)
    if !asked.resource, asked.requestor, (try? expectation(question, at: .verify)) != nil { asked.resource = true }
    guard asked != .both else { return (try expectation(question, at: .verify), asked) }
    // What can't be read is an error, whatever the token is.
    if question.resource.isGiven { _ = try question.resource.expected() }
    guard let names = try signedNames(of: token, at: now) else {
      return (Expectation(verifier: verifier.path, requestor: .noMatch, resource: .noMatch), asked)
    }
    if !asked.requestor { _ = question.requestor.set(Array(names.requestor.text.utf8).span) }
    if !asked.resource {
      if (try? expectation(question, at: .verify)) != nil {
        // The tenant has just one.
        asked.resource = question.requestor.index(in: requestors) != nil
      } else {
        _ = question.resource.set(.exact, Array(names.resource.text.utf8).span)
      }
    }
    return (try expectation(question, at: .verify), asked)
  }

  /// Nil unless a trusted key signed the names, and they can be read.
  private func signedNames(of token: [UInt8], at now: Instant) throws(RequestError) -> SignedNames? {
    var names = SignedNames()
    do throws(Refusal) {
      // An unknown tenant's token: it ends in step 6 at the latest.
      _ = try verifier.path.qualify(token.span, requestor: .noMatch, resource: .noMatch, at: now, observer: &names)
        .leave()
    } catch {
      if case .undecided(let fault) = error { throw .undecided(fault) }
    }
    return names.areRead ? names : nil
  }
}

/// Sees a token's names once step 4 is passed, and nothing before.
private struct SignedNames: PathObserver {
  private(set) var requestor = ExactText("")
  private(set) var resource = ExactText("")
  private(set) var areRead = false

  mutating func passedFields(_ fields: TokenFields) {
    (requestor, resource, areRead) = (fields.requestorID, fields.resourceID, true)
  }
}
