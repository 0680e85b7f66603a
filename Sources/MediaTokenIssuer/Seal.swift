internal import MediaToken
internal import MediaTokenSystem

/// Signs bytes and puts the envelope around them.
struct Seal: ~Copyable {
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

  static func made(with key: RSAPublicKey) throws(IssuerError) -> Seal {
    let context = try rethrow(SigningContext(key), as: IssuerError.fault)
    let hasher = try rethrow(SHA256Hasher(), as: IssuerError.fault)
    var seal = Seal(context, hasher)
    guard try rethrow(seal.halvesAgree(key), as: IssuerError.fault) else { throw .halvesDisagree }
    return seal
  }

  /// Whether the two halves match: OpenSSL loads a damaged key file too.
  private mutating func halvesAgree(_ key: RSAPublicKey) throws(Fault) -> Bool {
    let digest = try hasher.digest(of: [UInt8]().span)
    try context.sign(digest, into: &signature)
    return try key.halvesAgree(on: digest, signature: signature)
  }

  mutating func sign(_ bytes: Span<UInt8>) throws(Fault) {
    let digest = try hasher.digest(of: bytes)
    try context.sign(digest, into: &signature)
    raw.removeAll(keepingCapacity: true)
    raw.append(contentsOf: "<signatureInfo>".utf8)
    let signature = self.signature
    raw.appendBase64(of: signature.span)
    // An opening tag, as in production.
    raw.append(contentsOf: "<signatureInfo>".utf8)
    raw.append(copying: bytes)
  }
}
