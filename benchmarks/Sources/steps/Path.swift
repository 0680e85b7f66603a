import BenchmarkTokens
import MediaToken

/// Steps 1 to 6. What they hand on are views that can't leave a function, so each gets what is before it as arguments.
func contendStep(_ step: String, key: String, received: [UInt8]) throws {
  let keys = try trustedKeys(at: key).keys.map { key in try VerificationKey(key) }
  var hasher = try SHA256Hasher()
  var parser = FieldParser()
  var buffers = Armor.Buffers()
  var otherBuffers = Armor.Buffers()
  var signatureBuffer = [UInt8](repeating: 0, count: Limits.signatureBytes)
  var otherSignatureBuffer = signatureBuffer

  let token = try Armor.decode(received.span, into: &buffers)
  let envelope = try Envelope(cutting: token, signatureInto: &signatureBuffer)
  let hashed = try HashedEnvelope(hashing: envelope, with: &hasher)
  let verified = try Signature.verify(hashed, with: keys)
  let fields = try TokenFields(parsing: verified, with: &parser, policy: .standard)

  var rounds = Rounds()
  while let count = rounds.next() {
    rounds.begin()
    switch step {
    case "armor": try decode(received.span, into: &otherBuffers, count)
    case "envelope": try cut(token, into: &otherSignatureBuffer, count)
    case "identity": try hash(envelope, as: hashed.identity, with: &hasher, count)
    case "signature": try verify(hashed, with: keys, count)
    case "fields": try parse(verified, with: &parser, count)
    case "lifetime": try checkLifetime(fields, count)
    case "binding": try checkBinding(fields, count)
    default: fail("expected the name of a step, found \(step)")
    }
    rounds.end()
  }
}

private func decode(_ received: Span<UInt8>, into buffers: inout Armor.Buffers, _ count: Int) throws {
  for _ in 0..<count {
    let token = try Armor.decode(received, into: &buffers)
    guard !token.isEmpty else { fail("expected a token") }
  }
}

private func cut(_ token: Span<UInt8>, into buffer: inout [UInt8], _ count: Int) throws {
  for _ in 0..<count {
    let envelope = try Envelope(cutting: token, signatureInto: &buffer)
    guard envelope.signatureBytes >= 128 else { fail("expected a signature") }
  }
}

private func hash(
  _ envelope: borrowing Envelope, as identity: TokenIdentity, with hasher: inout SHA256Hasher, _ count: Int
) throws {
  for _ in 0..<count {
    guard try HashedEnvelope(hashing: envelope, with: &hasher).identity == identity else {
      fail("expected the same identity")
    }
  }
}

private func verify(_ hashed: borrowing HashedEnvelope, with keys: [VerificationKey], _ count: Int) throws {
  for _ in 0..<count {
    let verified = try Signature.verify(hashed, with: keys)
    guard verified.identity == hashed.identity else { fail("expected the same identity") }
  }
}

private func parse(_ verified: borrowing VerifiedBytes, with parser: inout FieldParser, _ count: Int) throws {
  let policy = Policy.standard
  for _ in 0..<count {
    let fields = try TokenFields(parsing: verified, with: &parser, policy: policy)
    guard fields.unknownFields.isEmpty else { fail("expected no unknown field") }
  }
}

/// Throws if the token is not alive.
private func checkLifetime(_ fields: TokenFields, _ count: Int) throws {
  let (policy, now) = (Policy.standard, Instant(millisecondsSinceEpoch: milliseconds()))
  for _ in 0..<count { try Lifetime(fields, policy: policy).check(at: now, policy: policy) }
}

/// Throws if the token is for somebody or something else.
private func checkBinding(_ fields: TokenFields, _ count: Int) throws {
  let (requestor, resource) = (ExpectedRequestor.exactly("REF30"), ExpectedResource.exactly("TNT"))
  let mvpds = Policy.standard.mvpds
  for _ in 0..<count { try Binding.check(fields, requestor: requestor, resource: resource, mvpds: mvpds) }
}
