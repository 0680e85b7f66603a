import CLibCrypto
import MediaTokenIssuer
import Testing

@testable import MediaToken

@Suite("Step 3: signature")
struct SignatureTests {
  /// Case 138: whatever the spelling, one token has one name.
  @Test func everySpellingHasTheSameIdentity() throws {
    let genuine = try GenuineToken()
    let verifier = try genuine.verifier()
    let raw = genuine.vector.received
    let closing = Array("</signatureInfo>".utf8)
    let end = try #require(raw.dropFirst(15).firstIndex(of: UInt8(ascii: "<")))
    let spellings = [raw, base64(raw), [0x20] + raw + [0x0A], raw[..<end] + closing + raw[(end + 15)...]]
    let identities = try spellings.map { text in
      try verifier.verify(
        text.span, requestor: genuine.vector.requestor, resource: genuine.vector.resource, at: genuine.vector.now
      ).identity
    }
    #expect(Set(identities).count == 1)
    var hasher = try SHA256Hasher()
    let signed = Array(raw[(end + 15)...])
    #expect(identities[0].digest == (try hasher.digest(of: signed.span)))
  }

  /// Case 70: a good signature after very many bad ones, on the same context, with a stale error in the queue.
  @Test func goodSignatureIsGoodAfterManyBadOnes() throws {
    let genuine = try GenuineToken("shared/key-rsa1024.token")
    var keys = [try VerificationKey(genuine.keys.keys[0])]
    var hasher = try SHA256Hasher()
    let good = genuine.vector.received
    var bad = good
    bad[20] = bad[20] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")

    func verify(_ token: [UInt8]) throws(Refusal) -> Bool {
      var buffer = [UInt8](repeating: 0, count: Limits.signatureBytes)
      let envelope = try Envelope(cutting: token.span, signatureInto: &buffer)
      _ = try Signature.verify(HashedEnvelope(hashing: envelope, with: &hasher), with: &keys)
      return true
    }
    ERR_clear_error()
    ERR_new()
    unsafe ERR_set_debug("host", 1, "host")
    let stale = ERR_peek_error()
    for _ in 0..<(isThorough ? 20_000 : 2_000) {
      #expect(refusal { () throws(Refusal) in try verify(bad) }?.reason == .signatureMismatch)
    }
    #expect(try verify(good))
    // The host program's queue is as it was.
    #expect(ERR_peek_error() == stale)
    #expect(ERR_peek_last_error() == stale)
    ERR_clear_error()
  }

  @Test func keyThatSignedLastIsTriedFirstAndAllOthersAfterIt() throws {
    var keys: [VerificationKey] = []
    var pairs: [DevelopmentKeyPair] = []
    for number in 0..<3 {
      let pair = try DevelopmentKeyPair.generate()
      pairs.append(pair)
      let file = KeyFile(name: "\(number).pem", bytes: Array(try pair.publicKeyPEM().utf8))
      keys.append(try VerificationKey(TrustedKeys(parsing: [file], consent: .none).keys[0]))
    }
    for signer in [2, 2, 0, 1, 0, 2] {
      var issuer = try DevelopmentTokenIssuer(pairs[signer])
      var token: [UInt8] = []
      let content = DevelopmentToken(requestorID: "r", resourceID: "s", issueTime: .now, sessionGUID: "g")
      try issuer.issue(content, as: .raw, into: &token)
      var buffer = [UInt8](repeating: 0, count: Limits.signatureBytes)
      let envelope = try Envelope(cutting: token.span, signatureInto: &buffer)
      var hasher = try SHA256Hasher()
      let found = try Signature.verify(HashedEnvelope(hashing: envelope, with: &hasher), with: &keys).keyFingerprint
      #expect(found == pairs[signer].fingerprint && keys[0].fingerprint == found && keys.count == 3)
    }
  }

  /// Case 58: s at and beyond the modulus is a forgery like any other, and not a fault.
  @Test func signatureValuesBeyondTheModulusAreRefused() throws {
    let genuine = try GenuineToken("shared/key-rsa1024.token")
    let verifier = try genuine.verifier()
    let raw = genuine.vector.received
    let end = try #require(raw.dropFirst(15).firstIndex(of: UInt8(ascii: "<")))
    for fill in [0x00, 0x01, 0xFF] as [UInt8] {
      let signature = base64([UInt8](repeating: fill, count: 128))
      let token = raw[..<15] + signature + raw[end...]
      let found = refusal { () throws(Refusal) in
        try verifier.verify(
          Array(token).span, requestor: .anyRequestor, resource: .anyResource, at: genuine.vector.now)
      }
      #expect(found?.reason == .signatureMismatch)
    }
  }

  /// Case 180: a refusal names the token, and never shows a byte of it.
  @Test func refusalNamesTheTokenButShowsNothingOfIt() throws {
    let vector = try VectorFiles.named("shared/sig-other-key.token")
    let verifier = try VectorFiles.verifier(for: vector)
    let found = refusal { () throws(Refusal) in
      try verifier.verify(
        vector.received.span, requestor: vector.requestor, resource: vector.resource, at: vector.now)
    }
    guard case .rejected(let rejection) = found else {
      Issue.record("not rejected")
      return
    }
    #expect(rejection.identity?.logName.utf8.count == 16)
    #expect(!rejection.detail.contains("REF30"))
  }
}
