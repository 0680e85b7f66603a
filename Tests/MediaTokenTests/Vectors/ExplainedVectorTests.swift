import MediaToken
import Testing

@testable import MediaTokenFormats

/// Every vector, explained: the verdict is that of a verification, and no answer has a session GUID.
@Suite struct ExplainedVectorTests {
  @Test func anExplanationHasTheVerdictOfAVerification() throws {
    var valid = 0
    for vector in VectorFiles.all {
      let explained = ExplainedToken(
        vector.received.span, with: try VectorFiles.verifier(for: vector), requestor: vector.requestor,
        resource: vector.resource, at: vector.now, peekingAt: .none, in: .service)
      #expect(explained.answer == vector.verdict.answer, "\(vector.name)")
      if let reason = vector.reason { #expect(explained.reason == reason, "\(vector.name)") }
      #expect((explained.reason == nil) == (vector.verdict == .validToken), "\(vector.name)")
      if vector.verdict == .validToken { valid += 1 }
      expectWholeAnswer(explained, vector)
    }
    #expect(valid > 50)
  }

  /// One failed step for a refusal, none for a valid token, and nothing of the fields before they are verified.
  private func expectWholeAnswer(_ explained: ExplainedToken, _ vector: Vector) {
    var writer = JSONWriter()
    writer.object { explained.write(to: &$0) }
    let json = String(decoding: writer.bytes, as: UTF8.self)
    let outcomes = explained.explanation.reports.map(\.outcome)
    // An expired token's binding is reported as well.
    #expect(outcomes.contains(.failed) == (vector.verdict != .validToken), "\(vector.name)")
    // What is inside something else is explained by itself, and is no verdict.
    for inside in explained.inside {
      #expect(
        inside.inside.isEmpty && json.contains("\"inside\":{") && !json.contains("\"VALID_TOKEN\""),
        "\(vector.name)")
      if let fields = inside.explanation.fields { expectNoGUID(of: fields, in: json, vector) }
    }
    guard let fields = explained.explanation.fields else {
      #expect(explained.inside.count == 1 || !json.contains("\"life\""), "\(vector.name)")
      #expect(explained.explanation.bindings.isEmpty, "\(vector.name)")
      return
    }
    #expect(outcomes.prefix(4).allSatisfy { $0 == .passed }, "\(vector.name)")
    expectNoGUID(of: fields, in: json, vector)
  }

  private func expectNoGUID(of fields: TokenFields, in json: String, _ vector: Vector) {
    let others = fields.requestorID.text + fields.resourceID.text + fields.mvpdID.text
    if fields.sessionGUID.utf8.count >= 8, !others.contains(fields.sessionGUID) {
      #expect(!json.contains(fields.sessionGUID), "\(vector.name)")
    }
  }
}
