package import MediaToken

/// A token explained: what a verification would come to, and what each step expected and found. No token was used up.
package struct ExplainedToken: Sendable {
  package let conclusion: Conclusion
  package let explanation: Explanation
  /// What the replay memory would say; nil if it was not looked at.
  let use: ExplainedUse?
  /// Whether one use is enforced.
  let isUseEnforced: Bool
  /// What came of the comparison with a decision, if the token came in one.
  package let decision: DecisionReport?
  /// A token inside of what was sent, explained by itself: at most one. It is no verdict on what was sent.
  package let inside: [ExplainedToken]

  /// What a verification would have come to at this moment.
  package enum Conclusion: Sendable, Hashable {
    /// It would be accepted as it was asked about.
    case valid
    /// The rule that is broken, and what is wrong, for people.
    case refused(Reason, String)
    /// No rule is broken, but these names were compared with nothing: there is no verdict.
    case notCompared([String])
    /// A fault on this side: there is no verdict.
    case undecided(Fault)
  }

  /// Takes a token along steps 1 to 6, with an observer, and looks at the replay memory.
  ///
  /// - Parameter asked: what the question said about requestor and resource; what it did not say was taken from the token, and
  ///   compared with nothing.
  package init(
    _ token: Span<UInt8>, with verifier: TokenPath, requestor: ExpectedRequestor, resource: ExpectedResource,
    asked: AskedBinding = .both, at now: Instant, peekingAt memory: PeekedMemory, from decision: Decision? = nil
  ) {
    var explanation = Explanation(verifier, requestor: requestor, resource: resource, asked: asked, at: now)
    var conclusion: Conclusion = asked == .both ? .valid : .notCompared(asked.open)
    var inside: [ExplainedToken] = []
    do throws(Refusal) {
      _ = try verifier.qualify(token, requestor: requestor, resource: resource, at: now, observer: &explanation)
        .leave()
    } catch {
      switch error {
      case .undecided, .cancelled:
        explanation.stopped()
        conclusion = .undecided(error.fault ?? .internalFault)
      case .rejected(let rejection):
        explanation.refused(rejection)
        conclusion = .refused(rejection.reason, rejection.detail)
        if let text = explanation.noteCause(of: token) {
          let found = ExplainedToken(
            text.span, with: verifier, requestor: requestor, resource: resource, asked: asked, at: now,
            peekingAt: memory)
          explanation.noteFailure([("inside", found.asInside)], next: [])
          inside = [found]
        }
      }
    }
    use = explanation.explainOneUse(in: memory)
    if let use {
      if let found = use.reason {
        conclusion = .refused(found, found.sentence)
      } else if use.decision == nil {
        conclusion = .undecided(use.fault)
      }
    }
    self.conclusion = conclusion
    isUseEnforced = if case .none = memory { false } else { true }
    self.decision = decision.map { explanation.compare($0) }
    self.inside = inside
    self.explanation = explanation
  }

  /// The row of the table of verdicts and faults; nil as long as names are not compared.
  package var answer: Answer? {
    switch conclusion {
    case .valid: Verdict.validToken.answer
    case .refused(let reason, _): reason.verdict.answer
    case .notCompared: nil
    case .undecided(let fault): fault.answer
    }
  }

  /// What to do next; nil as long as names are not compared.
  var action: Action? {
    switch conclusion {
    case .valid: .nothing
    case .refused(let reason, _): reason.action
    case .notCompared: nil
    case .undecided(let fault): fault.action
    }
  }

  /// The sentence to tell the viewer; nil as long as names are not compared: nothing may be said to be right then.
  package var viewerSentence: String? { reason?.viewerSentence ?? action?.viewerSentence }

  /// The rule that is broken, if one is.
  package var reason: Reason? {
    if case .refused(let reason, _) = conclusion { reason } else { nil }
  }

  /// What is wrong, for people.
  var detail: String? {
    if case .refused(_, let detail) = conclusion { detail } else { nil }
  }

  /// What it is called as a part of another text.
  private var asInside: String {
    switch conclusion {
    case .valid: "a token that passes each step if it is sent by itself"
    case .refused(let reason, let detail): "a token that is refused by itself, too: \(reason.rawValue), \(detail)"
    case .notCompared, .undecided: "a token"
    }
  }

  /// What a look at the replay memory says.
  enum UseState: String {
    case unused, used, unknown
    case notEnforced = "not-enforced"
  }

  var useState: UseState {
    guard isUseEnforced else { return .notEnforced }
    switch use?.decision {
    case .granted(.first): return .unused
    case .alreadyUsed, .granted(.retry): return .used
    case .granted(.notEnforced), .expired, .predatesMemory, nil: return .unknown
    }
  }

  /// When the token was used first, where the replay memory knows it.
  package var firstUsed: Instant? {
    guard let second = use?.firstUseSecond, second > 0, second < .max / 1000 else { return nil }
    return Instant(millisecondsSinceEpoch: second * 1000)
  }

  /// What was found at the replay memory, if it was looked at.
  package var findings: [String] { use?.findings ?? [] }
}

/// What a question says by itself of what the token must be for.
package struct AskedBinding: Sendable, Hashable {
  package var requestor: Bool
  package var resource: Bool

  package init(requestor: Bool, resource: Bool) { (self.requestor, self.resource) = (requestor, resource) }

  /// What it does not say, by name.
  var open: [String] { (requestor ? [] : ["requestor"]) + (resource ? [] : ["resource"]) }

  /// Nothing.
  package static let none = AskedBinding(requestor: false, resource: false)
  /// Everything, also where a configuration says it.
  package static let both = AskedBinding(requestor: true, resource: true)
}
