internal import MediaTokenDecision
internal import MediaTokenJSON

/// What `explain` says of the decision that a token came in. The verdict is made without it.
struct DecisionReport {
  /// Where the decision and the signed fields say different things; nil if no trusted key signed the fields, or if they could not
  /// be read.
  let differences: [DecisionDifference]?

  private var outcome: String {
    guard let differences else { return "not checked" }
    return differences.isEmpty ? "agrees" : "differs"
  }

  private static let expected =
    "what the token says; nothing else in the decision is signed, or changes the verdict"

  /// After the steps.
  var text: String {
    var text = "decision: \(outcome)\n  " + VerdictText.line("expected", Self.expected)
    for difference in differences ?? [] { text += "  " + VerdictText.line(difference.member, difference.shown) }
    return text
  }

  /// After the member `steps`.
  func write(to writer: inout JSONWriter) {
    writer.name("decision")
    writer.object { object in
      object.member("outcome", outcome)
      object.member("expected", Self.expected)
      object.name("differences")
      object.array { array in
        for difference in differences ?? [] {
          array.object { object in
            object.member("member", difference.member)
            object.member("decision", difference.decision)
            object.member("signed", difference.signed)
          }
        }
      }
    }
  }
}

extension DecisionDifference {
  fileprivate var shown: String { "\(decision) in the decision, \(signed) signed" }
}
