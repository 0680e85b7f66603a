/// What an explanation says about the decision that a token came in. The verdict is made without it.
package struct DecisionReport: Sendable {
  /// Where the decision and the signed fields say different things; nil if no trusted key signed the fields, or if they could not
  /// be read.
  package let differences: [DecisionDifference]?

  package init(differences: [DecisionDifference]?) { self.differences = differences }

  /// Whether they agree, in words.
  package var outcome: String {
    guard let differences else { return StepReport.Outcome.notChecked.rawValue }
    return differences.isEmpty ? "agrees" : "differs"
  }

  /// What a decision should say.
  package static let expected =
    "what the token says; nothing else in the decision is signed, or changes the verdict"

  /// As a member of a JSON object, after the member `steps`: for programs on this host's command line.
  package func write(to writer: inout JSONWriter) {
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
