/// The seven steps of ``TokenPath``, in their order.
package enum PathStep: String, Sendable, Hashable, CaseIterable {
  /// The received text is decoded.
  case armor
  /// The token is cut into its signature and the bytes that were signed.
  case envelope
  /// A trusted key signed them.
  case signature
  /// They become fields.
  case fields
  /// The token is alive.
  case lifetime
  /// It is meant for this requestor and resource, and its provider is accepted.
  case binding
  /// It was not used before, and now it is.
  case oneUse = "one use"
}

/// Is told what each step of the path saw, on the calling thread and between the steps: `explain` and `inspect` show it. After a
/// step that refuses the token nothing more is told.
///
/// It can't change what comes of a token. Before step 3 it is given sizes and names only, and of what it is given later, the
/// types say who vouches for it.
///
/// - Warning: What it is told is not a verdict: a token that has passed six steps may fail the seventh. Only a
///   ``VerifiedToken`` is proof.
package protocol PathObserver {
  /// This step passed, and the observer has no function of its own for what it saw.
  mutating func passed(_ step: PathStep)

  /// Step 1 passed.
  ///
  /// - Parameters:
  ///   - receivedBytes: how long the text was as received, white space included.
  ///   - tokenBytes: how long the decoded token is.
  mutating func passedArmor(_ form: Armor.Form, receivedBytes: Int, tokenBytes: Int)

  /// Step 2 passed.
  mutating func passedEnvelope(signatureBytes: Int, signedBytes: Int)

  /// Step 3 has hashed the signed bytes, and verified nothing yet.
  mutating func named(_ identity: TokenIdentity)

  /// Step 3 passed.
  ///
  /// - Parameter signed: the bytes that the key signed, which no step has read yet.
  mutating func passedSignature(over signed: Span<UInt8>, by key: Fingerprint)

  /// Step 4 passed.
  mutating func passedFields(_ fields: TokenFields)

  /// Step 5 has parsed the times, and compared no clock yet.
  mutating func parsed(_ lifetime: Lifetime)

  /// Step 5 passed.
  mutating func passedLifetime()

  /// Step 6 passed.
  mutating func passedBinding()
}

/// What is of no interest to an observer is left out.
extension PathObserver {
  package mutating func passed(_ step: PathStep) {}
  package mutating func passedArmor(_ form: Armor.Form, receivedBytes: Int, tokenBytes: Int) { passed(.armor) }
  package mutating func passedEnvelope(signatureBytes: Int, signedBytes: Int) { passed(.envelope) }
  package mutating func named(_ identity: TokenIdentity) {}
  package mutating func passedSignature(over signed: Span<UInt8>, by key: Fingerprint) { passed(.signature) }
  package mutating func passedFields(_ fields: TokenFields) { passed(.fields) }
  package mutating func parsed(_ lifetime: Lifetime) {}
  package mutating func passedLifetime() { passed(.lifetime) }
  package mutating func passedBinding() { passed(.binding) }
}

/// No observer. The path is compiled for it, so that nothing of the observing is left.
struct Unobserved: PathObserver {
  // A value of no size has no address, and what the compiler uses in its place is not memory: ThreadSanitizer, which checks
  // each access to an `inout`, ended the process there.
  private let size: UInt8 = 0
}
