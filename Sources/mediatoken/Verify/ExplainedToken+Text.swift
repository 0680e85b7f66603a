internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenSystem

/// An explanation on the terminal: for people, or for programs in the shape of the inspector's answers.
extension ExplainedToken {
  /// The exit status is the verdict's. Without a verdict it throws the reason, after it has printed the findings.
  func print(_ arguments: Arguments) throws(Problem) -> Int32 {
    try StandardOutput.write(
      arguments.has(OutputOptions.json) ? OutputOptions.line { write(to: &$0) } : text)
    switch conclusion {
    case .valid: return Verdict.validToken.answer.exitStatus
    case .refused(let reason, _): return reason.verdict.answer.exitStatus
    case .notCompared(let names):
      let cures = names.map { name in
        switch name {
        case .requestor: "\(ExpectationOptions.requestorID.usage) or \(ExpectationOptions.anyRequestor.usage)"
        case .resource: "\(ExpectationOptions.resource.usage) or \(ExpectationOptions.anyResource.usage)"
        }
      }
      throw Problem(
        "no verdict: the token's \(names.joined(by: "and")) \(names.wereNot) compared",
        cure: "give \(cures.joined(separator: ", and "))")
    case .undecided(let fault):
      let found = findings.map { "\n  " + VerdictText.shown($0) }
      throw Problem(VerifyCommand.noVerdict(fault).description + found.joined())
    }
  }

  /// For people: the outcome, the next steps, the findings, each step, and the lines for a report.
  private var text: String {
    var text = VerdictText.shown(headline) + "\n" + VerdictText.shown(meaning) + "\n"
    if let sentenceForNow { text += VerdictText.line("tell the viewer", sentenceForNow) }
    text += next.map { VerdictText.line("next", $0) }.joined()
    text += findings(after: "")
    if let inside = inside.first { text += "inside:\n" + inside.findings(after: "  ") }
    if let decision {
      text += "decision: \(decision.outcome)\n  " + VerdictText.line("expected", DecisionReport.expected)
      for difference in decision.differences ?? [] {
        let found = "\(difference.decision) in the decision, \(difference.signed) signed"
        text += "  " + VerdictText.line(difference.member, found)
      }
    }
    return text + "for a report:\n" + report.map { "  " + VerdictText.line($0.name, $0.value) }.joined()
      + "  " + VerdictText.line(Self.clock, Self.local(explanation.now))
  }

  /// Findings that do not apply are left out.
  private func findings(after space: String) -> String {
    var text = ""
    if let life = explanation.life {
      text += space + VerdictText.line("life", life.summary)
      text += life.times.map { "\(space)  " + VerdictText.line($0.name, Self.local($0.time)) }.joined()
    }
    if let useSummary {
      text += space + VerdictText.line("use", useSummary)
      if let firstUsed { text += "\(space)  " + VerdictText.line("first", Self.local(firstUsed)) }
    }
    return text
      + explanation.reports.map { report in
        "\(space)\(report.step.rawValue): \(report.outcome.rawValue)\n"
          + report.notes.map { "\(space)  " + VerdictText.line("\($0.name)", $0.value) }.joined()
      }.joined()
  }

  /// In UTC, as the log has it, and in local time.
  private static func local(_ time: Instant) -> String {
    let here = SpelledTime.local(millisecondsSinceEpoch: time.millisecondsSinceEpoch)
    return time.description + (here.map { " (here \($0))" } ?? "")
  }
}
