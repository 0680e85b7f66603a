internal import MediaToken

func makeHandoverForm(_ terms: HandoverTerms, _ file: SecretFile) throws(Problem) -> any HandoverForm {
  switch terms.format {
  case .nginxSecureLink: return NginxSecureLink(path: terms.path, secret: try file.nginxSecret())
  case .akamaiEdgeAuth:
    // Akamai asks for no more than an even number of digits (techdocs.akamai.com, "Auth Token 2.0 Verification"), and so
    // customers have short keys. 16 bytes of chance are beyond guessing; fewer are not taken.
    return AkamaiEdgeAuth(path: terms.path, key: try file.keyedHash(least: 32))
  case .cloudFrontCookie:
    guard let host = terms.host else { throw HandoverTerms.Part.host.missing(in: terms.format) }
    return CloudFrontCookie(
      resource: "https://\(host)\(terms.path)*", keyID: try required(terms.keyID, terms.format),
      key: try file.signingKey(.rsa2048))
  case .commonAccessToken:
    return CommonAccessToken(
      path: terms.path, keyID: try required(terms.keyID, terms.format), key: try file.keyedHash())
  case .jwtHS256: return JSONWebToken(path: terms.path, keyID: terms.keyID, seal: .hs256(try file.keyedHash()))
  case .jwtES256:
    return JSONWebToken(path: terms.path, keyID: terms.keyID, seal: .es256(try file.signingKey(.p256)))
  }
}

private func required(_ keyID: String?, _ format: HandoverFormat) throws(Problem) -> String {
  guard let keyID else { throw HandoverTerms.Part.keyID.missing(in: format) }
  return keyID
}
