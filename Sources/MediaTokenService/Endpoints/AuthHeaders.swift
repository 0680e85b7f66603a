internal import MediaToken
internal import MediaTokenHTTP

/// The headers that a proxy may hand on to whom it protects: always all of them, so that none of a viewer's own gets through
/// under the same name. Values are percent-encoded; `-` stands for nothing.
enum AuthHeaders {
  /// The longest value in bytes, encoded: nginx gives an upstream's whole head 4 or 8 KiB unless told otherwise.
  static let longestValue = 3072

  /// Whether what is expected of a token can be said in headers.
  static func fits(_ expectation: Expectation) -> Bool {
    if case .exactly(let text) = expectation.resource, encoded(text).count > longestValue { return false }
    if case .exactly(let text) = expectation.requestor, encoded(text).count > longestValue { return false }
    return true
  }

  /// Adds the full set.
  ///
  /// - Returns: false if one value is too long; the set is there all the same, and says nothing.
  static func append(_ outcome: AuthOutcome, to response: inout Response) -> Bool {
    let values = values(of: outcome)
    let all = [
      values.verdict, values.reason, values.resource, values.requestor, values.mvpd, values.proxyMVPD,
      values.issueTime, values.identity,
    ].map { $0.map { encoded($0) } ?? [UInt8(ascii: "-")] }
    let fits = all.allSatisfy { $0.count <= longestValue }
    for (name, value) in zip(names, all) {
      response.fields.append((name: name, value: fits ? value : [UInt8(ascii: "-")]))
    }
    return fits
  }

  private static let names: [StaticString] = [
    "X-Media-Token-Verdict", "X-Media-Token-Reason", "X-Media-Token-Resource", "X-Media-Token-Requestor",
    "X-Media-Token-Mvpd", "X-Media-Token-Proxy-Mvpd", "X-Media-Token-Issue-Time", "X-Media-Token-Identity",
  ]

  private struct Values {
    var verdict: String?
    var reason: String?
    var resource: String?
    var requestor: String?
    var mvpd: String?
    var proxyMVPD: String?
    var issueTime: String?
    var identity: String?
  }

  private static func values(of outcome: AuthOutcome) -> Values {
    switch outcome {
    case .unprotected: return Values()
    case .noToken: return Values(reason: "no-token")
    case .refused(let error): return Values(reason: error.name)
    case .decided(.success(let token)):
      return Values(
        verdict: Verdict.validToken.answer.wireName, resource: token.resourceID, requestor: token.requestorID,
        mvpd: token.mvpdID, proxyMVPD: token.proxyMVPDID, issueTime: token.issueTime.description,
        identity: token.identity.description)
    case .decided(.failure(.rejected(let rejection))):
      return Values(
        verdict: rejection.verdict.answer.wireName, reason: rejection.reason.rawValue,
        identity: rejection.identity?.description)
    case .decided(.failure(.undecided(let fault))): return Values(reason: fault.answer.wireName)
    }
  }

  /// Nothing is absent, and so is an empty text; a text that is just `-` is encoded, so that it is not taken for nothing.
  private static func encoded(_ text: String) -> [UInt8] {
    if text.isEmpty { return [UInt8(ascii: "-")] }
    if text.utf8.elementsEqual("-".utf8) { return Array("%2D".utf8) }
    var output: [UInt8] = []
    output.appendPercentEncoding(of: text.utf8Span.span)
    return output
  }
}
