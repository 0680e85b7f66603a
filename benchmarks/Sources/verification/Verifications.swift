import BenchmarkTokens
import MediaToken

/// A file of tokens and the verifier for it, which any number of threads share.
struct Verifications: Sendable {
  private let verifier: TokenVerifier
  private let received: [[UInt8]]
  private let resource: ExpectedResource
  private let expectedUse: VerifiedToken.Use
  private let now: Instant

  init(keys: String, tokens path: String, resource: String, memory: any ReplayMemory) throws {
    received = tokens(in: path)
    self.resource = .exactly(resource)
    expectedUse = memory is NoReplayMemory ? .notEnforced : .first
    verifier = try TokenVerifier(trustedKeys: trustedKeys(at: keys), replayMemory: memory)
    // Not before the table was made, which takes no clock that is behind its own.
    now = Instant(millisecondsSinceEpoch: milliseconds())
  }

  /// Verifies the tokens from this one on; without a table the first one comes after the last.
  func run(from start: Int, count: Int) {
    guard expectedUse == .notEnforced || start + count <= received.count else {
      fail("expected \(start + count) tokens for a table, found \(received.count)")
    }
    for number in start..<(start + count) { verify(number % received.count) }
  }

  private func verify(_ number: Int) {
    do throws(Refusal) {
      let token = try verifier.verify(
        received[number], requestor: .exactly("REF30"), resource: resource, at: now)
      guard token.use == expectedUse else { fail("expected the use \(expectedUse), found \(token.use)") }
    } catch {
      fail("expected token \(number) to be valid, found \(error)")
    }
  }
}
