internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenSystem

/// The headers that a proxy may pass on to its upstream: always all of them, so that none of a viewer's own gets through
/// under the same name. Values are percent-encoded; `-` means that there is no value.
enum AuthHeaders {
  /// Whether an answer has room for a token's names, besides what it brings. Asked before the token is spent.
  static func fit(_ names: [String], besides handover: Handover?) -> Bool {
    names.reduce(handover?.headBytes ?? 0) { $0 + encoded($1).count } <= AuthHeaderLimits.names
  }

  /// Adds the full set.
  static func append(_ outcome: AuthOutcome, to response: inout Response) {
    let values = values(of: outcome)
    let all = [
      values.verdict, values.reason, values.action?.rawValue, values.adobeCode?.rawValue, values.use,
      values.resource,
      values.requestor, values.mvpd, values.proxyMVPD, values.issueTime, values.identity,
    ]
    for (name, value) in zip(names, all) {
      response.fields.append((name: name, value: encoded(value ?? "")))
    }
    // As it is: a credential has nothing that would have to be encoded, and none is `-`.
    response.fields.append((name: "X-Media-Token-Handover", value: Array((values.handedOver?.text ?? "-").utf8)))
    for cookie in values.handedOver?.cookies ?? [] {
      response.fields.append((name: "Set-Cookie", value: Array(cookie.utf8)))
    }
  }

  private static let names: [StaticString] = [
    "X-Media-Token-Verdict", "X-Media-Token-Reason", "X-Media-Token-Action", "X-Media-Token-Adobe-Code",
    "X-Media-Token-Use", "X-Media-Token-Resource", "X-Media-Token-Requestor", "X-Media-Token-Mvpd",
    "X-Media-Token-Proxy-Mvpd", "X-Media-Token-Issue-Time", "X-Media-Token-Identity",
  ]

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
    var issueTime: String?
    var identity: String?
    var handedOver: HandedOver?
  }

  private static func values(of outcome: AuthOutcome) -> Values {
    switch outcome {
    case .unprotected, .letThrough: return Values()
    case .noToken: return Values(reason: RequestError.noToken.name, action: RequestError.noToken.action)
    case .refused(let error): return Values(reason: error.name, action: error.action)
    case .decided(.success(.valid(let token, let handedOver))):
      return Values(
        verdict: Verdict.validToken.answer.wireName, action: .nothing,
        adobeCode: Verdict.validToken.answer.adobeCode,
        use: token.use.rawValue, resource: token.resourceID.text, requestor: token.requestorID.text,
        mvpd: token.mvpdID.text, proxyMVPD: token.proxyMVPDID?.text, issueTime: token.issueTime.description,
        identity: token.identity.description, handedOver: handedOver)
    // Without a verdict, which only step 7 could give.
    case .decided(.success(.notSpent(let token))):
      return Values(use: NotSpentToken.use, identity: token.identity.description)
    case .decided(.success(.tooLong(let token))):
      return Values(
        reason: RequestError.headerTooLong.name, use: NotSpentToken.use, identity: token.identity.description)
    case .decided(.failure(.rejected(let rejection))):
      return Values(
        verdict: rejection.verdict.answer.wireName, reason: rejection.reason.rawValue,
        action: rejection.reason.action, adobeCode: rejection.verdict.answer.adobeCode,
        identity: rejection.identity?.description)
    case .decided(.failure(let refusal)):
      let answer = refusal.answer
      return Values(reason: answer.wireName, action: refusal.action, adobeCode: answer.adobeCode)
    }
  }

  /// `-` is for no value or an empty one; a text that is just `-` is encoded, so that it is not taken for that.
  private static func encoded(_ text: String) -> [UInt8] {
    if text.isEmpty { return [UInt8(ascii: "-")] }
    if text.hasSameBytes(as: "-") { return Array("%2D".utf8) }
    var output: [UInt8] = []
    output.appendPercentEncoding(of: text.utf8Span.span)
    return output
  }
}
