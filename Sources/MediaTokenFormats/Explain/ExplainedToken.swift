package import MediaToken

/// A token explained: the outcome of a verification, and the expected and found values of each step. No token was used
/// up.
package struct ExplainedToken: Sendable {
  package let conclusion: Conclusion
  package let explanation: Explanation
  /// Nil if the replay memory was not looked at.
  let use: ExplainedUse?
  let isUseEnforced: Bool
  /// Nil if the token came in no decision.
  package let decision: DecisionReport?
  /// A token inside the received text, explained by itself: at most one. It is no verdict on the received text.
  package let inside: [ExplainedToken]

  /// The outcome that a verification would have had at this moment.
  package enum Conclusion: Sendable, Hashable {
    /// It would be accepted as it was asked about.
    case valid
    /// The broken rule, and the fact, for people.
    case refused(Reason, String)
    /// No rule is broken, but these names were compared with nothing: there is no verdict.
    case notCompared([BoundName])
    /// A fault on this side: there is no verdict.
    case undecided(Fault)
  }

  /// Takes a token along steps 1 to 6, with an observer, and looks at the replay memory. `asked`: the names that the
  /// question gave; the other ones were taken from the token, and compared with nothing. `wording`: the reader's.
  package init(
    _ token: Span<UInt8>, with verifier: TokenPath, requestor: ExpectedRequestor, resource: ExpectedResource,
    asked: AskedBinding = .both, at now: Instant, peekingAt memory: PeekedMemory, from decision: Decision? = nil,
    in wording: Wording
  ) {
    var explanation = Explanation(
      verifier, requestor: requestor, resource: resource, asked: asked, at: now, in: wording)
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
            peekingAt: memory, in: wording)
          explanation.add([.inside(found.conclusion)])
          inside = [found]
        }
      }
    }
    use = explanation.explainOneUse(in: memory)
    if let found = use?.reason {
      conclusion = .refused(found, found.sentence)
    } else if let use, use.decision == nil {
      conclusion = .undecided(use.fault)
    }
    self.conclusion = conclusion
    isUseEnforced = if case .none = memory { false } else { true }
    self.decision = decision.map { explanation.compare($0) }
    self.inside = inside
    self.explanation = explanation
  }

  /// Nil as long as names are not compared.
  package var answer: Answer? {
    switch conclusion {
    case .valid: Verdict.validToken.answer
    case .refused(let reason, _): reason.verdict.answer
    case .notCompared: nil
    case .undecided(let fault): fault.answer
    }
  }

  /// Nil as long as names are not compared.
  var action: Action? {
    switch conclusion {
    case .valid: .nothing
    case .refused(let reason, _): reason.action
    case .notCompared: nil
    case .undecided(let fault): fault.action
    }
  }

  /// Nil as long as names are not compared: nothing may be said to be right then.
  package var viewerSentence: String? {
    isLongWait ? Action.report.viewerSentence : reason?.viewerSentence ?? action?.viewerSentence
  }

  /// True if a viewer cannot wait until the token is accepted.
  var isLongWait: Bool { reason == .issuedInFuture && (explanation.life?.wait ?? 0) > 60_000 }

  package var reason: Reason? {
    if case .refused(let reason, _) = conclusion { reason } else { nil }
  }

  /// For people.
  var detail: String? {
    if case .refused(_, let detail) = conclusion { detail } else { nil }
  }

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

  /// Nil where the replay memory does not know it.
  package var firstUsed: Instant? {
    guard let second = use?.firstUseSecond, second > 0, second < .max / 1000 else { return nil }
    return Instant(millisecondsSinceEpoch: second * 1000)
  }

  package var findings: [String] { use?.findings ?? [] }
}

/// The names that a question gives of those that a token is bound to.
package struct AskedBinding: Sendable, Hashable {
  package var requestor: Bool
  package var resource: Bool

  package init(requestor: Bool, resource: Bool) { (self.requestor, self.resource) = (requestor, resource) }

  /// The names that the question leaves out.
  var open: [BoundName] { (requestor ? [] : [.requestor]) + (resource ? [] : [.resource]) }

  package static let none = AskedBinding(requestor: false, resource: false)
  /// Also where a configuration gives them.
  package static let both = AskedBinding(requestor: true, resource: true)
}
