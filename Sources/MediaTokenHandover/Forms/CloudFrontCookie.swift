internal import MediaToken

/// Signed cookies of CloudFront with a custom policy (Amazon CloudFront Developer Guide, "Set signed cookies using a custom
/// policy"). A canned policy covers one file, not what begins with a path.
///
/// The signature is over SHA-256, which the fourth cookie says; without it CloudFront expects SHA-1.
struct CloudFrontCookie: HandoverForm {
  /// A whole address and `*`, which matches any characters, slashes too. There is nothing in it that JSON would escape.
  let resource: String
  let keyID: String
  let key: SigningKey

  func write(_ span: HandoverSpan) throws(Fault) -> (credential: String, cookies: [HandoverCredential.Cookie]) {
    // The guide's order, without white space.
    let policy = Array(
      #"{"Statement":[{"Resource":"\#(resource)","Condition":{"DateLessThan":{"AWS:EpochTime":\#(span.expires)}}}]}"#
        .utf8)
    let cookies: [HandoverCredential.Cookie] = [
      .init(name: "CloudFront-Policy", value: policy.base64OfCloudFront),
      .init(name: "CloudFront-Signature", value: try key.signature(of: policy).base64OfCloudFront),
      .init(name: "CloudFront-Key-Pair-Id", value: keyID),
      .init(name: "CloudFront-Hash-Algorithm", value: "SHA256"),
    ]
    return (cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; "), cookies)
  }
}
