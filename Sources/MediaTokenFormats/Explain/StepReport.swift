package import MediaToken

package struct StepReport: Sendable {
  package let step: PathStep
  package var outcome = Outcome.notChecked
  /// Expected and found values with their names, in the order of printing.
  var findings: [(name: StaticString, value: String)] = []
  /// The cure of a failure.
  var next: String?
  package var notes: [(name: StaticString, value: String)] {
    findings + [next].compactMap(\.self).map { ("next", $0) }
  }

  init(step: PathStep) { self.step = step }

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

  /// `next`: the cure, where it is more than the rejection's.
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
  /// The cure. Of two documents it names the elements that differ, and not their content.
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
