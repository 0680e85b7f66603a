internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats

/// What an inspector's answer means. It is believed only as a whole: the verdict, its number, its reason and the seven steps must
/// say the same, and of the token that was sent.
enum ExplainedAnswer {
  case explained(ExplainedOutcome)
  /// The decision that was sent has none.
  case noToken(NoToken)

  /// - Throws: that there is no verdict, for every other answer.
  init(_ answer: DaemonClient.Answer, to question: ExplainedQuestion) throws(ToolError) {
    guard answer.isJSON, let json = try? LocatedJSON(parsing: answer.body.span),
      case .object(let members) = json.value
    else { throw DaemonAnswer.noVerdict("status \(answer.status) without a JSON object") }
    let parts = ExplainedParts(members)
    if question.hasDecision, answer.status == 403, parts.has(NoToken.name, "error") {
      self = .noToken(NoToken(code: parts.text("decisionError")))
      return
    }
    guard answer.status == 200 else { throw DaemonAnswer.noVerdict(Self.problem(answer.status, members)) }
    guard parts.has(ExplainedToken.notice, "notice"), let details = parts.details else {
      throw DaemonAnswer.noVerdict("with something that is not an explanation")
    }
    guard let reports = parts.reports else {
      throw DaemonAnswer.noVerdict("steps that are not those of a verification")
    }
    guard let conclusion = Self.conclusion(parts, reports, details) else {
      throw DaemonAnswer.noVerdict("a verdict that its steps contradict")
    }
    guard details.identity.map({ question.identities.contains(ExactText($0)) }) ?? conclusion.isRefusal else {
      throw DaemonAnswer.noVerdict("about a different token from the one that was sent")
    }
    if !conclusion.isRefusal { try Self.checkBinding(details.bindings, question) }
    guard let decision = parts.decision, (decision != nil) == question.hasDecision else {
      throw DaemonAnswer.noVerdict("with a decision that was not sent, or without the one that was")
    }
    let outcome = ExplainedOutcome(conclusion: conclusion, reports: reports, details: details, decision: decision)
    self = .explained(outcome.choosingAny(question.chosenAny))
  }

  /// A fault with what was found at the replay memory, or the daemon's own words for a question that it refuses.
  private static func problem(_ status: Int, _ members: [LocatedJSON.Member]) -> String {
    let found = ExplainedParts(members).reports?.last?.notes.first { "\($0.name)" == "found" }?.value
    return DaemonAnswer.problem(status, members) + (found.map { "; \(VerdictText.shown($0))" } ?? "")
  }

  /// What the answer comes to; nil if its parts contradict each other.
  private static func conclusion(
    _ parts: ExplainedParts, _ reports: [StepReport], _ details: ExplainedDetails
  ) -> ExplainedOutcome.Conclusion? {
    let open = details.bindings.filter { $0.outcome == .notChecked }.map(\.name)
    if parts.has("notChecked") {
      let ofVerdicts = ["verdict", "number", "reason", "action", "adobeCode", "viewer", "fault"]
      guard !open.isEmpty, parts.texts("notChecked") == open.map({ ExactText($0) }),
        !ofVerdicts.contains(where: { parts.has($0) }), letIn(reports, details, binding: .notChecked)
      else { return nil }
      return .notCompared(open)
    }
    guard let verdict = Verdict.allCases.first(where: { parts.has($0.answer.wireName, "verdict") }),
      parts.number("number") == Int64(verdict.answer.number),
      parts.has(verdict.answer.adobeCode.rawValue, "adobeCode"),
      let action = Action.allCases.first(where: { parts.has($0.rawValue, "action") }),
      let viewer = parts.text("viewer")
    else { return nil }
    let isWhole =
      verdict == .validToken
      ? action == .nothing && !parts.has("reason") && letIn(reports, details, binding: .passed)
      : refuse(reports, isOpen: !open.isEmpty, with: verdict, action, parts)
    return isWhole ? .verdict(verdict.answer, action, viewer: viewer) : nil
  }

  /// Whether no step refuses a token; the last one may be left out where one use is not enforced.
  private static func letIn(
    _ reports: [StepReport], _ details: ExplainedDetails, binding: StepReport.Outcome
  ) -> Bool {
    guard reports.dropLast().allSatisfy({ $0.outcome == ($0.step == .binding ? binding : .passed) }) else {
      return false
    }
    return switch reports.last?.outcome {
    case .passed: details.useState.hasSameBytes(as: "unused")
    case .notChecked: details.useState.hasSameBytes(as: "not-enforced")
    case .failed, .noAnswer, nil: false
    }
  }

  /// Whether a step failed for a reason that leads to this verdict, after others that passed.
  private static func refuse(
    _ reports: [StepReport], isOpen: Bool, with verdict: Verdict, _ action: Action, _ parts: ExplainedParts
  ) -> Bool {
    guard let name = parts.text("reason"),
      let reason = Reason.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }),
      let failed = reports.firstIndex(where: { $0.outcome == .failed }),
      reports[..<failed].allSatisfy({ $0.outcome == ($0.step == .binding && isOpen ? .notChecked : .passed) })
    else { return false }
    let said = reports[failed].notes.first { "\($0.name)" == "reason" }?.value
    return reason.verdict == verdict && reason.action == action && said?.hasSameBytes(as: name) ?? false
  }

  /// - Throws: if a token that is not refused is for something that was not asked for.
  private static func checkBinding(
    _ bindings: [ExplainedBinding], _ question: ExplainedQuestion
  ) throws(ToolError) {
    func found(_ name: String, wasAsked: Bool) throws(ToolError) -> String {
      for binding in bindings where binding.name == name {
        if binding.outcome == .passed || !wasAsked && binding.outcome == .notChecked { return binding.found }
      }
      throw DaemonAnswer.noVerdict("a token that is not bound to its \(name)")
    }
    let requestor = try found("requestor", wasAsked: question.requestor != nil)
    guard question.requestor.map({ $0 == ExactText(requestor) }) ?? true else {
      throw DaemonAnswer.noVerdict("a token for a requestorID that was not asked for")
    }
    let resource = try found("resource", wasAsked: question.resource != nil)
    guard try DaemonAnswer.isAbout(resource, question.resource) else {
      throw DaemonAnswer.noVerdict("a token for a resourceID that was not asked for")
    }
  }
}

extension ExplainedOutcome.Conclusion {
  /// Whether it is a verdict other than `VALID_TOKEN`.
  fileprivate var isRefusal: Bool {
    if case .verdict(let answer, _, _) = self { answer != Verdict.validToken.answer } else { false }
  }
}

extension ExplainedOutcome {
  /// The same where the command line said that any will do: what that is about needs no comparison.
  fileprivate func choosingAny(_ chosen: [String]) -> ExplainedOutcome {
    guard case .notCompared(let names) = conclusion else { return self }
    let open = names.filter { !chosen.contains($0) }
    guard open.isEmpty else {
      return ExplainedOutcome(
        conclusion: .notCompared(open), reports: reports, details: details, decision: decision)
    }
    var reports = reports
    for index in reports.indices where reports[index].step == .binding { reports[index].outcome = .passed }
    return ExplainedOutcome(
      conclusion: .verdict(Verdict.validToken.answer, .nothing, viewer: Action.nothing.viewerSentence),
      reports: reports, details: details, decision: decision)
  }
}
