internal import MediaToken
internal import MediaTokenExplain
internal import MediaTokenJSON

/// What `mediatoken explain` prints, whether it looked by itself or a daemon did.
struct ExplainedOutcome {
  let answer: Answer
  let action: Action
  let reports: [StepReport]
  let decision: DecisionReport?

  /// For people.
  var text: String {
    var text = answer.wireName + "\n" + VerdictText.next(action, answer)
    for report in reports {
      text += "\(report.step.rawValue): \(report.outcome.rawValue)\n"
      for (name, value) in report.notes { text += "  " + VerdictText.line("\(name)", value) }
    }
    return text + (decision?.text ?? "")
  }

  /// For programs.
  var json: String {
    OutputOptions.line { writer in
      writer.member("verdict", answer.wireName)
      writer.member("number", Int64(answer.number))
      writer.next(action, answer.adobeCode)
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
      decision?.write(to: &writer)
    }
  }
}

extension ExplainedToken {
  /// What there is to print.
  var outcome: ExplainedOutcome {
    ExplainedOutcome(answer: answer, action: action, reports: explanation.reports, decision: decision)
  }
}
