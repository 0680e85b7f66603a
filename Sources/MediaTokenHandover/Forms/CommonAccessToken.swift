internal import MediaToken

/// CTA-5007's Common Access Token: a CBOR Web Token (RFC 8392) in a COSE_Mac0 (RFC 9052, section 6.2) with HMAC 256/256, written as
/// base64url. Numbers of claims: IANA's registry "CBOR Web Token (CWT) Claims"; numbers inside `catu`: public implementations
/// (github.com/Eyevinn/node-cat; Akamai's EdgeWorkers documentation, module "Common access token").
struct CommonAccessToken: HandoverForm {
  let path: String
  let keyID: String
  let key: KeyedHash

  private enum Tag {
    /// RFC 8392, section 6.
    static let cwt: UInt64 = 61
    /// RFC 9052, section 2.
    static let mac0: UInt64 = 17
  }

  private enum Header {
    static let algorithm: UInt64 = 1
    static let keyID: UInt64 = 4
    /// HMAC 256/256 (RFC 9053, section 3.1).
    static let hmac256: UInt64 = 5
  }

  private enum Claim {
    static let expires: UInt64 = 4
    static let issued: UInt64 = 6
    /// `catv`, the version of the token's format.
    static let version: UInt64 = 310
    /// `catu`, the rules for the address.
    static let address: UInt64 = 312
  }

  /// The parts of an address that `catu` names, and the ways in which they must match.
  private enum Address {
    static let path: UInt64 = 3
    static let prefixMatch: UInt64 = 1
  }

  func write(_ span: HandoverSpan) throws(Fault) -> (credential: String, cookies: [HandoverCredential.Cookie]) {
    var protected = CBOR()
    protected.map(of: 1)
    protected.pair(Header.algorithm) { $0.number(Header.hmac256) }
    let claims = claims(span)
    // The bytes that the code is over (RFC 9052, section 6.3): without anything from outside.
    var authenticated = CBOR()
    authenticated.array(of: 4)
    authenticated.text("MAC0")
    authenticated.byteString(protected.bytes)
    authenticated.byteString([])
    authenticated.byteString(claims)
    let code = try key.code(of: authenticated.bytes)

    var token = CBOR()
    token.tag(Tag.cwt)
    token.tag(Tag.mac0)
    token.array(of: 4)
    token.byteString(protected.bytes)
    token.map(of: 1)
    token.pair(Header.keyID) { $0.byteString(Array(keyID.utf8)) }
    token.byteString(claims)
    token.byteString(code)
    let text = token.bytes.base64URL
    return (text, [.init(name: "CTA-Common-Access-Token", value: text)])
  }

  private func claims(_ span: HandoverSpan) -> [UInt8] {
    var claims = CBOR()
    claims.map(of: 4)
    claims.pair(Claim.expires) { $0.number(UInt64(span.expires)) }
    claims.pair(Claim.issued) { $0.number(UInt64(span.issued)) }
    claims.pair(Claim.version) { $0.number(1) }
    claims.pair(Claim.address) { address in
      address.map(of: 1)
      address.pair(Address.path) { match in
        match.map(of: 1)
        match.pair(Address.prefixMatch) { $0.text(path) }
      }
    }
    return claims.bytes
  }
}
