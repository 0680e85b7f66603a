internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenDecision
internal import MediaTokenExplain
internal import MediaTokenJSON

/// What an inspector's answer means. It is believed only as a whole: the verdict, its number, its reason and the seven steps must
/// say the same, and of the token that was sent.
struct ExplainedAnswer {
  let outcome: ExplainedOutcome

  private typealias Members = [LocatedJSON.Member]

  /// - Parameter hasDecision: whether a decision was sent.
  /// - Throws: that there is no verdict, for every other answer.
  init(_ answer: DaemonClient.Answer, _ expected: DaemonAnswer.Expected, hasDecision: Bool) throws(ToolError) {
    guard answer.isJSON, let json = try? LocatedJSON(parsing: answer.body.span),
      case .object(let members) = json.value
    else { throw DaemonAnswer.noVerdict("status \(answer.status) without a JSON object") }
    guard answer.status == 200 else { throw DaemonAnswer.noVerdict(DaemonAnswer.problem(answer.status, members)) }
    guard Self.text("notice", members)?.hasSameBytes(as: ExplainedToken.notice) ?? false,
      let verdict = Verdict.allCases.first(where: { Self.has($0.answer.wireName, "verdict", members) }),
      DaemonAnswer.number("number", members) == Int64(verdict.answer.number),
      Self.has(verdict.answer.adobeCode.rawValue, "adobeCode", members),
      let action = Action.allCases.first(where: { Self.has($0.rawValue, "action", members) })
    else { throw DaemonAnswer.noVerdict("with something that is not an explanation") }
    let identity = Self.text("identity", members)
    guard identity.map({ ExactText($0) == expected.identity }) ?? (verdict != .validToken) else {
      throw DaemonAnswer.noVerdict("about a different token from the one that was sent")
    }
    guard let reports = Self.reports(members) else {
      throw DaemonAnswer.noVerdict("steps that are not those of a verification")
    }
    let isWhole =
      verdict == .validToken
      ? action == .nothing && Self.text("reason", members) == nil && Self.letIn(reports, members)
      : Self.refuse(reports, with: verdict, action, Self.text("reason", members))
    guard isWhole else { throw DaemonAnswer.noVerdict("a verdict that its steps contradict") }
    if verdict == .validToken { try Self.checkBinding(members, expected) }
    guard let decision = Self.decision(members), (decision != nil) == hasDecision else {
      throw DaemonAnswer.noVerdict("with a decision that was not sent, or without the one that was")
    }
    outcome = ExplainedOutcome(answer: verdict.answer, action: action, reports: reports, decision: decision)
  }

  // MARK: what a whole answer is

  /// Whether every step lets a token in; the last one may be left out where one use is not enforced.
  private static func letIn(_ reports: [StepReport], _ members: Members) -> Bool {
    guard reports.dropLast().allSatisfy({ $0.outcome == .passed }), let last = reports.last?.outcome else {
      return false
    }
    guard case .object(let use)? = value("use", members) else { return false }
    switch last {
    case .passed: return has("unused", "state", use)
    case .notChecked: return has("not-enforced", "state", use)
    case .failed: return false
    }
  }

  /// Whether a step failed for a reason that leads to this verdict.
  private static func refuse(
    _ reports: [StepReport], with verdict: Verdict, _ action: Action, _ name: String?
  ) -> Bool {
    guard let name, let reason = Reason.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
      return false
    }
    let failed = reports.first { $0.outcome == .failed }
    let said = failed?.notes.first { "\($0.name)" == "reason" }?.value
    return reason.verdict == verdict && reason.action == action && said?.hasSameBytes(as: name) ?? false
  }

  /// - Throws: if a valid token is for something that was not asked for.
  private static func checkBinding(_ members: Members, _ expected: DaemonAnswer.Expected) throws(ToolError) {
    func found(_ name: String, wasAsked: Bool) throws(ToolError) -> String {
      if case .array(let bindings)? = value("binding", members) {
        for case .object(let binding) in bindings.map(\.value) where has(name, "name", binding) {
          let isBound = has("passed", "outcome", binding) || !wasAsked && has("not-checked", "outcome", binding)
          if isBound, let found = text("found", binding) { return found }
        }
      }
      throw DaemonAnswer.noVerdict("a valid token that is not bound to its \(name)")
    }
    let requestor = try found("requestor", wasAsked: expected.requestor != nil)
    guard expected.requestor.map({ $0 == ExactText(requestor) }) ?? true else {
      throw DaemonAnswer.noVerdict("a valid token for a requestorID that was not asked for")
    }
    let resource = try found("resource", wasAsked: expected.resource.map { $0 != .anyResource } ?? false)
    guard try DaemonAnswer.isAbout(resource, expected) else {
      throw DaemonAnswer.noVerdict("a valid token for a resourceID that was not asked for")
    }
  }

  // MARK: what it is read from

  /// The seven steps in their order; nil for anything else.
  private static func reports(_ members: Members) -> [StepReport]? {
    guard case .array(let elements)? = value("steps", members), elements.count == PathStep.allCases.count else {
      return nil
    }
    var reports: [StepReport] = []
    for (element, step) in zip(elements, PathStep.allCases) {
      guard case .object(let object) = element.value, has(step.rawValue, "step", object),
        let outcome = StepReport.Outcome.allCases.first(where: { has($0.wireName, "outcome", object) }),
        case .array(let notes)? = value("notes", object)
      else { return nil }
      var report = StepReport(step: step)
      report.outcome = outcome
      for note in notes {
        guard case .object(let note) = note.value, let value = text("value", note),
          let name = StepReport.noteNames.first(where: { has("\($0)", "name", note) })
        else { return nil }
        report.notes.append((name, value))
      }
      reports.append(report)
    }
    return reports
  }

  /// What is said about a decision: nothing, where there is no such member; nil if it can't be understood.
  private static func decision(_ members: Members) -> DecisionReport?? {
    guard let value = value("decision", members) else { return .some(nil) }
    guard case .object(let object) = value, case .array(let elements)? = self.value("differences", object) else {
      return nil
    }
    var differences: [DecisionDifference] = []
    for element in elements {
      guard case .object(let difference) = element.value,
        let member = DecisionDifference.members.first(where: { has($0, "member", difference) }),
        let signed = text("signed", difference), let unsigned = text("unsigned", difference)
      else { return nil }
      differences.append(DecisionDifference(member: member, decision: unsigned, signed: signed))
    }
    let report = DecisionReport(differences: has("not-checked", "outcome", object) ? nil : differences)
    let outcome = report.differences == nil ? "not-checked" : report.outcome
    return has(outcome, "outcome", object) && (report.differences != nil || differences.isEmpty) ? report : nil
  }

  private static func value(_ name: String, _ members: Members) -> LocatedJSON.Value? {
    members.first { $0.name == name }?.value.value
  }

  private static func text(_ name: String, _ members: Members) -> String? { DaemonAnswer.text(name, members) }

  private static func has(_ text: String, _ name: String, _ members: Members) -> Bool {
    self.text(name, members)?.hasSameBytes(as: text) ?? false
  }
}
