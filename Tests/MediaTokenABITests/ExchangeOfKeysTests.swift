import CMediaToken
import Foundation
import MediaTokenIssuer
import Synchronization
import Testing

@Suite("C: one verifier, many threads")
struct ExchangeOfKeysTests {
  /// Calls after an exchange are answered by the new keys, and what was used stays used.
  @Test func newKeysCountAtOnceAndForgetNothing() throws {
    let fixture = try CFixture()
    let (first, second) = (try fixture.token(1, signedBy: 0), try fixture.token(2, signedBy: 1))
    try fixture.setKeys([fixture.keyPairs[1]])
    #expect(fixture.verify(first).code == MEDIATOKEN_INVALID_SIGNATURE)
    #expect(fixture.verify(second).code == MEDIATOKEN_VALID_TOKEN)
    try fixture.setKeys([fixture.keyPairs[0]])
    #expect(fixture.verify(first).code == MEDIATOKEN_VALID_TOKEN)
    #expect(fixture.verify(second).code == MEDIATOKEN_INVALID_SIGNATURE)
    try fixture.setKeys(fixture.keyPairs)
    #expect(fixture.verify(first).code == MEDIATOKEN_TOKEN_REPLAYED)
    #expect(fixture.verify(second).code == MEDIATOKEN_TOKEN_REPLAYED)
  }

  /// Eight threads ask for every token while a ninth exchanges the keys: each token is accepted once, as without an exchange.
  @Test func exchangingKeysDisturbsNoVerification() throws {
    let fixture = try CFixture()
    let tokens = try (0..<300).map { try fixture.token($0) }
    let (letIn, wrong) = (Counters(tokens.count), Counters(1))
    let (running, exchanges) = (Counters(1), Counters(1))
    let group = DispatchGroup()
    for thread in 0..<8 {
      running.add(0)
      start(in: group) {
        for step in tokens.indices {
          let index = (step + thread * 37) % tokens.count
          switch Self.decided(fixture, tokens[index]) {
          case MEDIATOKEN_VALID_TOKEN: letIn.add(index)
          case MEDIATOKEN_TOKEN_REPLAYED: break
          default: wrong.add(0)
          }
        }
        // However seldom the thread that exchanges them has a processor.
        while exchanges[0] <= 20 {
          if Self.decided(fixture, tokens[0]) != MEDIATOKEN_TOKEN_REPLAYED { wrong.add(0) }
        }
        running.subtract(0)
      }
    }
    start(in: group) {
      // Reading keys takes longer than exchanging them, and exchanges should be frequent.
      guard let one = try? unsafe CFixture.keys([fixture.keyPairs[0]]),
        let both = try? unsafe CFixture.keys(fixture.keyPairs.reversed())
      else {
        wrong.add(0)
        return exchanges.add(0, 21)
      }
      while running[0] > 0 {
        if (try? unsafe fixture.setKeys(exchanges[0].isMultiple(of: 2) ? one : both)) == nil { wrong.add(0) }
        exchanges.add(0)
      }
      unsafe mediatoken_keys_free(one)
      unsafe mediatoken_keys_free(both)
    }
    group.wait()
    #expect(wrong[0] == 0)
    #expect(tokens.indices.allSatisfy { letIn[$0] == 1 })
  }

  /// What comes of a token. For the table the clock of a thread that stalls for two seconds inside a verification is too old, which
  /// is a fault and uses nothing up.
  private static func decided(_ fixture: CFixture, _ token: String) -> mediatoken_code {
    while true {
      let code = fixture.verify(token).code
      if code != MEDIATOKEN_REPLAY_MEMORY_UNAVAILABLE { return code }
    }
  }

  private func start(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    Thread.detachNewThread {
      body()
      group.leave()
    }
  }
}

/// Numbers that threads change.
private final class Counters: Sendable {
  private let counts: [Counter]

  private final class Counter: Sendable {
    let value = Atomic(0)
  }

  init(_ count: Int) { counts = (0..<count).map { _ in Counter() } }

  func add(_ index: Int, _ number: Int = 1) {
    counts[index].value.wrappingAdd(number, ordering: .sequentiallyConsistent)
  }

  func subtract(_ index: Int) { counts[index].value.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
  subscript(_ index: Int) -> Int { counts[index].value.load(ordering: .sequentiallyConsistent) }
}
