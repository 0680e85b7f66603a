/// What an explanation says about a token besides its seven steps.
package struct ExplainedDetails: Sendable {
  /// The token's name, once its signed bytes were found.
  package let identity: String?
  /// Nil unless a trusted key signed times that can be read.
  package let life: ExplainedLife?
  /// Requestor and resource; none as long as no field is verified.
  package let bindings: [ExplainedBinding]
  /// `unused`, `used`, `unknown` or `not-enforced`.
  package let useState: String
  /// When it was used first, where the replay memory knows that.
  package let firstUsed: String?

  package init(
    identity: String?, life: ExplainedLife?, bindings: [ExplainedBinding], useState: String, firstUsed: String?
  ) {
    (self.identity, self.life, self.bindings) = (identity, life, bindings)
    (self.useState, self.firstUsed) = (useState, firstUsed)
  }

  /// What `useState` may be.
  package static let useStates = ["unused", "used", "unknown", "not-enforced"]

  /// The members that come before the steps.
  package func writeIdentityAndLife(to writer: inout JSONWriter) {
    if let identity { writer.member("identity", identity) }
    guard let life else { return }
    writer.name("life")
    writer.object { object in
      object.member("issued", life.issued)
      object.member("ends", life.ends)
      object.member("acceptedFrom", life.acceptedFrom)
      object.member("acceptedUntil", life.acceptedUntil)
      object.member("skewMilliseconds", life.skewMilliseconds)
    }
  }

  /// The members that come after them.
  package func writeBindingAndUse(to writer: inout JSONWriter) {
    writer.name("binding")
    writer.array { array in
      for binding in bindings {
        array.object { object in
          object.member("name", binding.name)
          object.member("outcome", binding.outcome.wireName)
          object.member("expected", binding.expected)
          object.member("found", binding.found)
        }
      }
    }
    writer.name("use")
    writer.object { object in
      object.member("state", useState)
      if let firstUsed { object.member("firstUsed", firstUsed) }
    }
  }
}
