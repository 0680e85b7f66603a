package import MediaToken

/// What an explanation says about one step.
package struct StepReport: Sendable {
  package let step: PathStep
  package var outcome = Outcome.notChecked
  /// What was expected, what was found: names and values in the order of printing.
  var findings: [(name: StaticString, value: String)] = []
  /// What to do about a failure.
  var next: String?
  /// All of these.
  package var notes: [(name: StaticString, value: String)] {
    findings + [next].compactMap(\.self).map { ("next", $0) }
  }

  init(step: PathStep) { self.step = step }

  /// How a step went.
  package enum Outcome: String, Sendable {
    case passed
    case failed
    case notChecked = "not checked"
    /// A fault on this side.
    case noAnswer = "no answer"

    /// For programs.
    var wireName: String {
      switch self {
      case .passed, .failed: rawValue
      case .notChecked: "not-checked"
      case .noAnswer: "no-answer"
      }
    }
  }

  mutating func expected(_ text: String) { findings.append(("expected", text)) }

  mutating func found(_ text: String) { findings.append(("found", text)) }

  /// - Parameter next: what to do, where that is more than the rejection tells.
  mutating func failed(_ rejection: Rejection, next: String? = nil) {
    failed(rejection.reason, rejection.detail, next ?? rejection.nextStep)
  }

  mutating func failed(_ reason: Reason) { failed(reason, reason.sentence, reason.nextStep) }

  private mutating func failed(_ reason: Reason, _ detail: String, _ nextStep: String) {
    outcome = .failed
    findings += [("reason", reason.rawValue), ("detail", detail)]
    next = nextStep
  }
}

extension Rejection {
  /// What to do about it. Of two documents it names the elements that differ, and not what is in them.
  fileprivate var nextStep: String {
    switch finding {
    case .difference(let parts): "compare the two documents in \(parts.names.joined(separator: ", "))"
    case .plainResource:
      "expect the id with --resource, or all of the channel with --resource-channel, if a plain id may start the video"
    case .byteOrderMark: "save the token without a byte order mark, which editors put at the beginning of a file"
    default: reason.nextStep
    }
  }
}
