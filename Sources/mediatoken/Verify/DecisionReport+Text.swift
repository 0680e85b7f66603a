internal import MediaTokenFormats

extension DecisionReport {
  /// For people, after the steps.
  var text: String {
    var text = "decision: \(outcome)\n  " + VerdictText.line("expected", Self.expected)
    for difference in differences ?? [] { text += "  " + VerdictText.line(difference.member, difference.shown) }
    return text
  }
}

extension DecisionDifference {
  fileprivate var shown: String { "\(decision) in the decision, \(signed) signed" }
}
