/// The seven steps of ``TokenPath``, in their order.
package enum PathStep: String, Sendable, Hashable, CaseIterable {
  case armor
  /// The token is cut into its signature and the bytes that were signed.
  case envelope
  case signature
  case fields
  case lifetime
  case binding
  case oneUse = "one use"
}

/// An observer of the path: it is told what each step saw, on the calling thread and between the steps; `explain` and
/// `inspect` show it. After a step that refuses the token nothing more is told.
///
/// It can't change the outcome. Before step 3 it is given sizes and names only, and the types of later values say who
/// vouches for them.
///
/// - Warning: An observer's view is not a verdict: a token that has passed six steps may fail the seventh. Only a
///   ``VerifiedToken`` is proof.
package protocol PathObserver {
  /// The observer has no function of its own for what this step saw.
  mutating func passed(_ step: PathStep)

  /// Step 1 passed. The received bytes include white space; the token's are counted after decoding.
  mutating func passedArmor(_ form: Armor.Form, receivedBytes: Int, tokenBytes: Int)

  mutating func passedEnvelope(signatureBytes: Int, signedBytes: Int)

  /// Step 3 has hashed the signed bytes, and verified nothing yet.
  mutating func named(_ identity: TokenIdentity)

  /// Step 3 passed. No step has read the signed bytes yet.
  mutating func passedSignature(over signed: Span<UInt8>, by key: Fingerprint)

  mutating func passedFields(_ fields: TokenFields)

  /// Step 5 has parsed the times, and compared no clock yet.
  mutating func parsed(_ lifetime: Lifetime)

  mutating func passedLifetime()

  mutating func passedBinding()
}

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

/// The path is compiled for it, so that nothing of the observing is left.
struct Unobserved: PathObserver {
  // A value of no size has no address, and what the compiler uses in its place is not memory: ThreadSanitizer, which checks
  // each access to an `inout`, ended the process there.
  private let size: UInt8 = 0
}
