internal import MediaToken

extension ExplainedToken {
  /// What every explanation says about itself.
  package static let notice = "nothing here lets anyone play; no token was used up"

  /// Writes the members of the answer to `POST /v1/explain`. A session GUID is not among them.
  ///
  /// Only a token that would be accepted as it was asked about has the verdict `VALID_TOKEN`. What was compared with nothing
  /// is named in its place, so that no program takes a comparison for granted.
  package func write(to writer: inout JSONWriter) {
    writer.member("notice", Self.notice)
    writeConclusion(to: &writer)
    writer.member("now", explanation.now.description)
    let details = details
    details.writeIdentityAndLife(to: &writer)
    writeSteps(to: &writer)
    details.writeBindingAndUse(to: &writer)
    writeDecision(to: &writer)
  }

  private func writeConclusion(to writer: inout JSONWriter) {
    switch conclusion {
    case .notCompared(let names):
      writer.name("notChecked")
      return writer.array { array in for name in names { array.string(name) } }
    case .undecided(let fault): writer.member("fault", fault.answer.wireName)
    case .valid, .refused: if let answer { writer.member("verdict", answer.wireName) }
    }
    guard let answer, let action, let viewerSentence else { return }
    writer.member("number", Int64(answer.number))
    if let reason { writer.member("reason", reason.rawValue) }
    if let detail { writer.member("detail", detail) }
    writer.member("action", action.rawValue)
    writer.member("adobeCode", answer.adobeCode.rawValue)
    writer.member("viewer", viewerSentence)
  }

  private func writeSteps(to writer: inout JSONWriter) {
    writer.name("steps")
    writer.array { array in
      for report in explanation.reports {
        array.object { object in
          object.member("step", report.step.rawValue)
          object.member("outcome", report.outcome.wireName)
          object.name("notes")
          object.array { notes in
            for (name, value) in report.notes {
              notes.object { note in
                note.member("name", "\(name)")
                note.member("value", value)
              }
            }
          }
        }
      }
    }
  }

  private func writeDecision(to writer: inout JSONWriter) {
    guard let decision else { return }
    writer.name("decision")
    writer.object { object in
      object.member("outcome", decision.differences == nil ? "not-checked" : decision.outcome)
      object.name("differences")
      object.array { array in
        for difference in decision.differences ?? [] {
          array.object { object in
            object.member("member", difference.member)
            object.member("signed", difference.signed)
            object.member("unsigned", difference.decision)
          }
        }
      }
    }
  }
}
