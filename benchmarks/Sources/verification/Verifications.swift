import BenchmarkTokens
import MediaToken

/// A file of tokens and the verifier for it, which any number of threads share.
struct Verifications: Sendable {
  private let verifier: TokenPath
  private let received: [[UInt8]]
  private let resource: ExpectedResource
  private let expectedUse: VerifiedToken.Use
  private let areBroken: Bool
  private let now: Instant

  /// - Parameter areBroken: whether each token must be rejected, and not one be valid.
  init(keys: String, tokens path: String, resource: String, memory: any Store, areBroken: Bool) throws {
    self.areBroken = areBroken
    received = tokens(in: path)
    self.resource = .exactly(resource)
    expectedUse = memory is NoReplayMemory ? .notEnforced : .first
    verifier = try TokenPath(trustedKeys: trustedKeys(at: keys), replayMemory: memory)
    // Not before the table was made, which takes no clock that is slower than its own.
    now = Instant(millisecondsSinceEpoch: milliseconds())
  }

  /// Reads the tokens, so that they are in the processor's caches as those are that have just come from a socket.
  ///
  /// With a table none of them comes twice; without one the first one comes after the last.
  func receive(_ numbers: Range<Int>) {
    guard expectedUse == .notEnforced || numbers.upperBound <= received.count else {
      fail("expected \(numbers.upperBound) tokens for a table, found \(received.count)")
    }
    for number in numbers {
      let sum = received[number % received.count].reduce(0) { $0 &+ Int($1) }
      guard sum > 0 else { fail("expected text in token \(number)") }
    }
  }

  /// Verifies the tokens with these numbers.
  func run(_ numbers: Range<Int>) {
    for number in numbers { verify(number % received.count) }
  }

  private func verify(_ number: Int) {
    let text = received[number]
    do throws(Refusal) {
      let token = try verifier.verify(text.span, requestor: .exactly("REF30"), resource: resource, at: now)
      guard !areBroken else { fail("expected token \(number) to be rejected, found it valid") }
      guard token.use == expectedUse else { fail("expected the use \(expectedUse), found \(token.use)") }
    } catch {
      if areBroken, case .rejected = error { return }
      fail("expected token \(number) to be valid, found \(error.answer.wireName)")
    }
  }
}
