package import MediaToken
internal import MediaTokenSystem

/// Signs tokens in production's exact form, for development, tests and load.
///
/// One thread at a time; the buffers and the OpenSSL context are reused, so that signing is nearly all the work.
///
/// - Warning: Not a service that issues tokens to viewers. A key that a verifier trusts admits anyone who holds it: keep keys made
///   for development out of production.
package struct DevelopmentTokenIssuer: ~Copyable {
  private var context: SigningContext
  private var hasher: SHA256Hasher
  private var signature: [UInt8]
  private var signedBytes = SignedBytes()
  /// The token that was signed last, in its raw form.
  private var raw: [UInt8] = []

  package init(_ keyPair: DevelopmentKeyPair) throws(Problem) {
    var context = try Problem.ofOpenSSL(SigningContext(keyPair.key))
    let hasher = try Problem.ofOpenSSL(SHA256Hasher())
    guard try Problem.ofOpenSSL(context.halvesAgree(of: keyPair.key)) else {
      throw Problem(
        "the private and the public half of the key do not match; the file is damaged")
    }
    signature = [UInt8](repeating: 0, count: context.signatureBytes)
    self.context = context
    self.hasher = hasher
  }

  /// The spelling of a token on its way to a verifier.
  package enum Form: String, Sendable, Hashable, CaseIterable {
    /// As it was signed, one line unless a field holds a line feed.
    case raw
    /// Standard base64 of the raw form, with padding.
    case base64
    /// The raw form, percent-encoded except for letters, digits and `- . _ ~`.
    case percent
  }

  /// Appends the signed `token` to `output`, which is unchanged after an error.
  package mutating func issue(
    _ token: DevelopmentToken, as form: Form = .raw, into output: inout [UInt8]
  ) throws(Problem) {
    try signedBytes.write(token)
    let bytes = signedBytes.bytes
    try Problem.ofOpenSSL(sign(bytes.span))
    switch form {
    case .raw: output.append(copying: raw.span)
    case .base64: output.appendBase64(of: raw.span)
    case .percent: output.appendPercentEncoding(of: raw.span)
    }
  }

  /// Appends a raw token whose signed bytes are exactly these, whatever they are: for tests of what a verifier refuses
  /// although its signature is good. `output` is unchanged after an error.
  package mutating func issue(exactly bytes: Span<UInt8>, into output: inout [UInt8]) throws(Fault) {
    try sign(bytes)
    output.append(copying: raw.span)
  }

  private mutating func sign(_ bytes: Span<UInt8>) throws(Fault) {
    try context.sign(try hasher.digest(of: bytes), into: &signature)
    raw.removeAll(keepingCapacity: true)
    raw.append(contentsOf: "<signatureInfo>".utf8)
    let signature = signature
    raw.appendBase64(of: signature.span)
    // An opening tag, as in production.
    raw.append(contentsOf: "<signatureInfo>".utf8)
    raw.append(copying: bytes)
  }
}
