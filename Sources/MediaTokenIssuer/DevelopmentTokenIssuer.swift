package import MediaToken
internal import MediaTokenSystem

/// Signs tokens in production's exact form, for development, tests and load.
///
/// One thread at a time; the buffers and the OpenSSL context are reused, so that signing is nearly all the work.
///
/// - Warning: Not a service that issues tokens to viewers. A key that a verifier trusts admits anyone who holds it: keep keys made
///   for development out of production.
package struct DevelopmentTokenIssuer: ~Copyable {
  private var seal: Seal
  private var signedBytes = SignedBytes()

  /// An issuer that signs with `keyPair`.
  ///
  /// - Throws: ``IssuerError/halvesDisagree`` if the key is damaged, or `.fault`.
  package init(_ keyPair: DevelopmentKeyPair) throws(IssuerError) {
    seal = try Seal.made(with: keyPair.key)
  }

  /// How a token is spelled on its way to a verifier.
  package enum Form: String, Sendable, Hashable, CaseIterable {
    /// As it was signed, one line unless a field holds a line feed.
    case raw
    /// Standard base64 of the raw form, with padding.
    case base64
    /// The raw form, percent-encoded except for letters, digits and `- . _ ~`.
    case percent
  }

  /// Appends the signed `token` to `output`.
  ///
  /// - Throws: ``IssuerError`` for what cannot be written or signed; `output` is unchanged then.
  package mutating func issue(
    _ token: DevelopmentToken, as form: Form = .raw, into output: inout [UInt8]
  ) throws(IssuerError) {
    try signedBytes.write(token)
    let bytes = signedBytes.bytes
    try rethrow(seal.sign(bytes.span), as: IssuerError.fault)
    switch form {
    case .raw: output.append(copying: seal.raw.span)
    case .base64: output.appendBase64(of: seal.raw.span)
    case .percent: output.appendPercentEncoding(of: seal.raw.span)
    }
  }

  /// Appends a raw token whose signed bytes are exactly these, whatever they are, to `output`: for tests of
  /// what a verifier refuses although its signature is good.
  ///
  /// - Throws: what OpenSSL fails with; `output` is unchanged then.
  package mutating func issue(exactly bytes: Span<UInt8>, into output: inout [UInt8]) throws(Fault) {
    try seal.sign(bytes)
    output.append(copying: seal.raw.span)
  }
}
