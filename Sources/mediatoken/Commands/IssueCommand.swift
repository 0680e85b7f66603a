internal import CommandLineOptions
internal import MediaToken
internal import MediaTokenIssuer
internal import MediaTokenSystem

extension Command {
  /// `mediatoken issue`.
  static let issue = Command(
    words: ["issue"],
    summary: "Sign tokens with a key of your own: for development and tests.",
    operand: nil, options: IssueCommand.options,
    notes: [
      "Tokens are printed one a line. They open doors wherever their key is trusted: keep development keys out of"
        + " production.",
      "Example:\n"
        + "  mediatoken issue --key keys/development.private.pem \\\n"
        + "    --requestor REF30 --resource TNT",
    ],
    run: IssueCommand.run)
}

/// Prints tokens for development.
enum IssueCommand {
  private static let key = Option.value("key", "FILE", "the private key to sign with: PEM, PKCS#8 or PKCS#1")
  private static let requestor = Option.value("requestor", "ID", "requestorID")
  private static let resource = Option.value("resource", "ID", "resourceID, a name or a whole MRSS document")
  private static let cdata = Option.flag("cdata", "write resourceID in CDATA, as production does with MRSS")
  private static let guid = Option.value("session-guid", "GUID", "sessionGUID (default: random for each token)")
  private static let mvpd = Option.value("mvpd", "ID", "mvpdId (default Sample_MVPD)")
  private static let proxy = Option.value("proxy-mvpd", "ID", "proxyMvpdId (default: left out)")
  private static let ttl = Option.value("ttl", "MS", "the life in milliseconds (default 300000)")
  private static let issueTime = Option.value(
    "issue-time", "TIME", "ISO 8601 with an offset, or milliseconds since 1970; whole seconds count (default: now)")
  private static let offset = Option.value(
    "utc-offset", "±HHMM", "the time zone that issueTime is written in (default -0800)")
  private static let root = Option.value("root", "NAME", "the root element (default authToken)")
  private static let form = Option.value("form", "raw|base64|percent", "the spelling (default raw)")
  private static let count = Option.value(
    "count", "N", "how many tokens, each with a sessionGUID of its own (default 1)")

  static let options = [
    key, requestor, resource, cdata, guid, mvpd, proxy, ttl, issueTime, offset, root, form, count,
  ]

  static func run(_ arguments: Arguments) throws(ToolError) -> Int32 {
    let keyPath = try arguments.required(key)
    let token = try token(arguments)
    let form = try arguments.word(form, of: DevelopmentTokenIssuer.Form.self) ?? .raw
    let count = try arguments.number(count, in: 1...1_000_000_000) ?? 1
    if count > 1, arguments.has(guid) {
      throw arguments.usage("expected \(guid.usage) for one token only: with --count all would be the same token")
    }
    if form == .raw, token.hasLineFeed {
      throw arguments.usage(
        "expected no line feed in a raw token, as each stands on a line; type --form base64 or percent")
    }
    var issuer = try issuer(keyPath)
    try write(token, as: form, count, freshGUIDs: !arguments.has(guid), with: &issuer, arguments)
    return ExitStatus.done
  }

  private static func token(_ arguments: Arguments) throws(ToolError) -> DevelopmentToken {
    var token = DevelopmentToken(
      requestorID: try arguments.required(requestor), resourceID: try arguments.required(resource),
      issueTime: try ExpectationOptions.instant(issueTime, arguments) ?? .now,
      sessionGUID: arguments.text(guid) ?? DevelopmentToken.randomSessionGUID())
    if let root = arguments.text(root) { token.root = root }
    if arguments.has(cdata) { token.resourceForm = .cdata }
    if let mvpd = arguments.text(mvpd) { token.mvpdID = mvpd }
    if let ttl = try arguments.number(ttl, in: 0...999_999_999_999) { token.ttlMilliseconds = ttl }
    token.proxyMVPDID = arguments.text(proxy)
    if let text = arguments.text(offset) {
      guard let minutes = minutes(text) else {
        throw arguments.usage("expected \(offset.usage), for example -0800")
      }
      token.utcOffsetMinutes = minutes
    }
    return token
  }

  /// `±HHMM` in minutes.
  private static func minutes(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 5, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      bytes[1...].allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text.dropFirst()), number % 100 <= 59
    else { return nil }
    let minutes = number / 100 * 60 + number % 100
    return bytes[0] == UInt8(ascii: "-") ? -minutes : minutes
  }

  private static func issuer(_ path: String) throws(ToolError) -> DevelopmentTokenIssuer {
    let pem = try PrivateKeyFile.read(path)
    do throws(DevelopmentKeyError) {
      return try DevelopmentTokenIssuer(DevelopmentKeyPair(privateKeyPEM: pem.span))
    } catch {
      throw .unable("\(VerdictText.shown(path)): \(error.description)")
    }
  }

  /// Tokens leave in blocks: a system call for each would cost more than it helps.
  private static func write(
    _ token: DevelopmentToken, as form: DevelopmentTokenIssuer.Form, _ count: Int64, freshGUIDs: Bool,
    with issuer: inout DevelopmentTokenIssuer, _ arguments: Arguments
  ) throws(ToolError) {
    var token = token
    var output: [UInt8] = []
    for number in 1...count {
      if freshGUIDs, number > 1 { token.sessionGUID = DevelopmentToken.randomSessionGUID() }
      do throws(DevelopmentTokenError) {
        try issuer.issue(token, as: form, into: &output)
      } catch {
        if case .fault = error { throw .unable(error.description) }
        throw arguments.usage(error.description)
      }
      output.append(UInt8(ascii: "\n"))
      if output.count >= 64 * 1024 || number == count {
        try StandardOutput.write(output.span)
        output.removeAll(keepingCapacity: true)
      }
    }
  }
}

extension DevelopmentToken {
  /// Whether the raw token would not stay on one line.
  fileprivate var hasLineFeed: Bool {
    [sessionGUID, requestorID, resourceID, mvpdID, proxyMVPDID ?? ""].contains {
      $0.utf8.contains(UInt8(ascii: "\n"))
    }
  }
}
