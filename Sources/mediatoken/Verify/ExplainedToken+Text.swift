internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats

/// An explanation on the terminal: for people, or for programs in the shape that the inspector answers in.
extension ExplainedToken {
  /// What is printed in place of a verdict.
  private static let noVerdict = "NO_VERDICT"

  /// Prints it.
  ///
  /// - Returns: the exit status of the verdict.
  /// - Throws: why there is no verdict, after what was found.
  func print(_ arguments: Arguments) throws(ToolError) -> Int32 {
    try StandardOutput.write(
      arguments.has(OutputOptions.json) ? OutputOptions.line { write(to: &$0) } : text)
    switch conclusion {
    case .valid: return Verdict.validToken.answer.exitStatus
    case .refused(let reason, _): return reason.verdict.answer.exitStatus
    case .notCompared(let names):
      let cures = names.map { $0 == "requestor" ? Self.cures.requestor : Self.cures.resource }
      throw .unable(
        "no verdict: the token's \(names.joined(separator: " and ")) \(names.count == 1 ? "was" : "were") compared with nothing; give \(cures.joined(separator: ", and "))"
      )
    case .undecided(let fault):
      let found = findings.map { "\n  " + VerdictText.shown($0) }
      throw .unable(VerifyCommand.noVerdict(fault).description + found.joined())
    }
  }

  private static let cures = (
    requestor: "\(ExpectationOptions.requestorID.usage) or \(ExpectationOptions.anyRequestor.usage)",
    resource: "\(ExpectationOptions.resource.usage) or \(ExpectationOptions.anyResource.usage)"
  )

  /// For people.
  private var text: String {
    var text = firstLines
    if let answer, let action, let viewerSentence {
      text += VerdictText.next(action, answer) + VerdictText.line("viewer", viewerSentence)
    }
    text += steps(after: "")
    if let inside = inside.first { text += "inside:\n" + inside.steps(after: "  ") }
    guard let decision else { return text }
    text += "decision: \(decision.outcome)\n  " + VerdictText.line("expected", DecisionReport.expected)
    for difference in decision.differences ?? [] {
      let found = "\(difference.decision) in the decision, \(difference.signed) signed"
      text += "  " + VerdictText.line(difference.member, found)
    }
    return text
  }

  private func steps(after space: String) -> String {
    explanation.reports.map { report in
      "\(space)\(report.step.rawValue): \(report.outcome.rawValue)\n"
        + report.notes.map { "\(space)  " + VerdictText.line("\($0.name)", $0.value) }.joined()
    }.joined()
  }

  /// The verdict, or why there is no verdict.
  private var firstLines: String {
    switch conclusion {
    case .valid: Verdict.validToken.answer.wireName + "\n"
    case .refused(let reason, _): reason.verdict.answer.wireName + "\n"
    case .notCompared(let names):
      Self.noVerdict + "\n" + VerdictText.line("not checked", names.joined(separator: ", "))
    case .undecided(let fault): Self.noVerdict + "\n" + VerdictText.line("fault", fault.answer.wireName)
    }
  }
}
