internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHandover
internal import MediaTokenSystem

/// A verdict for people and for `head -n 1`: the wire name on the first line, then one `name: value` per line.
enum VerdictText {
  static func of(
    _ token: VerifiedToken, showingGUID: Bool, handover: HandoverCredential? = nil
  ) -> String {
    var text = Verdict.validToken.answer.wireName + "\n"
    line("requestorID", token.requestorID.text)
    line("resourceID", token.resourceID.text)
    line("mvpdId", token.mvpdID.text)
    if let proxy = token.proxyMVPDID { line("proxyMvpdId", proxy.text) }
    line("sessionGUID", showingGUID ? token.sessionGUID : hiddenGUID(token.sessionGUID))
    line("issueTime", token.issueTime.description)
    line("ttl", "\(token.ttlMilliseconds)")
    line("expiresAt", token.expiresAt.description)
    line("keyFingerprint", token.keyFingerprint.description)
    if !token.unknownFields.isEmpty { line("unknownFields", token.unknownFields.joined(separator: " ")) }
    line("identity", token.identity.description)
    line("use", token.use.rawValue)
    text += next(.nothing, Verdict.validToken.answer)
    if let handover { line("handover", handover.text) }
    return text

    func line(_ name: String, _ value: String) { text += VerdictText.line(name, value) }
  }

  static func of(_ rejection: Rejection) -> String {
    rejection.verdict.answer.wireName + "\n" + line("reason", rejection.reason.rawValue)
      + line("detail", rejection.detail) + next(rejection.reason.action, rejection.verdict.answer)
      + (rejection.identity.map { line("identity", $0.description) } ?? "")
  }

  /// The action, and the code for those who compare with Adobe's library.
  static func next(_ action: Action, _ answer: Answer) -> String {
    line("action", action.rawValue) + line("adobeCode", answer.adobeCode.rawValue)
  }

  /// The value is escaped: a token's text may hold line feeds and orders for the terminal.
  static func line(_ name: String, _ value: String) -> String {
    "\(name): \(shown(value))\n"
  }

  /// The text has nothing that a terminal would obey.
  static func shown(_ text: String) -> String { DisplayText.escaped(text) }

  static func hiddenGUID(_ guid: String) -> String { HiddenGUID.text(guid) }
}
