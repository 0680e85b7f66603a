import Testing

@testable import MediaToken

@Suite("The observer of the path")
struct PathObserverTests {
  /// Notes what it is told.
  private struct Notes: PathObserver {
    private(set) var steps: [PathStep] = []
    private(set) var names: [(identity: TokenIdentity, afterSteps: Int)] = []

    mutating func named(_ identity: TokenIdentity) { names.append((identity, steps.count)) }
    mutating func passed(_ step: PathStep) { steps.append(step) }
  }

  private static func verify(_ vector: Vector, _ notes: inout Notes) throws -> Result<VerifiedToken, Refusal> {
    let verifier = try VectorFiles.verifier(for: vector)
    return Result { () throws(Refusal) in
      try verifier.verify(
        vector.received.span, requestor: vector.requestor, resource: vector.resource, at: vector.now,
        observer: &notes)
    }
  }

  @Test func everyStepIsToldInOrder() throws {
    var notes = Notes()
    let token = try Self.verify(GenuineToken().vector, &notes).get()
    #expect(notes.steps == PathStep.allCases)
    #expect(notes.names.map(\.identity) == [token.identity])
    #expect(notes.names.map(\.afterSteps) == [2])
  }

  /// An observer changes nothing, and sees no step that was not passed.
  @Test(arguments: VectorFiles.all)
  func observedTokenComesToTheSame(_ vector: Vector) throws {
    var notes = Notes()
    let verifier = try VectorFiles.verifier(for: vector)
    let unobserved = refusal { () throws(Refusal) in
      try verifier.verify(
        vector.received.span, requestor: vector.requestor, resource: vector.resource, at: vector.now)
    }
    switch try Self.verify(vector, &notes) {
    case .success: #expect(unobserved == nil)
    case .failure(let refusal): #expect(unobserved == refusal)
    }
    #expect(notes.steps.elementsEqual(PathStep.allCases.prefix(notes.steps.count)))
    let passed = notes.steps.count
    switch unobserved?.reason?.verdict {
    case nil: #expect(passed == 7)
    case .invalidTokenFormat: #expect(passed < 5 && passed != 2)
    case .invalidSignature: #expect(passed == 2)
    case .tokenExpired, .tokenNotYetValid: #expect(passed == 4)
    default: #expect(passed == 5)
    }
  }

  /// Step 7 is told of once it has let the token pass, and not before.
  @Test func usedTokenPassesSixSteps() throws {
    struct Used: Store {
      func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome { .alreadyUsed }
    }
    var notes = Notes()
    let genuine = try GenuineToken()
    let verifier = try genuine.verifier(replayMemory: Used())
    let found = refusal { () throws(Refusal) in
      try verifier.verify(
        genuine.vector.received.span, requestor: genuine.vector.requestor, resource: genuine.vector.resource,
        at: genuine.vector.now, observer: &notes)
    }
    #expect(found?.reason == .alreadyUsed)
    #expect(notes.steps == PathStep.allCases.dropLast())
  }
}
