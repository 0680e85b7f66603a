/// The part of an explanation about the decision that a token came in. The verdict is made without it.
package struct DecisionReport: Sendable {
  /// The differences between the decision and the signed fields; nil if no trusted key signed them, or they could not
  /// be read.
  package let differences: [DecisionDifference]?

  /// For people.
  package var outcome: String {
    guard let differences else { return StepReport.Outcome.notChecked.rawValue }
    return differences.isEmpty ? "agrees" : "differs"
  }

  package static let expected =
    "the token's own values; nothing else in the decision is signed or changes the verdict"

  func write(to object: inout JSONWriter) {
    object.member("outcome", differences == nil ? StepReport.Outcome.notChecked.wireName : outcome)
    object.member("differences", objects: differences ?? []) { difference, object in
      object.member("member", difference.member)
      object.member("signed", difference.signed)
      object.member("unsigned", difference.decision)
    }
  }
}
