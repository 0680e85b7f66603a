import Synchronization
import Testing

@testable import MediaToken

@Suite("Step 7: one use")
struct OneUseTests {
  /// A memory that says what it is told to, and counts.
  final class ScriptedMemory: Store {
    let answer: Result<UseOutcome, Fault>
    let claims = Mutex<[UseClaim]>([])
    /// What it was told to prepare for, and how many claims there were by then.
    let prepared = Mutex<[(identity: TokenIdentity, claims: Int)]>([])

    init(_ answer: Result<UseOutcome, Fault>) { self.answer = answer }

    func prepare(for identity: TokenIdentity) {
      let claims = claims.withLock { $0.count }
      prepared.withLock { $0.append((identity, claims)) }
    }

    func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome {
      claims.withLock { $0.append(claim) }
      return try answer.get()
    }
  }

  private static func verify(_ vector: Vector, _ memory: ScriptedMemory) throws -> Result<VerifiedToken, Refusal> {
    let keys = try VectorFiles.verifier(for: vector).trustedKeys
    let verifier = try TokenPath(trustedKeys: keys, policy: vector.policy, replayMemory: memory)
    return Result { () throws(Refusal) in
      try verifier.verify(
        vector.received.span, requestor: vector.requestor, resource: vector.resource, at: vector.now)
    }
  }

  @Test(arguments: UseOutcome.allCases)
  func everyOutcomeHasItsAnswer(_ outcome: UseOutcome) throws {
    let result = try Self.verify(GenuineToken().vector, ScriptedMemory(.success(outcome)))
    switch outcome {
    case .granted(.first): #expect(try result.get().use == .first)
    case .granted(.retry): #expect(try result.get().use == .retry)
    case .granted(.notEnforced): #expect(try result.get().use == .notEnforced)
    case .alreadyUsed: #expect(Self.reason(result) == .alreadyUsed)
    case .expired: #expect(Self.reason(result) == .expiredForReplayMemory)
    case .predatesMemory: #expect(Self.reason(result) == .predatesReplayMemory)
    }
  }

  @Test(arguments: Fault.allCases)
  func faultIsNoVerdict(_ fault: Fault) throws {
    let result = try Self.verify(GenuineToken().vector, ScriptedMemory(.failure(fault)))
    #expect(throws: Refusal.undecided(fault)) { try result.get() }
    #expect(Refusal.undecided(fault).answer.httpStatus == 503)
  }

  /// A memory is prepared once, before the claim and before it is known whether the signature is good, and of the very
  /// identity that is claimed; not at all of what has no signed bytes.
  @Test func memoryIsPreparedBeforeTheClaim() throws {
    let token = try GenuineToken()
    let memory = ScriptedMemory(.success(.firstUse))
    let identity = try Self.verify(token.vector, memory).get().identity
    let prepared = memory.prepared.withLock { $0 }
    #expect(prepared.map(\.identity) == [identity])
    #expect(prepared.map(\.claims) == [0])
    #expect(memory.claims.withLock { $0.map(\.identity) } == [identity])
    for vector in VectorFiles.shared {
      let memory = ScriptedMemory(.success(.firstUse))
      let result = try Self.verify(vector, memory)
      let count = memory.prepared.withLock { $0.count }
      switch Self.reason(result)?.verdict {
      case nil, .invalidSignature: #expect(count == 1, "\(vector.name)")
      default: #expect(count <= 1, "\(vector.name)")
      }
    }
  }

  /// Cases 115 and 130: a token that is refused for any other reason is not spent.
  @Test func onlyAFullyCheckedTokenIsSpent() throws {
    var refused = 0
    for vector in VectorFiles.shared {
      let memory = ScriptedMemory(.success(.firstUse))
      let result = try Self.verify(vector, memory)
      let claims = memory.claims.withLock { $0.count }
      #expect(claims == (vector.verdict == .validToken ? 1 : 0), "\(vector.name)")
      if case .failure = result { refused += 1 }
    }
    #expect(refused > 100)
  }

  /// What does not spend refuses what the whole path refuses before the memory is asked, and asks the memory nothing.
  @Test func withoutSpendingEveryVectorIsJudgedTheSameAndNoneIsSpent() throws {
    var (good, refused) = (0, 0)
    for vector in VectorFiles.all {
      let memory = ScriptedMemory(.success(.firstUse))
      let spent = try Self.verify(vector, memory)
      memory.claims.withLock { $0 = [] }
      let keys = try VectorFiles.verifier(for: vector).trustedKeys
      let verifier = try TokenPath(trustedKeys: keys, policy: vector.policy, replayMemory: memory)
      do throws(Refusal) {
        let token = try verifier.verifyWithoutSpending(
          vector.received.span, requestor: vector.requestor, resource: vector.resource, at: vector.now)
        #expect(try token.identity == spent.get().identity, "\(vector.name)")
        good += 1
      } catch {
        #expect(throws: error, "\(vector.name)") { try spent.get() }
        refused += 1
      }
      #expect(memory.claims.withLock { $0.isEmpty }, "\(vector.name)")
    }
    #expect(good > 100 && refused > 100)
  }

  /// The claim carries what the token says, whatever the policy makes of it.
  @Test func claimCarriesTheStatedLife() throws {
    let vector = try VectorFiles.named("shared/life-capped-inside.token")
    let memory = ScriptedMemory(.success(.firstUse))
    let token = try Self.verify(vector, memory).get()
    let claim = try #require(memory.claims.withLock { $0.first })
    #expect(token.ttlMilliseconds == 3_600_000)
    #expect(claim.ttlMilliseconds > 3_600_000)
    #expect(claim.issueTime == token.issueTime)
    #expect(claim.now == vector.now)
    #expect(claim.identity == token.identity)
  }

  private static func reason(_ result: Result<VerifiedToken, Refusal>) -> Reason? {
    if case .failure(let refusal) = result { refusal.reason } else { nil }
  }
}
