public import MediaToken

/// Signs tokens in production's exact form, for development, tests and load.
///
/// One thread at a time; the buffers and the OpenSSL context are reused, so that signing is nearly all the work.
///
/// - Warning: Not a minting service. Whoever holds a key that a verifier trusts opens every door: keep keys made
///   for development out of production.
public struct DevelopmentTokenIssuer: ~Copyable {
  private var seal: Seal
  private var signedBytes = SignedBytes()

  /// An issuer that signs with `keyPair`.
  ///
  /// - Throws: ``DevelopmentKeyError/halvesDisagree`` if the key is damaged, or `.fault`.
  public init(_ keyPair: DevelopmentKeyPair) throws(DevelopmentKeyError) {
    seal = try Seal.made(with: keyPair.privateKey)
  }

  /// How a token is spelled on its way to a verifier.
  public enum Form: String, Sendable, Hashable, CaseIterable {
    /// As it was signed, one line unless a field holds a line feed.
    case raw
    /// Standard base64 of the raw form, with padding.
    case base64
    /// The raw form, percent-encoded but for letters, digits and `- . _ ~`.
    case percent
  }

  /// Appends the signed `token` to `output`.
  ///
  /// - Throws: ``DevelopmentTokenError`` for what cannot be written or signed; `output` is unchanged then.
  public mutating func issue(
    _ token: DevelopmentToken, as form: Form = .raw, into output: inout [UInt8]
  ) throws(DevelopmentTokenError) {
    try signedBytes.write(token)
    let bytes = signedBytes.bytes
    do throws(Fault) { try seal.sign(bytes.span) } catch { throw .fault(error) }
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
  public mutating func issue(exactly bytes: Span<UInt8>, into output: inout [UInt8]) throws(Fault) {
    try seal.sign(bytes)
    output.append(copying: seal.raw.span)
  }
}

/// Signs bytes and puts the envelope around them.
private struct Seal: ~Copyable {
  private var context: SigningContext
  private var hasher: SHA256Hasher
  private var signature: [UInt8]
  /// Marker, signature, marker and the bytes that were signed last.
  private(set) var raw: [UInt8] = []

  private init(_ context: consuming SigningContext, _ hasher: consuming SHA256Hasher) {
    signature = [UInt8](repeating: 0, count: context.signatureBytes)
    self.context = context
    self.hasher = hasher
  }

  static func made(with key: RSAPrivateKey) throws(DevelopmentKeyError) -> Seal {
    let context = try onFault { () throws(Fault) in try SigningContext(key) }
    let hasher = try onFault { () throws(Fault) in try SHA256Hasher() }
    var seal = Seal(context, hasher)
    guard try seal.halvesAgree(key) else { throw .halvesDisagree }
    return seal
  }

  /// A damaged key file may load all the same: whether the public half vouches for the private half.
  private mutating func halvesAgree(_ key: RSAPrivateKey) throws(DevelopmentKeyError) -> Bool {
    do throws(Fault) {
      let digest = try hasher.digest(of: [UInt8]().span)
      try context.sign(digest, into: &signature)
      return try key.halvesAgree(on: digest, signature: signature)
    } catch {
      throw .fault(error)
    }
  }

  mutating func sign(_ bytes: Span<UInt8>) throws(Fault) {
    let digest = try hasher.digest(of: bytes)
    try context.sign(digest, into: &signature)
    raw.removeAll(keepingCapacity: true)
    raw.append(contentsOf: "<signatureInfo>".utf8)
    let signature = self.signature
    raw.appendBase64(of: signature.span)
    // Production really writes an opening tag here.
    raw.append(contentsOf: "<signatureInfo>".utf8)
    raw.append(copying: bytes)
  }
}
