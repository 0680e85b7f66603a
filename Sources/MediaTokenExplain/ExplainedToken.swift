package import MediaToken
package import MediaTokenDecision

/// A token explained: the verdict, and what each step expected and found. No token was used up.
package struct ExplainedToken: Sendable {
  /// The row of the verdict table: what a verification would have answered at this moment.
  package let answer: Answer
  /// What to do next.
  package let action: Action
  /// The rule that was broken; nil for a valid token.
  let reason: Reason?
  /// What is wrong, for people.
  let detail: String?
  package let explanation: Explanation
  /// What the replay memory would say; nil if it was not looked at.
  let use: ExplainedUse?
  /// Whether one use is enforced.
  let isUseEnforced: Bool
  /// What came of the comparison with a decision, if the token came in one.
  package let decision: DecisionReport?
  /// Takes a token along steps 1 to 6, with an observer, and looks at the replay memory.
  ///
  /// - Parameter asked: what the question said about requestor and resource; what it did not say was taken from the token, and
  ///   compared with nothing.
  /// - Throws: a fault: then there is no verdict.
  package init(
    _ token: Span<UInt8>, with verifier: TokenVerifier, requestor: ExpectedRequestor, resource: ExpectedResource,
    asked: AskedBinding = .both, at now: Instant, lookingAt memory: LookedAtMemory, from decision: Decision? = nil
  ) throws(UnexplainedToken) {
    var explanation = Explanation(verifier, requestor: requestor, resource: resource, asked: asked, at: now)
    var verdict: (answer: Answer, action: Action) = (Verdict.validToken.answer, .nothing)
    var (reason, detail): (Reason?, String?) = (nil, nil)
    do throws(Refusal) {
      _ = try verifier.qualify(token, requestor: requestor, resource: resource, at: now, observer: &explanation)
        .leave()
    } catch {
      switch error {
      case .undecided(let fault): throw UnexplainedToken(fault: fault)
      case .rejected(let rejection):
        explanation.refused(rejection)
        verdict = (error.answer, error.action)
        (reason, detail) = (rejection.reason, rejection.detail)
      }
    }
    use = explanation.explainOneUse(in: memory)
    if let use {
      guard use.decision != nil else { throw UnexplainedToken(fault: use.fault, findings: use.findings) }
      if let found = use.reason {
        verdict = (found.verdict.answer, found.action)
        (reason, detail) = (found, found.sentence)
      }
    }
    (answer, action) = verdict
    (self.reason, self.detail) = (reason, detail)
    isUseEnforced = if case .none = memory { false } else { true }
    self.decision = decision.map { explanation.compare($0) }
    self.explanation = explanation
  }

  /// The sentence to tell the viewer.
  package var viewerSentence: String { reason?.viewerSentence ?? Action.nothing.viewerSentence }
}

/// Why there is no explanation: a fault on this side, which says nothing about the token.
package struct UnexplainedToken: Error {
  package let fault: Fault
  /// What was found at the seats of a fleet.
  package var findings: [String] = []
}

/// What a question says by itself of what the token must be for.
package struct AskedBinding: Sendable, Hashable {
  package var requestor: Bool
  package var resource: Bool

  package init(requestor: Bool, resource: Bool) { (self.requestor, self.resource) = (requestor, resource) }

  /// Everything, also where a configuration says it.
  package static let both = AskedBinding(requestor: true, resource: true)
}
