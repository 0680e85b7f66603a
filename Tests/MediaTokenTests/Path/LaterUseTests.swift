import Synchronization
import Testing

@testable import MediaToken

/// Step 7 by a memory that answers later.
@Suite("Step 7: a use that is settled later")
struct LaterUseTests {
  private typealias ScriptedMemory = OneUseTests.ScriptedMemory

  /// Every answer that a memory can give.
  private static let answers: [Result<UseOutcome, Fault>] =
    UseOutcome.allCases.map { .success($0) } + Fault.allCases.map { .failure($0) }

  private static func qualify(_ vector: Vector, _ memory: any Store) throws -> UnspentToken {
    let verifier = try TokenPath(
      trustedKeys: VectorFiles.verifier(for: vector).trustedKeys, policy: vector.policy, replayMemory: memory)
    return try verifier.qualify(
      vector.received.span, requestor: vector.requestor, resource: vector.resource, at: vector.now,
      request: UseRequest(id: "r", callerUID: 7))
  }

  private static func verify(_ vector: Vector, _ memory: any Store) throws -> Result<VerifiedToken, Refusal> {
    let verifier = try TokenPath(
      trustedKeys: VectorFiles.verifier(for: vector).trustedKeys, policy: vector.policy, replayMemory: memory)
    return Result { () throws(Refusal) in
      try verifier.verify(
        vector.received.span, requestor: vector.requestor, resource: vector.resource, at: vector.now,
        request: UseRequest(id: "r", callerUID: 7))
    }
  }

  /// The refusal with the token's identity, or how it was used; equal for equal outcomes.
  private enum Summary: Hashable {
    case refused(Refusal)
    case valid(TokenIdentity, Fingerprint, VerifiedToken.Use, [String?], Instant, Int64, Instant)

    init(settling token: consuming UnspentToken, _ answer: Result<UseOutcome, Fault>) {
      do throws(Refusal) {
        self.init(.success(try token.settle(answer)))
      } catch {
        self.init(.failure(error))
      }
    }

    init(_ result: Result<VerifiedToken, Refusal>) {
      switch result {
      case .success(let token):
        self = .valid(
          token.identity, token.keyFingerprint, token.use,
          [
            token.requestorID.text, token.resourceID.text, token.mvpdID.text, token.proxyMVPDID?.text,
            token.sessionGUID,
          ] + token.unknownFields,
          token.issueTime, token.ttlMilliseconds, token.expiresAt)
      case .failure(let refusal): self = .refused(refusal)
      }
    }
  }

  @Test(arguments: answers)
  func settlingLaterSaysWhatVerifyingWouldHaveSaid(_ answer: Result<UseOutcome, Fault>) throws {
    for vector in [try GenuineToken().vector, try VectorFiles.named("shared/life-capped-inside.token")] {
      let token = try Self.qualify(vector, .none)
      let (claim, memory) = (token.claim, ScriptedMemory(answer))
      let (identity, later) = (claim.identity, Summary(settling: token, answer))
      #expect(later == Summary(try Self.verify(vector, memory)))
      #expect(memory.claims.withLock { $0 } == [claim])
      switch later {
      case .valid(identity, _, _, _, _, _, _): #expect((try? answer.get()) != nil)
      case .refused(.rejected(let rejection)): #expect(rejection.identity == identity)
      case .refused(.undecided(let fault)): #expect(answer == .failure(fault))
      case .refused(.cancelled), .valid: Issue.record("expected the token that was asked about, found another")
      }
    }
  }

  /// A worker's requests: each waits with its number, and has its token taken out when the answer comes.
  private final class Waiting {
    private final class Request {
      var token: UnspentToken?
      init(_ token: consuming UnspentToken) { self.token = consume token }
    }
    private var requests: [UInt64: Request] = [:]
    private(set) var outcomes: [UInt64: Summary] = [:]
    private(set) var strayAnswers = 0
    private var last: UInt64 = 0

    var count: Int { requests.count }

    func ask(_ token: consuming UnspentToken, _ claims: any PendingClaims) {
      last += 1
      claims.add(token.claim, number: last)
      requests[last] = Request(token)
    }

    func drop(_ number: UInt64) { requests[number] = nil }

    func settle(_ claims: any PendingClaims) {
      claims.takeAnswers { number, answer in
        guard let token = requests.removeValue(forKey: number)?.token.take() else {
          strayAnswers += 1
          return
        }
        outcomes[number] = Summary(settling: token, answer)
      }
    }
  }

  /// All answers, not in the order of the questions and over several turns; two claims are never answered, one request goes away
  /// before its answer, and one answer comes twice.
  @Test func onlyAnsweredTokensArePlayableEachOnce() throws {
    let memory = ScriptedLaterMemory()
    let claims = try memory.makeScript()
    let waiting = Waiting()
    let vectors = VectorFiles.shared.filter { $0.verdict == .validToken }
    let unanswered: Set<UInt64> = [3, UInt64(Self.answers.count) + 3]
    let asked = Self.answers.count + 3
    #expect(vectors.count >= asked)
    for vector in vectors.prefix(asked) { waiting.ask(try Self.qualify(vector, memory), claims) }
    claims.send { _, _ in Issue.record("expected no answer yet") }
    waiting.settle(claims)
    #expect(claims.sent.map(\.count) == [asked])
    #expect(waiting.outcomes.isEmpty && !claims.isReadable)

    let dropped: UInt64 = 5
    waiting.drop(dropped)
    var (expected, settled): ([UInt64: Summary], [UInt64: Summary]) = ([:], [:])
    let numbers = (1...UInt64(asked)).filter { !unanswered.contains($0) }.reversed()
    for (turn, number) in numbers.enumerated() {
      let answer = Self.answers[turn % Self.answers.count]
      claims.answer(number, answer)
      if number == 7 { claims.answer(number, .success(.firstUse)) }
      if number != dropped {
        expected[number] = Summary(try Self.verify(vectors[Int(number) - 1], ScriptedMemory(answer)))
      }
      #expect(claims.isReadable && waiting.outcomes == settled, "no token is settled before its answer is taken")
      guard turn % 3 == 2 || number == numbers.last else { continue }
      waiting.settle(claims)
      settled = waiting.outcomes
      #expect(!claims.isReadable && settled == expected)
    }
    #expect(waiting.strayAnswers == 2)
    #expect(waiting.count == unanswered.count)
    #expect(waiting.outcomes.count == asked - 3)
    #expect(unanswered.allSatisfy { waiting.outcomes[$0] == nil })
  }
}
