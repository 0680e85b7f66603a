package import MediaToken
internal import MediaTokenSystem

/// An explanation in words: the same sentences on the terminal and on the inspector's page.
extension ExplainedToken {
  /// The outcome in one sentence.
  package var headline: String {
    switch conclusion {
    case .valid: "This token would be accepted."
    case .refused(.unservedRequestor, _):
      "The requestor that \(explanation.asked.requestor ? "was asked about" : "the token names") is not served here."
    case .refused(_, let detail): "Refused: \(detail)."
    case .notCompared(let names): "Not refused, but not checked: \(names.joined(by: "and"))."
    case .undecided: "No verdict: there is a fault on this side."
    }
  }

  /// The sentence after the headline: the party at fault, or the next comparison to make.
  package var meaning: String {
    switch conclusion {
    case .valid: "Every check passes at this moment. This is no promise: the token may be used a moment later."
    case .refused(let reason, _): reason.meaning
    case .notCompared(let names):
      "Before you tell the viewer anything, compare the \(names.joined(by: "and the")) below with what the app wants to play, or name it in the question: a token for anything else is refused."
    case .undecided(let fault):
      "\(fault.answer.wireName) says nothing about the token. If it goes on, tell those who run the service."
    }
  }

  /// The sentence to tell the viewer; nil where the question has to be corrected or completed first.
  package var sentenceForNow: String? { reason == .unservedRequestor ? nil : viewerSentence }

  /// The next steps, a sentence for each.
  package var next: [String] {
    let failed = explanation.failed
    var said: [String] = []
    if [.armor, .envelope, .signature].contains(failed?.step) {
      said.append(
        "First look whether this is all that the app sent and nothing else: copying can cut it off, break its lines or add a quotation mark."
      )
    }
    if let action {
      said.append(
        isLongWait
          ? "To wait a moment is not enough: the token is accepted in \(SpelledTime.duration(explanation.life?.wait ?? 0)) at the earliest. Give the report below to those who run the service."
          : action.nextSentence)
    } else {
      said.append(
        "Nothing, if they agree: the video may start. If not, the app gets a token for what it wants to play.")
    }
    if failed?.step == .lifetime,
      explanation.reports.contains(where: { $0.step == .binding && $0.outcome == .failed })
    {
      said.append("A new token like this one would be refused as well: step 6 says why.")
    }
    if let cure = failed?.next {
      said.append("For those who run the service: \(cure).")
    }
    return said
  }

  /// The lines to paste into a report, before that of the ``clock``. No token is in it, and no viewer.
  package var report: [(name: String, value: String)] {
    var lines: [(name: String, value: String)] = []
    if case .undecided = conclusion {
      lines = [("Verdict", "none"), ("Fault", answer.map { "\($0.wireName) (\($0.number))" } ?? "")]
    } else {
      lines = [("Verdict", answer.map { "\($0.wireName) (\($0.number))" } ?? "none")]
    }
    if let reason { lines.append(("Reason", reason.rawValue)) }
    if let answer, let action {
      lines += [("Action", action.rawValue), ("Adobe's code", answer.adobeCode.rawValue)]
    }
    for (name, value) in explanation.failed?.comparison ?? [] { lines.append((name, value)) }
    if let identity = explanation.identity {
      lines += [("Name in the log", identity.logName), ("Whole name", identity.description)]
    }
    return lines
  }

  /// The name of the last line of a report, which has ``Explanation/now``.
  package static let clock = "Clock"

  /// The replay memory's knowledge; nil where it was not asked.
  package var useSummary: String? {
    switch useState {
    case .unused: "Not used so far, as the replay memory has it."
    case .used: "Used before."
    case .notEnforced: explanation.fields == nil ? nil : "One use is not enforced: there is no replay memory."
    case .unknown:
      [.failed, .noAnswer].contains(explanation.reports.last?.outcome) ? "Not known: see step 7." : nil
    }
  }
}

extension Action {
  /// The app's next step.
  package var nextSentence: String {
    switch self {
    case .nothing: "Nothing: the video may start."
    case .newToken: "The app gets a new token, and tries once more with that."
    case .retry: "The app waits a moment, and tries the same token again."
    case .report: "Trying again does not help. Give the report below to those who run the service."
    }
  }
}
