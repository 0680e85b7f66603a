/// The verifiers that a credential can be written for. The raw values are the names on the command line and in the daemon's
/// configuration.
public enum HandoverFormat: String, Sendable, Hashable, CaseIterable {
  /// nginx's `ngx_http_secure_link_module`: an MD5 over time, path and a secret. nginx's own construction, and no HMAC.
  case nginxSecureLink = "nginx-secure-link"
  /// Akamai's Auth Token 2.0: HMAC-SHA256 over an access list.
  case akamaiEdgeAuth = "akamai-edgeauth"
  /// Signed cookies of Amazon CloudFront with a custom policy: RSA-2048 and SHA-256.
  case cloudFrontCookie = "cloudfront-cookie"
  /// The Common Access Token of CTA-5007: a CWT in a COSE_Mac0 with HMAC-SHA256.
  case commonAccessToken = "cat"
  /// A JSON Web Token with HMAC-SHA256.
  case jwtHS256 = "jwt-hs256"
  /// A JSON Web Token with ECDSA on P-256: the key that checks it cannot make one.
  case jwtES256 = "jwt-es256"
}

extension HandoverFormat {
  /// The use that a format has for a part of the terms.
  package enum Demand: Sendable, Hashable {
    case required, optional, unused
  }

  /// The name of the key, by which a verifier that has several finds the right one.
  var keyID: Demand {
    switch self {
    case .cloudFrontCookie, .commonAccessToken: .required
    case .jwtHS256, .jwtES256: .optional
    case .nginxSecureLink, .akamaiEdgeAuth: .unused
    }
  }

  package var host: Demand { self == .cloudFrontCookie ? .required : .unused }
}
