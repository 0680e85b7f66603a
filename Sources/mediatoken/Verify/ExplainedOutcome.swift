internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats

/// What `mediatoken explain` prints, whether it looked by itself or a daemon did.
struct ExplainedOutcome {
  let conclusion: Conclusion
  let reports: [StepReport]
  let details: ExplainedDetails
  let decision: DecisionReport?

  enum Conclusion {
    /// A verdict, what comes next, and what to tell the viewer.
    case verdict(Answer, Action, viewer: String)
    /// No rule is broken, but these names were compared with nothing.
    case notCompared([String])
  }

  /// What is printed in place of a verdict.
  static let noVerdict = "NO_VERDICT"

  /// For people.
  var text: String {
    var text =
      switch conclusion {
      case .verdict(let answer, let action, let viewer):
        answer.wireName + "\n" + VerdictText.next(action, answer) + VerdictText.line("viewer", viewer)
      case .notCompared(let names):
        Self.noVerdict + "\n" + VerdictText.line("not checked", names.joined(separator: ", "))
      }
    for report in reports {
      text += "\(report.step.rawValue): \(report.outcome.rawValue)\n"
      for (name, value) in report.notes { text += "  " + VerdictText.line("\(name)", value) }
    }
    return text + (decision?.text ?? "")
  }

  /// For programs.
  var json: String {
    OutputOptions.line { writer in
      switch conclusion {
      case .verdict(let answer, let action, let viewer):
        writer.member("verdict", answer.wireName)
        writer.member("number", Int64(answer.number))
        writer.next(action, answer.adobeCode)
        writer.member("viewer", viewer)
      case .notCompared(let names):
        writer.name("notChecked")
        writer.array { array in for name in names { array.string(name) } }
      }
      details.writeIdentityAndLife(to: &writer)
      writer.name("steps")
      writer.array { array in
        for report in reports {
          array.object { object in
            object.member("step", report.step.rawValue)
            object.member("outcome", report.outcome.rawValue)
            for (name, value) in report.notes { object.member(name, value) }
          }
        }
      }
      details.writeBindingAndUse(to: &writer)
      decision?.write(to: &writer)
    }
  }

  /// Prints it.
  ///
  /// - Returns: the exit status of the verdict.
  /// - Throws: that there is no verdict.
  func print(_ arguments: Arguments) throws(ToolError) -> Int32 {
    try StandardOutput.write(arguments.has(OutputOptions.json) ? json : text)
    switch conclusion {
    case .verdict(let answer, _, _): return answer.exitStatus
    case .notCompared(let names):
      let cures = names.map { $0 == "requestor" ? Self.cures.requestor : Self.cures.resource }
      throw .unable(
        "no verdict: the token's \(names.joined(separator: " and ")) \(names.count == 1 ? "was" : "were") compared with nothing; give \(cures.joined(separator: ", and "))"
      )
    }
  }

  private static let cures = (
    requestor: "\(ExpectationOptions.requestorID.usage) or \(ExpectationOptions.anyRequestor.usage)",
    resource: "\(ExpectationOptions.resource.usage) or \(ExpectationOptions.anyResource.usage)"
  )
}
