internal import MediaToken
internal import MediaTokenDecision
internal import MediaTokenFleet

/// Watches a verification, and keeps a report of each step.
struct Explanation: PathObserver {
  private(set) var reports = PathStep.allCases.map { StepReport(step: $0) }
  private let verifier: TokenVerifier
  private let expectations: ExpectationOptions
  private let now: Instant
  private var identity: TokenIdentity?
  /// What a trusted key signed, as far as its first tag says.
  private var root: SignedRoot?
  private var fields: TokenFields?
  private var lifetime: Lifetime?

  init(_ verifier: TokenVerifier, _ expectations: ExpectationOptions, _ now: Instant) {
    (self.verifier, self.expectations, self.now) = (verifier, expectations, now)
  }

  private subscript(step: PathStep) -> StepReport {
    get { reports[index(of: step)] }
    set { reports[index(of: step)] = newValue }
  }

  private func index(of step: PathStep) -> Int { PathStep.allCases.firstIndex(of: step) ?? 0 }

  // MARK: what is seen

  mutating func passedArmor(_ form: Armor.Form, receivedBytes: Int, tokenBytes: Int) {
    self[.armor].outcome = .passed
    self[.armor].expected("raw, percent-encoded or base64 text of at most \(Limits.receivedBytes) bytes")
    self[.armor].found("\(form.rawValue), \(receivedBytes) bytes as received, \(tokenBytes) decoded")
  }

  mutating func passedEnvelope(signatureBytes: Int, signedBytes: Int) {
    self[.envelope].outcome = .passed
    self[.envelope].expected("a signature between two markers, and signed bytes after them")
    self[.envelope].found("a signature of \(signatureBytes) bytes, \(signedBytes) signed bytes")
    let sizes = verifier.trustedKeys.keys.map { "\($0.modulusBits) bits \($0.fingerprint)" }
    self[.signature].expected("a signature by a trusted key: " + sizes.joined(separator: ", "))
    self[.signature].found("\(signatureBytes) bytes, as a key of \(signatureBytes * 8) bits makes")
  }

  mutating func named(_ identity: TokenIdentity) { self.identity = identity }

  mutating func passedSignature(over signed: Span<UInt8>, by key: Fingerprint) {
    root = SignedRoot(of: signed)
    self[.signature].outcome = .passed
    self[.signature].notes.append(("keyFingerprint", key.description))
    if let identity { self[.signature].notes.append(("identity", identity.description)) }
  }

  mutating func passedFields(_ fields: TokenFields) {
    self.fields = fields
    self[.fields].outcome = .passed
    noteRoot()
    self[.fields].notes += fields.shown(withGUID: false)
    self[.binding].expected("\(expectations.requestor.shown), \(expectations.resource.shown)")
    self[.binding].found("requestor \(fields.requestorID), resource \(fields.resourceID), mvpd \(fields.mvpdID)")
  }

  private mutating func noteRoot() {
    self[.fields].expected(
      "an authToken or shortAuthorizationToken with six known fields and perhaps proxyMvpdId, each once")
    if let root { self[.fields].found(root.shown) }
  }

  mutating func parsed(_ lifetime: Lifetime) {
    self.lifetime = lifetime
    let (issued, now) = (lifetime.issueTime.millisecondsSinceEpoch, self.now.millisecondsSinceEpoch)
    let earliest = Instant(millisecondsSinceEpoch: issued - verifier.policy.futureToleranceMilliseconds)
    self[.lifetime].expected("a time from \(earliest) until before \(lifetime.expiresAt)")
    let (age, overflow) = now.subtractingReportingOverflow(issued)
    self[.lifetime].found(
      "\(self.now)" + (overflow ? "" : ", \(age) ms after the issue time \(lifetime.issueTime)"))
    if lifetime.statedTTLMilliseconds > lifetime.ttlMilliseconds {
      self[.lifetime].notes.append(
        ("ttl", "counts as \(lifetime.ttlMilliseconds) ms, the longest that is granted"))
    }
  }

  mutating func passedLifetime() { self[.lifetime].outcome = .passed }

  mutating func passedBinding() { self[.binding].outcome = .passed }

  // MARK: what is known when the path has ended

  /// The path ended at the step that the token has not passed. Of a token that is not alive the binding is told as well, so
  /// that both can be mended at once.
  mutating func refused(_ rejection: Rejection) {
    guard let failed = reports.first(where: { $0.outcome == .notChecked })?.step else { return }
    if failed == .fields { noteRoot() }
    self[failed].failed(rejection, next: failed == .fields ? root?.nextStep : nil)
    guard failed == .lifetime, let fields else { return }
    do throws(Refusal) {
      try Binding.check(
        fields, requestor: expectations.requestor, resource: expectations.resource, mvpds: verifier.policy.mvpds)
      passedBinding()
    } catch {
      if case .rejected(let other) = error { self[.binding].failed(other) }
    }
  }

  /// Holds what a decision says beside its token against what was signed.
  func compare(_ decision: Decision) -> DecisionReport {
    DecisionReport(differences: fields.map { decision.differences(from: $0, lifetime) })
  }

  /// Tells of step 7. Explaining must not use a token up, so that seats are looked at, and nothing is claimed.
  ///
  /// - Parameter seats: of a fleet; nil: nothing remembers.
  /// - Returns: what the seats would say; nil if they were not looked at.
  mutating func explainOneUse(in seats: FleetAdministration?) -> ExplainedUse? {
    guard fields != nil else { return nil }
    guard let seats else {
      self[.oneUse].expected("a replay memory that knows which tokens were used")
      self[.oneUse].found("none; one use is not enforced")
      return nil
    }
    guard self[.lifetime].outcome == .passed, self[.binding].outcome == .passed, let identity, let lifetime else {
      self[.oneUse].expected("a token that passed every other step, as only such a one is spent")
      return nil
    }
    let use = ExplainedUse(of: identity, issueTime: lifetime.issueTime, in: seats)
    self[.oneUse].expected(
      "votes of \(use.votesNeeded) of \(use.looks.count) seats; a look is no claim, and promises none")
    self[.oneUse].found(use.findings.joined(separator: "; "))
    if let reason = use.reason {
      self[.oneUse].failed(reason)
    } else if use.decision == .firstUse {
      self[.oneUse].outcome = .passed
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
