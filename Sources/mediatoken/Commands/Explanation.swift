internal import MediaToken
internal import MediaTokenFleet
internal import MediaTokenSystem

/// Runs the steps of a verification and keeps a report of each.
///
/// Unlike a verification it goes on after a failed lifetime or binding, as both can be told at once.
struct Explanation {
  private(set) var reports = StepReport.Step.allCases.map { StepReport(step: $0) }
  private let verifier: TokenVerifier
  private let expectations: ExpectationOptions
  private let now: Instant
  private let seats: FleetAdministration?
  /// What the seats would say; nil if they were not looked at.
  private(set) var use: ExplainedUse?

  /// - Parameter seats: of a fleet that is looked at; nil: none is.
  init(
    _ verifier: TokenVerifier, _ expectations: ExpectationOptions, _ now: Instant, _ seats: FleetAdministration?
  ) {
    self.verifier = verifier
    self.expectations = expectations
    self.now = now
    self.seats = seats
  }

  /// - Throws: the first refusal that ends the path; it is in the reports already.
  mutating func run(on received: Span<UInt8>) throws(Refusal) {
    var buffers = Armor.Buffers()
    var signature = [UInt8](repeating: 0, count: Limits.signatureBytes)
    do throws(Refusal) {
      let token = try Armor.decode(received, into: &buffers)
      passArmor(received, token)
      let envelope: Envelope
      do throws(Refusal) {
        envelope = try Envelope(cutting: token, signatureInto: &signature)
      } catch {
        throw noted(error, .envelope)
      }
      passEnvelope(envelope)
      try runFields(envelope)
    } catch {
      throw reports[0].outcome == .notChecked ? noted(error, .armor) : error
    }
  }

  private mutating func runFields(_ envelope: borrowing Envelope) throws(Refusal) {
    var hasher = try fault { () throws(Fault) in try SHA256Hasher() }
    let hashed = try HashedEnvelope(hashing: envelope, with: &hasher)
    let identity = hashed.identity
    let fields: TokenFields
    do throws(Refusal) {
      let verified = try Signature.verify(hashed, with: try keys())
      passSignature(verified)
      do throws(Refusal) {
        var parser = FieldParser()
        fields = try TokenFields(parsing: verified, with: &parser, policy: verifier.policy)
      } catch {
        throw noted(error, .fields)
      }
    } catch {
      throw self[.signature].outcome == .notChecked ? noted(error, .signature) : error
    }
    passFields(fields)
    runLifetime(fields)
    runBinding(fields)
    try runOneUse(identity, fields)
  }

  private func keys() throws(Refusal) -> [VerificationKey] {
    var keys: [VerificationKey] = []
    for key in verifier.trustedKeys.keys {
      keys.append(try fault { () throws(Fault) in try VerificationKey(key) })
    }
    return keys
  }

  // MARK: the reports

  private subscript(step: StepReport.Step) -> StepReport {
    get { reports[index(of: step)] }
    set { reports[index(of: step)] = newValue }
  }

  private func index(of step: StepReport.Step) -> Int {
    StepReport.Step.allCases.firstIndex(of: step) ?? 0
  }

  /// Reports a step that failed.
  private mutating func noted(_ refusal: Refusal, _ step: StepReport.Step) -> Refusal {
    guard case .rejected(let rejection) = refusal else { return refusal }
    self[step].outcome = .failed
    self[step].notes += [
      ("reason", rejection.reason.rawValue), ("detail", rejection.detail), ("next", rejection.reason.nextStep),
    ]
    return refusal
  }

  private mutating func passArmor(_ received: Span<UInt8>, _ token: Span<UInt8>) {
    let trimmed = received.extracting(Armor.trimmedRange(of: received))
    self[.armor].outcome = .passed
    self[.armor].expected("raw, percent-encoded or base64 text of at most \(Limits.receivedBytes) bytes")
    let form = Armor.form(of: trimmed)?.rawValue ?? "unknown"
    self[.armor].found("\(form), \(received.count) bytes as received, \(token.count) decoded")
  }

  private mutating func passEnvelope(_ envelope: borrowing Envelope) {
    self[.envelope].outcome = .passed
    self[.envelope].expected("a signature between two markers, and signed bytes behind them")
    self[.envelope].found(
      "a signature of \(envelope.signatureBytes) bytes, \(envelope.signedBytes.count) signed bytes")
    let sizes = verifier.trustedKeys.keys.map { "\($0.modulusBits) bits \($0.fingerprint)" }
    self[.signature].expected("a signature by a trusted key: " + sizes.joined(separator: ", "))
    self[.signature].found(
      "\(envelope.signatureBytes) bytes, as a key of \(envelope.signatureBytes * 8) bits makes")
  }

