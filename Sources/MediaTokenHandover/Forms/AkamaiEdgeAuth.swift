internal import MediaToken

/// Akamai's Auth Token 2.0, as the company's own libraries write it (github.com/akamai/EdgeAuth-Token-Python): fields joined by `~`,
/// the last one the HMAC of those before it. In the access list `*` goes past slashes.
struct AkamaiEdgeAuth: HandoverForm {
  let path: String
  let key: KeyedHash

  func write(_ span: HandoverSpan) throws(Fault) -> (credential: String, cookies: [HandoverCredential.Cookie]) {
    let fields = "st=\(span.issued)~exp=\(span.expires)~acl=\(path)*"
    let code = try key.code(of: Array(fields.utf8))
    let token = "\(fields)~hmac=\(code.hexadecimal)"
    return (token, [.init(name: "hdnts", value: token)])
  }
}
