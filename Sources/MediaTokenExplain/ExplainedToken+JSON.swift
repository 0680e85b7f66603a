internal import MediaToken
package import MediaTokenJSON

extension ExplainedToken {
  /// What every explanation says about itself.
  package static let notice = "nothing here lets anyone play; no token was used up"

  /// Writes the members of the answer to `POST /v1/explain`. A session GUID is not among them.
  package func write(to writer: inout JSONWriter) {
    writer.member("notice", Self.notice)
    writer.member("verdict", answer.wireName)
    writer.member("number", Int64(answer.number))
    if let reason { writer.member("reason", reason.rawValue) }
    if let detail { writer.member("detail", detail) }
    writer.member("action", action.rawValue)
    writer.member("adobeCode", answer.adobeCode.rawValue)
    writer.member("viewer", viewerSentence)
    writer.member("now", explanation.now.description)
    if let identity = explanation.identity { writer.member("identity", identity.description) }
    writeLife(to: &writer)
    writeSteps(to: &writer)
    writeBinding(to: &writer)
    writeUse(to: &writer)
    writeDecision(to: &writer)
  }

  private func writeLife(to writer: inout JSONWriter) {
    guard let lifetime = explanation.lifetime else { return }
    let life = ExplainedLife(lifetime, explanation.policy, at: explanation.now)
    writer.name("life")
    writer.object { object in
      object.member("issued", life.issued.description)
      object.member("ends", life.ends.description)
      object.member("acceptedFrom", life.acceptedFrom.description)
      object.member("acceptedUntil", life.acceptedUntil.description)
      object.member("skewMilliseconds", life.skewMilliseconds)
    }
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

  private func writeBinding(to writer: inout JSONWriter) {
    writer.name("binding")
    writer.array { array in
      for binding in explanation.bindings {
        array.object { object in
          object.member("name", binding.name)
          object.member("outcome", binding.outcome.wireName)
          object.member("expected", binding.expected)
          object.member("found", binding.found)
        }
      }
    }
  }

  private func writeUse(to writer: inout JSONWriter) {
    writer.name("use")
    writer.object { object in
      object.member("state", useState)
      if let second = use?.firstUseSecond, second > 0, second < .max / 1000 {
        object.member("firstUsed", Instant(millisecondsSinceEpoch: second * 1000).description)
      }
    }
  }

  /// What a look at the replay memory says.
  private var useState: String {
    guard isUseEnforced else { return "not-enforced" }
    switch use?.decision {
    case .granted(.first): return "unused"
    case .alreadyUsed, .granted(.retry): return "used"
    case .granted(.notEnforced), .expired, .predatesMemory, nil: return "unknown"
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
