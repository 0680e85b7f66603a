/// Step 3: the bytes become trusted, or nobody reads them.
///
/// RSASSA-PKCS1-v1_5 with SHA-256 over every byte behind the second marker, as received. No byte of them is
/// interpreted before this step succeeds (<doc:TokenFormat>, "Signature").
package enum Signature {
  /// The name of the bytes, whoever signed them: their SHA-256.
  package static func identify(
    _ envelope: borrowing Envelope, with hasher: inout SHA256Hasher
  ) throws(Refusal) -> TokenIdentity {
    do throws(Fault) {
      return TokenIdentity(digest: try hasher.digest(of: envelope.signedBytes))
    } catch {
      throw .undecided(error)
    }
  }

  /// The signed bytes, if a trusted key whose modulus is as long as the signature signed them.
  ///
  /// - Parameters:
  ///   - identity: what ``identify(_:with:)`` said of this very envelope.
  ///   - keys: every trusted key, with a context of its own for this thread.
  /// - Throws: `INVALID_SIGNATURE`, or a fault if OpenSSL could not tell.
  @_lifetime(copy envelope)
  package static func verify(
    _ envelope: borrowing Envelope, _ identity: TokenIdentity, with keys: [VerificationKey]
  ) throws(Refusal) -> VerifiedBytes {
    var sizeKnown = false
    if let signature = envelope.signature {
      // By index: to iterate would retain every key.
      for index in keys.indices where keys[index].modulusBytes == signature.count {
        sizeKnown = true
        if try keys[index].verifies(signature, of: identity.digest) {
          return VerifiedBytes(envelope.signedBytes, identity, keys[index].fingerprint)
        }
      }
    }
    throw sizeKnown ? .because(.signatureMismatch) : .because(.signatureSize, .length(envelope.signatureBytes))
  }
}

/// Bytes that a trusted key signed. Only ``Signature/verify(_:_:with:)`` makes them, and only they reach step 4.
package struct VerifiedBytes: ~Escapable {
  /// The bytes as received.
  package let bytes: Span<UInt8>
  /// Their SHA-256.
  package let identity: TokenIdentity
  /// The key that signed them.
  package let keyFingerprint: Fingerprint

  @_lifetime(copy bytes)
  fileprivate init(_ bytes: Span<UInt8>, _ identity: TokenIdentity, _ keyFingerprint: Fingerprint) {
    self.bytes = bytes
    self.identity = identity
    self.keyFingerprint = keyFingerprint
  }
}

/// A trusted key with the OpenSSL context in which one thread verifies.
package final class VerificationKey {
  let modulusBytes: Int
  let fingerprint: Fingerprint
  private let context: SignatureContext

  /// - Throws: a fault if OpenSSL can't set the context up.
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
