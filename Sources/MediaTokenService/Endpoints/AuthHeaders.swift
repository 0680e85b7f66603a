internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenSystem

/// The headers that a proxy may pass on to its upstream: always all of them, so that none of a viewer's own gets through
/// under the same name. Values are percent-encoded; `-` means that there is no value.
enum AuthHeaders {
  /// True if an answer has room for a token's names, besides the hand-over. Asked before the token is spent.
  static func haveRoom(for token: borrowing UnspentToken, besides handover: Handover?) -> Bool {
    let names = token.lengthOfNames { max(1, $0.utf8Span.span.percentEncodedCount) }
    return names + (handover?.headBytes ?? 0) <= AuthHeaderLimits.names
  }

  /// Adds the full set.
  static func append(_ outcome: AuthOutcome, to response: inout Response) {
    let values = values(of: outcome)
    response.addField("X-Media-Token-Verdict", values.verdict ?? "-")
    response.addField("X-Media-Token-Reason", values.reason ?? "-")
    response.addField("X-Media-Token-Action", values.action?.rawValue ?? "-")
    response.addField("X-Media-Token-Adobe-Code", values.adobeCode?.rawValue ?? "-")
    response.addField("X-Media-Token-Use", values.use ?? "-")
    response.addName("X-Media-Token-Resource", values.resource)
    response.addName("X-Media-Token-Requestor", values.requestor)
    response.addName("X-Media-Token-Mvpd", values.mvpd)
    response.addName("X-Media-Token-Proxy-Mvpd", values.proxyMVPD)
    response.addField("X-Media-Token-Issue-Time") { output in
      guard let time = values.issueTime else { return output.append("-") }
      guard let text = time.iso8601 else { return output.appendPercentEncoding(of: time.description.utf8Span.span) }
      output.appendPercentEncoding(of: text.span)
    }
    response.addField("X-Media-Token-Identity") { output in
      guard let identity = values.identity else { return output.append("-") }
      output.append(copying: identity.digest.hexadecimalDigits.span)
    }
    // As it is: a credential has nothing that would have to be encoded, and none is `-`.
    response.addField("X-Media-Token-Handover", values.handedOver?.text ?? "-")
    for cookie in values.handedOver?.cookies ?? [] { response.addField("Set-Cookie", cookie) }
  }

  private struct Values {
    var verdict: String?
    var reason: String?
    var action: Action?
    var adobeCode: AdobeCode?
    var use: String?
    var resource: String?
    var requestor: String?
    var mvpd: String?
    var proxyMVPD: String?
    var issueTime: UnixTime?
    var identity: TokenIdentity?
    var handedOver: HandedOver?
  }

  private static func values(of outcome: AuthOutcome) -> Values {
    switch outcome {
    case .unprotected, .letThrough: return Values()
    case .noToken: return Values(reason: RequestError.noToken.name, action: RequestError.noToken.action)
    case .refused(let error): return Values(reason: error.name, action: error.action)
    case .decided(.valid(let token, let handedOver)):
      return Values(
        verdict: Verdict.validToken.answer.wireName, action: .nothing,
        adobeCode: Verdict.validToken.answer.adobeCode,
        use: token.use.rawValue, resource: token.resourceID.text, requestor: token.requestorID.text,
        mvpd: token.mvpdID.text, proxyMVPD: token.proxyMVPDID?.text, issueTime: token.issueTime,
        identity: token.identity, handedOver: handedOver)
    // Without a verdict, which only step 7 could give.
    case .decided(.notSpent(let token)):
      return Values(use: NotSpentToken.use, identity: token.identity)
    case .decided(.tooLong(let token)):
      return Values(
        reason: RequestError.headerTooLong.name, use: NotSpentToken.use, identity: token.identity)
    case .decided(.refused(.rejected(let rejection))):
      return Values(
        verdict: rejection.verdict.answer.wireName, reason: rejection.reason.rawValue,
        action: rejection.reason.action, adobeCode: rejection.verdict.answer.adobeCode,
        identity: rejection.identity)
    case .decided(.refused(let refusal)):
      let answer = refusal.answer
      return Values(reason: answer.wireName, action: refusal.action, adobeCode: answer.adobeCode)
    }
  }
}

extension Response {
  /// `-` is for no name or an empty one; a name that is just `-` is encoded, so that it is not taken for that. Others
  /// chose the name.
  fileprivate mutating func addName(_ field: StaticString, _ name: String?) {
    addField(field) { output in
      guard let name, !name.isEmpty else { return output.append("-") }
      let text = name.utf8Span.span
      if text.isExactly("-") { output.append("%2D") } else { output.appendPercentEncoding(of: text) }
    }
  }
}
