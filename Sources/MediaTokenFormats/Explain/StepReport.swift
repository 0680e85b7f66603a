package import MediaToken

/// A step and its outcome, with the facts about it.
package struct StepReport: Sendable {
  package let step: PathStep
  private let wording: Wording
  package var outcome = Outcome.notChecked
  /// In the order of printing.
  var facts: [StepFact] = []

  init(step: PathStep, _ wording: Wording) { (self.step, self.wording) = (step, wording) }

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

  /// For people: each fact, and what to do.
  package var notes: [(name: StaticString, value: String)] {
    facts.flatMap(\.lines) + [next].compactMap(\.self).map { ("next", $0) }
  }

  /// For a report: what was expected and found, without any text of a token that no key signed.
  var comparison: [(name: String, value: String)] {
    facts.flatMap { fact -> [(name: String, value: String)] in
      if case .unknownText = fact { return [] }
      return fact.lines.compactMap { name, value in
        ["expected": "Expected", "found": "Found"]["\(name)"].map { ($0, value) }
      }
    }
  }

  /// The cure of a failure: those of its causes, the outermost first and each once; or that of its reason.
  var next: String? {
    var (cures, cure) = ([String](), String?.none)
    for fact in facts {
      if case .refused(_, _, let ofReason) = fact { cure = ofReason }
      if let ofCause = fact.cureOfCause?.text(in: wording), !cures.contains(ofCause) { cures.append(ofCause) }
    }
    return cures.isEmpty ? cure : cures.joined(separator: "; then ")
  }

  /// `cure`: in place of the rejection's.
  mutating func fail(_ rejection: Rejection, cure: Cure? = nil) {
    fail(rejection.reason, rejection.detail, cure: cure ?? rejection.cure)
  }

  mutating func fail(_ reason: Reason, _ detail: String, cure: Cure) {
    outcome = .failed
    facts.append(.refused(reason, detail: detail, cure: cure.text(in: wording)))
  }
}

extension Rejection {
  /// Of two documents it names the elements that differ, and not their content.
  fileprivate var cure: Cure {
    switch finding {
    case .difference(let parts): Cure("compare the two documents in \(parts.names.joined(separator: ", "))")
    case .plainResource:
      Cure {
        "expect the id with \($0.part(.resource)), or all of the channel with \($0.part(.resourceChannel)), if a plain id may start the video"
      }
    case .byteOrderMark: "save the token without a byte order mark, which editors put at the beginning of a file"
    case .nothing, .length, .offset, .field, .milliseconds, .document: reason.cure
    }
  }
}
