internal import MediaToken
internal import MediaTokenFormats

/// The parts of an inspector's answer, each of which is there as a whole or not at all.
struct ExplainedParts {
  private let members: [LocatedJSON.Member]

  init(_ members: [LocatedJSON.Member]) { self.members = members }

  /// - Returns: nil if it is not an object.
  private init?(_ json: LocatedJSON) {
    guard case .object(let members) = json.value else { return nil }
    self.members = members
  }

  /// The seven steps in their order; nil for anything else.
  var reports: [StepReport]? {
    guard case .array(let elements)? = value("steps"), elements.count == PathStep.allCases.count else {
      return nil
    }
    var reports: [StepReport] = []
    for (element, step) in zip(elements, PathStep.allCases) {
      guard let object = ExplainedParts(element), object.has(step.rawValue, "step"), let outcome = object.outcome,
        case .array(let notes)? = object.value("notes")
      else { return nil }
      var report = StepReport(step: step)
      report.outcome = outcome
      for note in notes {
        guard let note = ExplainedParts(note), let value = note.text("value"),
          let name = StepReport.noteNames.first(where: { note.has("\($0)", "name") })
        else { return nil }
        report.notes.append((name, value))
      }
      reports.append(report)
    }
    return reports
  }

  /// What is said besides the steps; nil if it can't be understood.
  var details: ExplainedDetails? {
    guard let bindings, let life, let use = object("use"),
      let state = ExplainedDetails.useStates.first(where: { use.has($0, "state") })
    else { return nil }
    return ExplainedDetails(
      identity: text("identity"), life: life, bindings: bindings, useState: state, firstUsed: use.text("firstUsed"))
  }

  /// Nothing, where there is no such member; nil if it can't be understood.
  private var life: ExplainedLife?? {
    guard has("life") else { return .some(nil) }
    guard let life = object("life"), let issued = life.text("issued"), let ends = life.text("ends"),
      let from = life.text("acceptedFrom"), let until = life.text("acceptedUntil"),
      let skew = life.number("skewMilliseconds")
    else { return nil }
    return ExplainedLife(
      issued: issued, ends: ends, acceptedFrom: from, acceptedUntil: until, skewMilliseconds: skew)
  }

  /// Requestor and resource in this order, or none; nil for anything else.
  private var bindings: [ExplainedBinding]? {
    guard case .array(let elements)? = value("binding") else { return nil }
    let names = ["requestor", "resource"]
    guard elements.isEmpty || elements.count == names.count else { return nil }
    var bindings: [ExplainedBinding] = []
    for (element, name) in zip(elements, names) {
      guard let object = ExplainedParts(element), object.has(name, "name"), let outcome = object.outcome,
        let expected = object.text("expected"), let found = object.text("found")
      else { return nil }
      bindings.append(ExplainedBinding(name: name, outcome: outcome, expected: expected, found: found))
    }
    return bindings
  }

  /// What is said about a decision: nothing, where there is no such member; nil if it can't be understood.
  var decision: DecisionReport?? {
    guard has("decision") else { return .some(nil) }
    guard let object = object("decision"), case .array(let elements)? = object.value("differences") else {
      return nil
    }
    var differences: [DecisionDifference] = []
    for element in elements {
      guard let difference = ExplainedParts(element),
        let member = DecisionDifference.members.first(where: { difference.has($0, "member") }),
        let signed = difference.text("signed"), let unsigned = difference.text("unsigned")
      else { return nil }
      differences.append(DecisionDifference(member: member, decision: unsigned, signed: signed))
    }
    let report = DecisionReport(differences: object.has("not-checked", "outcome") ? nil : differences)
    let outcome = report.differences == nil ? "not-checked" : report.outcome
    return object.has(outcome, "outcome") && (report.differences != nil || differences.isEmpty) ? report : nil
  }

  private var outcome: StepReport.Outcome? {
    StepReport.Outcome.allCases.first { has($0.wireName, "outcome") }
  }

  // MARK: members

  private func value(_ name: String) -> LocatedJSON.Value? {
    members.first { $0.name.hasSameBytes(as: name) }?.value.value
  }

  private func object(_ name: String) -> ExplainedParts? {
    guard case .object(let members)? = value(name) else { return nil }
    return ExplainedParts(members)
  }

  /// Whether there is a member, whatever its value.
  func has(_ name: String) -> Bool { value(name) != nil }

  func has(_ text: String, _ name: String) -> Bool { self.text(name)?.hasSameBytes(as: text) ?? false }

  func text(_ name: String) -> String? { DaemonAnswer.text(name, members) }

  func number(_ name: String) -> Int64? { DaemonAnswer.number(name, members) }

  /// The texts of an array; nil for anything else.
  func texts(_ name: String) -> [ExactText]? {
    guard case .array(let elements)? = value(name) else { return nil }
    var texts: [ExactText] = []
    for element in elements {
      guard case .string(let text) = element.value else { return nil }
      texts.append(ExactText(text))
    }
    return texts
  }
}
