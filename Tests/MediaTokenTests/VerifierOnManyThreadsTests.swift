import Testing

@testable import MediaToken

@Suite("One verifier, many threads")
struct VerifierOnManyThreadsTests {
  /// Case 71: every vector on eight tasks at once gets the verdict that it gets alone.
  @Test func verdictsDoNotDependOnOthers() async throws {
    let vectors = VectorFiles.shared.filter { $0.keys == ["rsa2048.pem"] && $0.policy == .standard }
    let verifier = try VectorFiles.verifier(for: vectors[0])
    let wrong = await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          var wrong: [String] = []
          for round in 0..<6 {
            for index in vectors.indices {
              let vector = vectors[(index * 7 + task * 31 + round) % vectors.count]
              let found = refusal { () throws(Refusal) in
                try verifier.verify(
                  vector.received.span, requestor: vector.requestor, resource: vector.resource, at: vector.now)
              }
              let verdict = found?.answer ?? Verdict.validToken.answer
              if verdict != vector.verdict.answer { wrong.append(vector.name) }
            }
          }
          return wrong
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(wrong == [])
    #expect(vectors.count > 150)
  }

  @Test func policiesShareTheMemoryToWorkIn() throws {
    let genuine = try GenuineToken()
    let one = try genuine.verifier()
    let strict = TokenPath(
      one, applying: try Policy(maxLifetime: .seconds(3600), mvpds: MVPDList(allowing: ["another"])))
    #expect(one.contexts === strict.contexts)
    func reason(_ path: TokenPath) -> Reason? {
      refusal { () throws(Refusal) in
        try path.verify(
          genuine.vector.received.span, requestor: genuine.vector.requestor, resource: genuine.vector.resource,
          at: genuine.vector.now)
      }?.reason
    }
    #expect(reason(strict) == .mvpdNotListed && reason(one) == nil && reason(strict) == .mvpdNotListed)
  }
}
