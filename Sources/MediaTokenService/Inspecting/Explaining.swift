internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

extension ServingState {
  /// Explains a token by the keys and the rules of this state.
  ///
  /// - Parameters:
  ///   - document: where the token is, unless the question has it.
  ///   - any: which of the two names may be any, where neither the question nor the configuration says it; else a name that only the
  ///     token says is compared with nothing, and leaves no verdict.
  /// - Throws: what is wrong with the question, a decision without a token, or a fault that kept it from being read.
  func explain(
    _ question: inout Question, from document: DecisionDocument?, any: AskedBinding = .none,
    at now: Instant = .now, peekingAt memory: PeekedMemory
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
      asked: asked, at: now, peekingAt: memory, from: decision)
  }

  /// Takes the token out of a decision.
  ///
  /// - Throws: 400 if there is not exactly one, 403 if it has no token, 503 for a fault.
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

  /// What a token is checked against. What neither the question nor the configuration says is what the token itself names: so
  /// a person need not know it, and the token is explained by the rules of the tenant that it is for.
  ///
  /// Only what a trusted key signed is read for that. A token that does not come so far is explained as one for an unknown tenant,
  /// of which no field is looked at.
  ///
  /// - Returns: also what the question or the configuration said by itself.
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

  /// The requestor and resource that a token names; nil unless a trusted key signed them, and they can be read.
  ///
  /// - Throws: a fault.
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

/// Sees what a token names once step 4 is passed, and nothing before.
private struct SignedNames: PathObserver {
  private(set) var requestor = ExactText("")
  private(set) var resource = ExactText("")
  private(set) var areRead = false

  mutating func passedFields(_ fields: TokenFields) {
    (requestor, resource, areRead) = (fields.requestorID, fields.resourceID, true)
  }
}
