package import MediaToken
internal import MediaTokenSystem

/// Watches a verification, and keeps a report of each step.
package struct Explanation: PathObserver {
  /// In their order.
  package private(set) var reports = PathStep.allCases.map { StepReport(step: $0) }
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
  private(set) var lifetime: Lifetime?
  /// True if step 6 refuses nothing: neither the asked names nor the lists of providers.
  private var isBound = false

  init(
    _ verifier: TokenPath, requestor: ExpectedRequestor, resource: ExpectedResource, asked: AskedBinding,
    at now: Instant
  ) {
    (self.verifier, self.requestor, self.resource, self.now) = (verifier, requestor, resource, now)
    self.asked = asked
  }

  var policy: Policy { verifier.policy }

  private subscript(step: PathStep) -> StepReport {
    get { reports[index(of: step)] }
    set { reports[index(of: step)] = newValue }
  }

  private func index(of step: PathStep) -> Int { PathStep.allCases.firstIndex(of: step) ?? 0 }

  // MARK: what is seen

  package mutating func passedArmor(_ form: Armor.Form, receivedBytes: Int, tokenBytes: Int) {
    self[.armor].outcome = .passed
    self[.armor].expected("raw, percent-encoded or base64 text of at most \(Limits.receivedBytes) bytes")
    self[.armor].found("\(form.rawValue), \(receivedBytes) bytes as received, \(tokenBytes) decoded")
  }

  package mutating func passedEnvelope(signatureBytes: Int, signedBytes: Int) {
    self[.envelope].outcome = .passed
    self[.envelope].expected("a signature between two markers, and signed bytes after them")
    self[.envelope].found("a signature of \(signatureBytes) bytes, \(signedBytes) signed bytes")
    let sizes = verifier.trustedKeys.keys.map { "\($0.modulusBits) bits \($0.fingerprint)" }
    self[.signature].expected("a signature by a trusted key: " + sizes.joined(separator: ", "))
    self[.signature].found("\(signatureBytes) bytes, as a key of \(signatureBytes * 8) bits makes")
  }

  package mutating func named(_ identity: TokenIdentity) { self.identity = identity }

  package mutating func passedSignature(over signed: Span<UInt8>, by key: Fingerprint) {
    root = SignedRoot(of: signed)
    self[.signature].outcome = .passed
    self[.signature].findings.append(("keyFingerprint", key.description))
    if let identity { self[.signature].findings.append(("identity", identity.description)) }
  }

  package mutating func passedFields(_ fields: TokenFields) {
    self.fields = fields
    self[.fields].outcome = .passed
    noteRoot()
    self[.fields].findings += fields.shown(withGUID: false)
    // Of what was not asked any would have passed, except for a name that is not served here.
    let anyRequestor = !asked.requestor && requestor != .noMatch
    let anyResource = !asked.resource && resource != .noMatch
    self[.binding].expected(
      "\((anyRequestor ? .anyRequestor : requestor).shown), \((anyResource ? .anyResource : resource).shown)")
    self[.binding].found("requestor \(fields.requestorID), resource \(fields.resourceID), mvpd \(fields.mvpdID)")
  }

  private mutating func noteRoot() {
    self[.fields].expected(
      "an authToken or shortAuthorizationToken with six known fields and perhaps proxyMvpdId, each once")
    if let root { self[.fields].found(root.shown) }
  }

  package mutating func parsed(_ lifetime: Lifetime) {
    self.lifetime = lifetime
    let (issued, now) = (lifetime.issueTime.millisecondsSinceEpoch, self.now.millisecondsSinceEpoch)
    let earliest = Instant(millisecondsSinceEpoch: issued - verifier.policy.futureToleranceMilliseconds)
    self[.lifetime].expected("a time from \(earliest) until before \(lifetime.expiresAt)")
    let (age, overflow) = now.subtractingReportingOverflow(issued)
    self[.lifetime].found(
      "\(self.now)"
        + (overflow
          ? ""
          : ", \(SpelledTime.duration(age)) \(age < 0 ? "before" : "after") the issue time \(lifetime.issueTime)"))
    if lifetime.statedTTLMilliseconds > lifetime.ttlMilliseconds {
      self[.lifetime].findings.append(
        ("ttl", "counts as \(SpelledTime.duration(lifetime.ttlMilliseconds)), the longest that is granted"))
    }
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
    if failed == .fields { noteRoot() }
    self[failed].failed(rejection, next: failed == .fields ? root?.nextStep : nil)
    guard failed == .lifetime, let fields else { return }
    do throws(Refusal) {
      try Binding.check(
        fields, requestor: requestor, resource: resource, mvpds: verifier.policy.mvpds)
      passedBinding()
    } catch {
      if case .rejected(let other) = error { self[.binding].failed(other) }
    }
  }

  /// Notes the findings about a step that failed; `step` nil: the first that failed. `next` takes the place of the
  /// reason's own cure, unless it is empty.
  mutating func noteFailure(
    _ notes: [(name: StaticString, value: String)], next: [String], at step: PathStep? = nil
  ) {
    guard let failed = step ?? reports.first(where: { $0.outcome == .failed })?.step else { return }
    self[failed].findings += notes
    guard !next.isEmpty else { return }
    // The outermost layer first, and each cure once.
    var cures: [String] = []
    for cure in next where !cures.contains(cure) { cures.append(cure) }
    self[failed].next = cures.joined(separator: "; then ")
  }

  /// A fault ended the path at the step that the token has not passed.
  mutating func stopped() {
    guard let step = reports.first(where: { $0.outcome == .notChecked })?.step else { return }
    self[step].outcome = .noAnswer
  }

  func compare(_ decision: Decision) -> DecisionReport {
    DecisionReport(differences: fields.map { decision.differences(from: $0, lifetime) })
  }

  /// Explaining must not use a token up, so the memory is looked at, and nothing is claimed. Nil if it was not looked
  /// at.
  mutating func explainOneUse(in memory: PeekedMemory) -> ExplainedUse? {
    guard fields != nil else { return nil }
    if case .none = memory {
      self[.oneUse].expected("a replay memory that knows which tokens were used")
      self[.oneUse].found("none; one use is not enforced")
      return nil
    }
    guard self[.lifetime].outcome == .passed, isBound, let identity, let lifetime else {
      self[.oneUse].expected("a token that passed every other step; no other is spent")
      return nil
    }
    let claim = UseClaim(
      identity: identity, issueTime: lifetime.issueTime, ttlMilliseconds: lifetime.statedTTLMilliseconds, now: now,
      request: nil)
    guard let use = ExplainedUse(of: claim, in: memory) else { return nil }
    self[.oneUse].expected(use.expected)
    self[.oneUse].found(use.findings.joined(separator: "; "))
    if let reason = use.reason {
      self[.oneUse].failed(reason)
    } else if use.decision == .firstUse {
      self[.oneUse].outcome = .passed
    } else if use.decision == nil {
      self[.oneUse].outcome = .noAnswer
    }
    return use
  }
}

extension ExpectedRequestor {
  fileprivate var shown: String {
    switch self {
    case .exactly(let text): "requestor \(text)"
    case .anyRequestor: "any requestor"
    case .noMatch: "no requestor"
    }
  }
}

extension ExpectedResource {
  fileprivate var shown: String {
    switch self {
    case .exactly(let text): "resource \(text)"
    case .sameDocument(let document):
      "the same document as is given; channel \(document.channelTitle), items: \(document.itemCount)"
    case .channel(let channel): "channel \(channel.id), or a document of it"
    case .anyResource: "any resource"
    case .noMatch: "no resource"
    }
  }
}
