import MediaTokenIssuer
import Testing

@testable import MediaToken

/// Whole tokens through the verifier with a table: cases 119, 120, 130, 138 and 139.
@Suite("One use of whole tokens")
struct WholeTokenTests {
  /// Made once for all tests: one that is trusted, and another.
  private static let pairs = (0..<2).map { _ in
    Result { () throws(Problem) in try DevelopmentKeyPair.generate() }
  }

  private let now: Instant
  private let key: DevelopmentKeyPair
  private let table: SharedReplayTable
  private let verifier: TokenPath

  init() throws {
    key = try Self.pairs[0].get()
    table = try SharedReplayTable(anonymousWithCapacity: 10_000, policy: .standard)
    verifier = try Self.verifier(trusting: [key], table)
    // After the table was made: it takes no clock that is more than two seconds behind its own.
    now = Instant(millisecondsSinceEpoch: wallClock() * 1000)
  }

  private static func verifier(
    trusting keys: [DevelopmentKeyPair], _ table: SharedReplayTable
  ) throws -> TokenPath {
    let files = try keys.enumerated().map {
      KeyFile(name: "\($0.offset).pem", bytes: Array(try $0.element.publicKeyPEM().utf8))
    }
    return try TokenPath(
      trustedKeys: TrustedKeys(parsing: files, consent: .none), policy: .standard, replayMemory: table)
  }

  private func token(
    _ viewer: Int, as form: DevelopmentTokenIssuer.Form = .raw, signedBy key: DevelopmentKeyPair? = nil,
    ttl: Int64 = 300_000
  ) throws -> [UInt8] {
    var issuer = try DevelopmentTokenIssuer(key ?? self.key)
    var token = DevelopmentToken(
      requestorID: "sports", resourceID: "final", issueTime: now, sessionGUID: "viewer \(viewer)")
    token.ttlMilliseconds = ttl
    var bytes: [UInt8] = []
    try issuer.issue(token, as: form, into: &bytes)
    return bytes
  }

  /// The reason of a rejection; nil for a valid token.
  private func reason(_ token: [UInt8], _ verifier: TokenPath? = nil) throws -> Reason? {
    do throws(Refusal) {
      let verified = try (verifier ?? self.verifier).verify(
        token.span, requestor: .exactly("sports"), resource: .exactly("final"), at: now)
      #expect(verified.use == .first)
      return nil
    } catch {
      guard case .rejected(let rejection) = error else { throw error }
      return rejection.reason
    }
  }

  @Test func anotherSpellingOfAUsedTokenIsUsed() throws {
    #expect(try reason(token(1)) == nil)
    for form in DevelopmentTokenIssuer.Form.allCases {
      #expect(try reason(token(1, as: form)) == .alreadyUsed)
    }
    #expect(try reason(token(2, as: .percent)) == nil)
    #expect(try reason(token(2, as: .base64)) == .alreadyUsed)
  }

  @Test func theSamePayloadUnderASecondTrustedKeyIsUsed() throws {
    let second = try Self.pairs[1].get()
    let both = try Self.verifier(trusting: [key, second], table)
    #expect(try reason(token(1, signedBy: second), both) == nil)
    #expect(try reason(token(1, signedBy: key), both) == .alreadyUsed)
  }

  /// Two honest tokens that differ in nothing are one token: a documented limit.
  @Test func twoHonestTokensWithEqualBytesAreOne() throws {
    let (one, other) = (try token(7), try token(7))
    #expect(try reason(one) == nil)
    #expect(try reason(other) == .alreadyUsed)
  }

  @Test func forgedTokenTakesNoPlace() throws {
    let stranger = try Self.pairs[1].get()
    for viewer in 0..<50 { #expect(try reason(token(viewer, signedBy: stranger)) == .signatureMismatch) }
    for viewer in 0..<50 { #expect(try reason(token(viewer)) == nil) }
  }

  // MARK: uses that are settled later

  private func qualify(_ token: [UInt8]) throws -> UnspentToken {
    try verifier.qualify(token.span, requestor: .exactly("sports"), resource: .exactly("final"), at: now)
  }

  /// Why a token that waited is not let in by the table; nil if it is.
  private func settled(_ token: consuming UnspentToken) -> Refusal? {
    let answer = Result { [claim = token.claim] () throws(Fault) in try table.spend(claim) }
    do throws(Refusal) {
      return try token.settle(answer).use == .first ? nil : .undecided(.internalFault)
    } catch {
      return error
    }
  }

  /// By the table's clock, which another claim sets forward; the token itself was alive when it was asked about.
  @Test func tokenWhoseLifeEndsWhileItWaitsIsExpired() throws {
    let waiting = try qualify(token(1, ttl: 1000))
    let later = now.millisecondsSinceEpoch / 1000 + 2
    _ = try table.spend(claim(1, issued: later, now: later))
    #expect(settled(waiting)?.reason == .expiredForReplayMemory)
  }
}

extension Refusal {
  fileprivate var reason: Reason? {
    if case .rejected(let rejection) = self { rejection.reason } else { nil }
  }
}