  private mutating func passSignature(_ verified: borrowing VerifiedBytes) {
    self[.signature].outcome = .passed
    self[.signature].notes += [
      ("keyFingerprint", verified.keyFingerprint.description), ("identity", verified.identity.description),
    ]
  }

  private mutating func passFields(_ fields: TokenFields) {
    self[.fields].outcome = .passed
    self[.fields].expected("an authToken with six known fields, each once")
    var found: [(name: StaticString, value: String)] = [
      ("sessionGUID", VerdictText.hiddenGUID(fields.sessionGUID)), ("requestorID", fields.requestorID.text),
      ("resourceID", fields.resourceID.text), ("ttl", fields.ttl.shown), ("issueTime", fields.issueTime.shown),
      ("mvpdId", fields.mvpdID.text),
    ]
    if let proxy = fields.proxyMVPDID { found.append(("proxyMvpdId", proxy.text)) }
    if !fields.unknownFields.isEmpty {
      found.append(("unknownFields", fields.unknownFields.joined(separator: " ")))
    }
    self[.fields].notes += found
  }

  private mutating func runLifetime(_ fields: TokenFields) {
    let policy = verifier.policy
    do throws(Refusal) {
      let lifetime = try Lifetime(fields, policy: policy)
      let (issued, now) = (lifetime.issueTime.millisecondsSinceEpoch, self.now.millisecondsSinceEpoch)
      let earliest = Instant(millisecondsSinceEpoch: issued - policy.futureToleranceMilliseconds)
      self[.lifetime].expected("a time from \(earliest) until before \(lifetime.expiresAt)")
      let (age, overflow) = now.subtractingReportingOverflow(issued)
      self[.lifetime].found(
        "\(self.now)" + (overflow ? "" : ", \(age) ms after the issue time \(lifetime.issueTime)"))
      if lifetime.statedTTLMilliseconds > lifetime.ttlMilliseconds {
        self[.lifetime].notes.append(
          ("ttl", "counts as \(lifetime.ttlMilliseconds) ms, the longest that is granted"))
      }
      try lifetime.check(at: self.now, policy: policy)
      self[.lifetime].outcome = .passed
    } catch {
      _ = noted(error, .lifetime)
    }
  }

  private mutating func runBinding(_ fields: TokenFields) {
    let requestor: String
    switch expectations.requestor {
    case .exactly(let text): requestor = "requestor \(text)"
    case .anyRequestor: requestor = "any requestor"
    case .noMatch: requestor = "no requestor"
    }
    let resource: String
    switch expectations.resource {
    case .exactly(let text): resource = "resource \(text)"
    case .anyResource: resource = "any resource"
    case .noMatch: resource = "no resource"
    }
    self[.binding].expected("\(requestor), \(resource)")
    self[.binding].found("requestor \(fields.requestorID), resource \(fields.resourceID), mvpd \(fields.mvpdID)")
    do throws(Refusal) {
      try Binding.check(
        fields, requestor: expectations.requestor, resource: expectations.resource, mvpds: verifier.policy.mvpds)
      self[.binding].outcome = .passed
    } catch {
      _ = noted(error, .binding)
    }
  }

  /// Explaining must not use a token up, so nothing is claimed here.
  private mutating func runOneUse(_ identity: TokenIdentity, _ fields: TokenFields) throws(Refusal) {
    guard let seats else {
      self[.oneUse].expected("a replay memory that knows which tokens were used")
      self[.oneUse].found("none; one use is not enforced")
      return
    }
    guard self[.lifetime].outcome == .passed, self[.binding].outcome == .passed else {
      self[.oneUse].expected("a token that passed every other step, as only such a one is spent")
      return
    }
    let lifetime = try Lifetime(fields, policy: verifier.policy)
    let use = ExplainedUse(of: identity, issueTime: lifetime.issueTime, in: seats)
    self.use = use
    self[.oneUse].expected(
      "votes of \(use.votesNeeded) of \(use.looks.count) seats; a look is no claim, and promises none")
    self[.oneUse].found(use.findings.joined(separator: "; "))
    switch use.reason {
    case let reason?:
      self[.oneUse].outcome = .failed
      self[.oneUse].notes += [
        ("reason", reason.rawValue), ("detail", reason.sentence), ("next", reason.nextStep),
      ]
    case nil: self[.oneUse].outcome = use.decision == .firstUse ? .passed : .notChecked
    }
  }
}
