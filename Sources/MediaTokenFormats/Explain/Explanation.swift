package import MediaToken

/// Watches a verification, and keeps a report of each step.
package struct Explanation: PathObserver {
  /// In their order.
  package private(set) var reports: [StepReport]
  let verifier: TokenPath
  let requestor: ExpectedRequestor
  let resource: ExpectedResource
  /// The names that were asked, and not taken from the token.
  let asked: AskedBinding
  package let now: Instant
  /// Verified or not.
  private(set) var identity: TokenIdentity?
  /// The first tag of what a trusted key signed.
  private var root: SignedRoot?
  /// A trusted key signed them.
  private(set) var fields: TokenFields?
  /// Nil unless a trusted key signed times that can be read.
  package private(set) var life: ExplainedLife?
  /// True if step 6 refuses nothing: neither the asked names nor the lists of providers.
  private var isBound = false

  init(
    _ verifier: TokenPath, requestor: ExpectedRequestor, resource: ExpectedResource, asked: AskedBinding,
    at now: Instant, in wording: Wording
  ) {
    reports = PathStep.allCases.map { StepReport(step: $0, wording) }
    (self.verifier, self.requestor, self.resource, self.now) = (verifier, requestor, resource, now)
    self.asked = asked
  }

  private subscript(step: PathStep) -> StepReport {
    get { reports[index(of: step)] }
    set { reports[index(of: step)] = newValue }
  }

  private func index(of step: PathStep) -> Int { PathStep.allCases.firstIndex(of: step) ?? 0 }

  // MARK: what is seen

  package mutating func passedArmor(_ form: Armor.Form, receivedBytes: Int, tokenBytes: Int) {
    self[.armor].outcome = .passed
    self[.armor].facts = [.form(form, receivedBytes: receivedBytes, tokenBytes: tokenBytes)]
  }

  package mutating func passedEnvelope(signatureBytes: Int, signedBytes: Int) {
    self[.envelope].outcome = .passed
    self[.envelope].facts = [.envelope(signatureBytes: signatureBytes, signedBytes: signedBytes)]
    self[.signature].facts = [.signature(bytes: signatureBytes, verifier.trustedKeys)]
  }

  package mutating func named(_ identity: TokenIdentity) { self.identity = identity }

  package mutating func passedSignature(over signed: Span<UInt8>, by key: Fingerprint) {
    root = SignedRoot(of: signed)
    self[.signature].outcome = .passed
    self[.signature].facts.append(.signed(by: key, identity))
  }

  package mutating func passedFields(_ fields: TokenFields) {
    self.fields = fields
    self[.fields].outcome = .passed
    self[.fields].facts = [.root(root), .fields(fields)]
    // Of what was not asked any would have passed, except for a name that is not served here.
    let anyRequestor = !asked.requestor && requestor != .noMatch
    let anyResource = !asked.resource && resource != .noMatch
    self[.binding].facts = [
      .names(anyRequestor ? .anyRequestor : requestor, anyResource ? .anyResource : resource, fields)
    ]
  }

  package mutating func parsed(_ lifetime: Lifetime) {
    let life = ExplainedLife(lifetime, verifier.policy, now)
    self.life = life
    self[.lifetime].facts = [.life(life)]
  }

  package mutating func passedLifetime() { self[.lifetime].outcome = .passed }

  /// A name that was compared with itself has not passed.
  package mutating func passedBinding() {
    isBound = true
    if asked == .both { self[.binding].outcome = .passed }
  }

  // MARK: what is known when the path has ended

  /// The path ended at the step that the token has not passed. For an expired or future token the binding is reported as well,
  /// so that both can be corrected together.
  mutating func refused(_ rejection: Rejection) {
    guard let failed = reports.first(where: { $0.outcome == .notChecked })?.step else { return }
    if failed == .fields { self[.fields].facts = [.root(root)] }
    self[failed].fail(rejection, cure: failed == .fields ? root?.cure : nil)
    guard failed == .lifetime, let fields else { return }
    do throws(Refusal) {
      try Binding.check(
        fields, requestor: requestor, resource: resource, mvpds: verifier.policy.mvpds)
      passedBinding()
    } catch {
      if case .rejected(let other) = error { self[.binding].fail(other) }
    }
  }

  /// The first step that failed.
  var failed: StepReport? { reports.first { $0.outcome == .failed } }

  /// Adds what is known of the cause, at the first step that failed unless another is named.
  mutating func add(_ facts: [StepFact], at step: PathStep? = nil) {
    guard let step = step ?? failed?.step else { return }
    self[step].facts += facts
  }

  /// A fault ended the path at the step that the token has not passed.
  mutating func stopped() {
    guard let step = reports.first(where: { $0.outcome == .notChecked })?.step else { return }
    self[step].outcome = .noAnswer
  }

  func compare(_ decision: Decision) -> DecisionReport {
    DecisionReport(differences: fields.map { decision.differences(from: $0, life?.lifetime) })
  }

  /// Explaining must not use a token up, so the memory is looked at, and nothing is claimed. Nil if it was not looked
  /// at.
  mutating func explainOneUse(in memory: PeekedMemory) -> ExplainedUse? {
    guard fields != nil else { return nil }
    if case .none = memory {
      self[.oneUse].facts = [.noMemory]
      return nil
    }
    guard self[.lifetime].outcome == .passed, isBound, let identity, let lifetime = life?.lifetime
    else {
      self[.oneUse].facts = [.notLookedAt]
      return nil
    }
    let claim = UseClaim(
      identity: identity, issueTime: lifetime.issueTime, ttlMilliseconds: lifetime.statedTTLMilliseconds, now: now,
      request: nil)
    guard let use = ExplainedUse(of: claim, in: memory) else { return nil }
    self[.oneUse].facts = [.use(use)]
    if let reason = use.reason {
      self[.oneUse].fail(reason, reason.sentence, cure: reason.cure)
    } else if use.decision == .firstUse {
      self[.oneUse].outcome = .passed
    } else if use.decision == nil {
      self[.oneUse].outcome = .noAnswer
    }
    return use
  }
}
