/// Step 3: the bytes become trusted, or are never read.
///
/// RSASSA-PKCS1-v1_5 with SHA-256 over every byte after the second marker, as received. No byte of them is
/// interpreted before this step succeeds (<doc:TokenFormat>, "Signature").
package enum Signature {
  /// The signed bytes, if a trusted key whose modulus is as long as the signature signed them.
  ///
  /// Most tokens come from the signer of the one before, so its key is tried first. A token is refused only after every key
  /// of its signature's size was tried, in whatever order: the time that this takes tells no more than the number of such
  /// keys. `INVALID_SIGNATURE`, or a fault if OpenSSL could not tell. Each thread has its own contexts of all trusted keys.
  @_lifetime(copy hashed)
  package static func verify(
    _ hashed: borrowing HashedEnvelope, with keys: inout [VerificationKey]
  ) throws(Refusal) -> VerifiedBytes {
    var sizeKnown = false
    if let signature = hashed.envelope.signature {
      // By index: to iterate would retain every key.
      for index in keys.indices where keys[index].modulusBytes == signature.count {
        sizeKnown = true
        if try keys[index].verifies(signature, of: hashed.identity.digest) {
          let fingerprint = keys[index].fingerprint
          if index > 0 { keys.swapAt(0, index) }
          return VerifiedBytes(hashed, fingerprint)
        }
      }
    }
    throw sizeKnown
      ? .because(.signatureMismatch) : .because(.signatureSize, .length(hashed.envelope.signatureBytes))
  }
}

/// An envelope with the SHA-256 of its signed bytes. Only hashing makes one, so that the digest is always that of these
/// bytes.
package struct HashedEnvelope: ~Escapable {
  fileprivate let envelope: Envelope
  /// The name of the signed bytes, no matter who signed them: their SHA-256.
  package let identity: TokenIdentity

  /// A fault if OpenSSL can't hash.
  @_lifetime(copy envelope)
  package init(hashing envelope: borrowing Envelope, with hasher: inout SHA256Hasher) throws(Refusal) {
    do throws(Fault) {
      identity = TokenIdentity(digest: try hasher.digest(of: envelope.signedBytes))
    } catch {
      throw .undecided(error)
    }
    self.envelope = copy envelope
  }
}

extension TokenIdentity {
  /// The name of the signed bytes in a received text, no matter who signed them. No byte of them is interpreted. Refuses as
  /// steps 1 and 2 do.
  package init(naming received: Span<UInt8>) throws(Refusal) {
    var buffers = Armor.Buffers()
    var signatureBuffer = [UInt8](repeating: 0, count: Limits.signatureBytes)
    let token = try Armor.decode(received, into: &buffers)
    let envelope = try Envelope(cutting: token.bytes, signatureInto: &signatureBuffer)
    var hasher: SHA256Hasher
    do throws(Fault) { hasher = try SHA256Hasher() } catch { throw .undecided(error) }
    self = try HashedEnvelope(hashing: envelope, with: &hasher).identity
  }
}

/// Bytes that a trusted key signed. Only ``Signature/verify(_:with:)`` makes them, and only they reach step 4.
package struct VerifiedBytes: ~Escapable {
  /// As received.
  package let bytes: Span<UInt8>
  package let identity: TokenIdentity
  package let keyFingerprint: Fingerprint

  @_lifetime(copy hashed)
  fileprivate init(_ hashed: borrowing HashedEnvelope, _ keyFingerprint: Fingerprint) {
    bytes = hashed.envelope.signedBytes
    identity = hashed.identity
    self.keyFingerprint = keyFingerprint
  }
}

/// A trusted key with the OpenSSL context in which one thread verifies.
package final class VerificationKey {
  let modulusBytes: Int
  let fingerprint: Fingerprint
  private let context: SignatureContext

  package init(_ key: TrustedKey) throws(Fault) {
    modulusBytes = key.publicKey.modulusBytes
    fingerprint = key.fingerprint
    context = try SignatureContext(key.publicKey)
  }

  fileprivate func verifies(_ signature: Span<UInt8>, of digest: SHA256Digest) throws(Refusal) -> Bool {
    do throws(Fault) {
      return try context.verifies(signature, of: digest)
    } catch {
      throw .undecided(error)
    }
  }
}
