public import MediaToken

/// How a verdict reads in JSON. The daemon's answers and the command line's have the same members.
extension JSONWriter {
  /// The members `verdict`, `number` and `identity` of a valid token and everything that it says.
  ///
  /// - Warning: `sessionGUID` is among them. The answer belongs to whoever asked, not in a log.
  public mutating func members(ofValid token: VerifiedToken) {
    member("verdict", Verdict.validToken.answer.wireName)
    member("number", Int64(Verdict.validToken.answer.number))
    member("identity", token.identity.digest)
    member("requestorID", token.requestorID)
    member("resourceID", token.resourceID)
    member("mvpdId", token.mvpdID)
    if let proxy = token.proxyMVPDID { member("proxyMvpdId", proxy) }
    member("sessionGUID", token.sessionGUID)
    member("issueTime", token.issueTime)
    member("ttl", token.ttlMilliseconds)
    member("ttlMilliseconds", token.ttlMilliseconds)
    member("expiresAt", token.expiresAt)
    member("keyFingerprint", token.keyFingerprint)
    member("unknownFields", token.unknownFields)
    member("use", token.use.rawValue)
  }

  /// The members `verdict`, `number`, `reason`, `detail` and, once the token has a name, `identity`.
  public mutating func members(of rejection: Rejection) {
    member("verdict", rejection.verdict.answer.wireName)
    member("number", Int64(rejection.verdict.answer.number))
    member("reason", rejection.reason.rawValue)
    member("detail", rejection.detail)
    if let identity = rejection.identity { member("identity", identity.digest) }
  }

  /// The members `fault` and `number`: there is no verdict.
  public mutating func members(of fault: Fault) {
    member("fault", fault.answer.wireName)
    member("number", Int64(fault.answer.number))
  }
}
