import Foundation
import MediaToken
import MediaTokenHandover
import MediaTokenIssuer
import Testing

/// From a token to a credential, and never without one that was used.
@Suite struct HandoverMintingTests {
  private let keys: KeyFixture
  private let minter: HandoverMinter
  /// Made once for all tests.
  private static let pair = Result { () throws(Problem) in try DevelopmentKeyPair.generate() }
  private let pair: DevelopmentKeyPair

  init() throws {
    keys = try KeyFixture()
    minter = try HandoverMinter(.usual(.akamaiEdgeAuth), keyFile: keys.key(for: .akamaiEdgeAuth))
    pair = try Self.pair.get()
  }

  private func verify(_ memory: any Store, _ token: [UInt8], _ now: Instant) throws -> VerifiedToken {
    let trusted = try TrustedKeys(
      parsing: [KeyFile(name: "key.pem", bytes: Array(pair.publicKeyPEM().utf8))], consent: .none)
    return try TokenPath(trustedKeys: trusted, policy: .standard, replayMemory: memory).verify(
      token.span, requestor: .exactly("REF30"), resource: .exactly("TNT"), at: now, request: UseRequest(id: "one"))
  }

  private func token(_ now: Instant) throws -> [UInt8] {
    var issuer = try DevelopmentTokenIssuer(pair)
    var bytes: [UInt8] = []
    try issuer.issue(
      DevelopmentToken(requestorID: "REF30", resourceID: "TNT", issueTime: now, sessionGUID: "0123456789abcdef"),
      as: .raw, into: &bytes)
    return bytes
  }

  @Test func `a first use and its repetition are exchanged, each for a whole life`() throws {
    let table = try SharedReplayTable(
      anonymousWithCapacity: 1000, policy: .standard, retryWindowMilliseconds: 60_000)
    let now = Instant.now
    let token = try token(now)
    let first = try verify(table, token, now)
    #expect(first.use == .first)
    let later = Instant(millisecondsSinceEpoch: now.millisecondsSinceEpoch + 1000)
    let again = try verify(table, token, later)
    #expect(again.use == .retry)
    let (one, other) = (try minter.mint(for: first, at: now), try minter.mint(for: again, at: later))
    let second = now.millisecondsSinceEpoch / 1000
    #expect(one.text.hasPrefix("st=\(second)~exp=\(second + 3600)~acl=/live/tnt/*~hmac="))
    #expect(other.text.hasPrefix("st=\(second + 1)~exp=\(second + 3601)~"))
    for credential in [one, other] {
      for hidden in [first.sessionGUID, first.identity.description, first.mvpdID.text] {
        #expect(!credential.text.contains(hidden))
      }
    }
  }

  @Test(arguments: HandoverFormat.allCases)
  func `without one use nothing is handed over`(format: HandoverFormat) throws {
    let now = Instant.now
    let valid = try verify(.none, token(now), now)
    #expect(valid.use == .notEnforced)
    let minter = try HandoverMinter(.usual(format), keyFile: keys.key(for: format))
    let problem = #expect(throws: Problem.self) { try minter.mint(for: valid, at: now) }
    #expect(problem?.cure == "verify it with one")
  }

  @Test func `there is no credential before 1970`() throws {
    let table = try SharedReplayTable(anonymousWithCapacity: 1000, policy: .standard)
    let now = Instant.now
    let valid = try verify(table, token(now), now)
    let problem = #expect(throws: Problem.self) {
      try minter.mint(for: valid, at: Instant(millisecondsSinceEpoch: -1))
    }
    #expect(problem?.description == "the instant is before 1970")
    #expect(try minter.mint(for: valid, at: Instant(millisecondsSinceEpoch: 0)).text.hasPrefix("st=0~exp=3600~"))
  }

  @Test func `no text shows a credential or a key`() throws {
    let table = try SharedReplayTable(anonymousWithCapacity: 1000, policy: .standard)
    let now = Instant.now
    let nginx = try HandoverMinter(.usual(.nginxSecureLink), keyFile: keys.key(for: .nginxSecureLink))
    let credential = try nginx.mint(for: verify(table, token(now), now), at: now)
    let secret = try String(contentsOf: KeyFixture.fixtures.appendingPathComponent("nginx.key"), encoding: .utf8)
      .dropLast()
    var dumped = ""
    for value in [credential, [credential], credential.cookies, nginx, minter] as [Any] {
      dumped += "\(value) \(String(reflecting: value)) "
      dump(value, to: &dumped)
    }
    let bytes = secret.utf8.map { "\($0)" }.joined(separator: ", ")
    #expect(!dumped.contains(credential.cookies[0].value) && !dumped.contains(secret) && !dumped.contains(bytes))
    #expect(dumped.contains("a credential for /live/tnt/"))
  }
}
