/// What an explanation says about the decision that a token came in. The verdict is made without it.
package struct DecisionReport: Sendable {
  /// Where the decision and the signed fields say different things; nil if no trusted key signed the fields, or if they could not
  /// be read.
  package let differences: [DecisionDifference]?

  /// Whether they agree, in words.
  package var outcome: String {
    guard let differences else { return StepReport.Outcome.notChecked.rawValue }
    return differences.isEmpty ? "agrees" : "differs"
  }

  /// What a decision should say.
  package static let expected =
    "what the token says; nothing else in the decision is signed, or changes the verdict"

  /// Writes its members.
  func write(to object: inout JSONWriter) {
    object.member("outcome", differences == nil ? StepReport.Outcome.notChecked.wireName : outcome)
    object.member("differences", objects: differences ?? []) { difference, object in
      object.member("member", difference.member)
      object.member("signed", difference.signed)
      object.member("unsigned", difference.decision)
    }
  }
}
