internal import MediaToken
internal import MediaTokenSystem

/// `secure_link` and `secure_link_md5` of nginx (nginx.org, Module ngx_http_secure_link_module): the MD5 in base64url of
/// the text that the operator's expression puts together. Ours is `"$secure_link_expires/live/tnt/ SECRET"`.
struct NginxSecureLink: HandoverForm, Redacted {
  let path: String
  let secret: [UInt8]

  func write(_ span: HandoverSpan) throws(Fault) -> (credential: String, cookies: [HandoverCredential.Cookie]) {
    var message = Array("\(span.expires)\(path) ".utf8) + secret
    defer { message.overwrite() }
    let digest = try MD5Hasher.digest(of: message).base64URL
    return (
      "md5=\(digest)&expires=\(span.expires)",
      [.init(name: "mt_md5", value: digest), .init(name: "mt_expires", value: "\(span.expires)")]
    )
  }
}
