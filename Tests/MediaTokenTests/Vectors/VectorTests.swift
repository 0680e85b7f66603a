import MediaToken
import Testing

@Suite("Vectors")
struct VectorTests {
  @Test func thereAreVectors() {
    #expect(VectorFiles.shared.count == 213)
    #expect(VectorFiles.own.count >= 1_400)
    #expect(Set(VectorFiles.all.map(\.name)).count == VectorFiles.all.count)
    #expect(VectorFiles.all.contains { $0.verdict == .validToken })
  }

  @Test(arguments: VectorFiles.all)
  func verdictAndReasonAgree(_ vector: Vector) throws {
    let verifier = try VectorFiles.verifier(for: vector)
    do throws(Refusal) {
      let token = try verifier.verify(
        vector.received.span, requestor: vector.requestor, resource: vector.resource, at: vector.now)
      #expect(vector.verdict == .validToken, "accepted as \(token.identity.logName)")
      #expect(vector.now < token.expiresAt)
      #expect(token.use == .notEnforced)
      if case .exactly(let resource) = vector.resource {
        #expect(token.resourceID == resource)
      }
      if case .exactly(let requestor) = vector.requestor {
        #expect(token.requestorID == requestor)
      }
    } catch {
      guard case .rejected(let rejection) = error else {
        Issue.record("undecided: \(error)")
        return
      }
      #expect(rejection.verdict == vector.verdict, "\(rejection.reason)")
      if let reason = vector.reason { #expect(rejection.reason == reason) }
    }
  }

  /// A rule that no vector breaks could be dropped unnoticed.
  @Test(arguments: Reason.allCases)
  func everyReasonHasAVector(_ reason: Reason) {
    let vectors = VectorFiles.own.filter { $0.reason == reason }
    if let exemption = Self.exemptions[reason] {
      #expect(vectors.isEmpty, "has a vector, so it is no exemption: \(exemption)")
    } else {
      #expect(!vectors.isEmpty, "no vector in Tests/Vectors/own has this reason")
      #expect(vectors.allSatisfy { $0.verdict == reason.verdict })
    }
  }

  /// Reasons that no token provokes by itself.
  private static let exemptions: [Reason: String] = [
    .alreadyUsed: "what a replay memory says",
    .expiredForReplayMemory: "what a replay memory says",
    .predatesReplayMemory: "what a replay memory says",
    .unservedRequestor: "what a question is about",
    // The gate refuses first whatever libxml2 would refuse. A token that provokes it has found a gap between the two.
    .secondParserRefused: "tested with the first lock open",
  ]
}
