package import MediaToken

/// Verdicts in JSON. The daemon's answers and the command line's have the same members.
extension JSONWriter {
  /// The members `verdict`, `number` and `identity` of a valid token and everything that it says.
  ///
  /// - Warning: `sessionGUID` is among them. The answer belongs to the caller, not in a log.
  package mutating func members(ofValid token: VerifiedToken) {
    member("verdict", Verdict.validToken.answer.wireName)
    member("number", Int64(Verdict.validToken.answer.number))
    member("identity", token.identity.digest)
    member("requestorID", token.requestorID.text)
    member("resourceID", token.resourceID.text)
    member("mvpdId", token.mvpdID.text)
    if let proxy = token.proxyMVPDID { member("proxyMvpdId", proxy.text) }
    member("sessionGUID", token.sessionGUID)
    member("issueTime", token.issueTime)
    member("ttl", token.ttlMilliseconds)
    member("ttlMilliseconds", token.ttlMilliseconds)
    member("expiresAt", token.expiresAt)
    member("keyFingerprint", token.keyFingerprint)
    member("unknownFields", token.unknownFields)
    member("use", token.use.rawValue)
    next(.nothing, Verdict.validToken.answer.adobeCode)
  }

  /// The members `verdict`, `number`, `reason`, `detail`, `action`, `adobeCode` and, once the token has a name, `identity`;
  /// where there is no verdict, `fault`, `number`, `action` and `adobeCode`.
  package mutating func members(of refusal: Refusal) {
    switch refusal {
    case .rejected(let rejection):
      member("verdict", rejection.verdict.answer.wireName)
      member("number", Int64(rejection.verdict.answer.number))
      cause(of: rejection)
    case .undecided, .cancelled:
      member("fault", refusal.answer.wireName)
      member("number", Int64(refusal.answer.number))
      next(refusal.action, refusal.answer.adobeCode)
    }
  }

  mutating func cause(of rejection: Rejection) {
    member("reason", rejection.reason.rawValue)
    member("detail", rejection.detail)
    next(rejection.reason.action, rejection.verdict.answer.adobeCode)
    if let identity = rejection.identity { member("identity", identity.digest) }
  }

  /// Every answer with a verdict or a fault has these.
  package mutating func next(_ action: Action, _ adobeCode: AdobeCode) {
    member("action", action.rawValue)
    member("adobeCode", adobeCode.rawValue)
  }

  /// 64 hexadecimal digits.
  package mutating func member(_ name: StaticString, _ digest: SHA256Digest) {
    let digits = digest.hexadecimalDigits
    member(name, plain: digits.span)
  }

  /// ISO 8601 in UTC with milliseconds.
  package mutating func member(_ name: StaticString, _ instant: Instant) {
    guard let text = instant.iso8601 else { return member(name, instant.description) }
    member(name, plain: text.span)
  }
}
