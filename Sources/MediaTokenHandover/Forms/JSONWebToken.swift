internal import MediaToken

/// A JSON Web Token (RFC 7519) in the compact form of JWS (RFC 7515, section 7.1). `path` is a private claim: the beginning
/// of each address that is opened, which the verifier has to compare.
struct JSONWebToken: HandoverForm {
  let path: String
  let keyID: String?
  let seal: Seal

  /// RFC 7518, section 3.1.
  enum Seal: Sendable {
    case hs256(KeyedHash)
    case es256(SigningKey)
  }

  func write(_ span: HandoverSpan) throws(Fault) -> (credential: String, cookies: [HandoverCredential.Cookie]) {
    // Path and key id have no character that JSON would escape.
    let keyID = self.keyID.map { #","kid":"\#($0)""# } ?? ""
    let header = #"{"alg":"\#(seal.name)"\#(keyID),"typ":"JWT"}"#
    let claims = #"{"iat":\#(span.issued),"exp":\#(span.expires),"path":"\#(path)"}"#
    let signed = "\(Array(header.utf8).base64URL).\(Array(claims.utf8).base64URL)"
    let token = "\(signed).\(try seal.code(of: Array(signed.utf8)).base64URL)"
    return (token, [.init(name: "mt_jwt", value: token)])
  }
}

extension JSONWebToken.Seal {
  fileprivate var name: String {
    switch self {
    case .hs256: "HS256"
    case .es256: "ES256"
    }
  }

  fileprivate func code(of message: [UInt8]) throws(Fault) -> [UInt8] {
    switch self {
    case .hs256(let key): try key.code(of: message)
    case .es256(let key): try key.signature(of: message)
    }
  }
}
