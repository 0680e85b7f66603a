internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenHandover
internal import MediaTokenIssuer
internal import MediaTokenSystem

extension Command {
  static let issue = Command(
    words: ["issue"],
    summary: "Sign tokens with a key of your own: for development and tests.",
    options: IssueCommand.options,
    notes: [
      """
      Tokens are printed one per line. They are accepted wherever their key is trusted: keep development keys out of \
      production.
      """,
      .example(
        """
        mediatoken issue --key keys/development.private.pem \\
          --requestor REF30 --resource TNT
        """),
    ],
    run: IssueCommand.run)
}

enum IssueCommand {
  /// The defaults of a token.
  private static let usual = DevelopmentToken(requestorID: "", resourceID: "", issueTime: .now, sessionGUID: "")

  private static let key = Option("key", .text(.file), "the private key to sign with: PEM, PKCS#8 or PKCS#1")
  private static let requestor = Option("requestor", .text(.requestor), "the token's requestorID")
  private static let resource = Option(
    "resource", .text(.resource), "the token's resourceID: a name or a whole MRSS document")
  private static let cdata = Flag("cdata", "write resourceID in CDATA, as production does with MRSS")
  private static let guid = Option(
    "session-guid", .text(.sessionGUID), default: DevelopmentToken.randomSessionGUID(),
    described: "random for each token", "the token's sessionGUID")
  private static let mvpd = Option("mvpd", .text(.provider), default: usual.mvpdID, "the token's mvpdId")
  private static let proxy = Option(
    "proxy-mvpd", .text(.provider), described: "left out", "the token's proxyMvpdId")
  private static let ttl = Option(
    "ttl", .number(0...999_999_999_999, .milliseconds), default: usual.ttlMilliseconds,
    "the token's life in milliseconds")
  private static let issueTime = Option(
    "issue-time", .instant, default: .now, described: "now",
    "the token's issueTime: ISO 8601 with an offset, or milliseconds since 1970; whole seconds count")
  private static let offset = Option(
    "utc-offset", .utcOffset, default: usual.utcOffsetMinutes,
    "the time zone that issueTime is written in")
  private static let root = Option("root", .text(.name), default: usual.root, "the name of the root element")
  private static let form = Option(
    "form", .words(IssuedForm.self), default: .raw,
    "the spelling; decision: an answer of decisions/authorize of Adobe's REST API v2 with the token in it")
  private static let count = Option(
    "count", .number(1...1_000_000_000), default: 1, "how many tokens, each with a sessionGUID of its own")

  static let options: [any CommandOption] = [
    key, requestor, resource, cdata, guid, mvpd, proxy, ttl, issueTime, offset, root, form, count,
  ]

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    let keyPath = try arguments.required(key)
    let token = try token(arguments)
    let (form, count) = (try arguments[form], try arguments[count])
    if count > 1, arguments.has(guid) {
      throw arguments.usage("all tokens of --count would be the same one with \(guid.usage); leave one of them out")
    }
    if form == .raw, token.hasLineFeed {
      throw arguments.usage(
        "a line feed would end a raw token, which is one line; type --form base64 or percent")
    }
    var issuer = try issuer(keyPath)
    try write(token, as: form, count, freshGUIDs: !arguments.has(guid), with: &issuer, arguments)
    return ExitStatus.done
  }

  private static func token(_ arguments: Arguments) throws(Problem) -> DevelopmentToken {
    var token = DevelopmentToken(
      requestorID: try arguments.required(requestor), resourceID: try arguments.required(resource),
      issueTime: try arguments[issueTime], sessionGUID: try arguments[guid])
    if arguments.has(cdata) { token.resourceForm = .cdata }
    token.root = try arguments[root]
    token.mvpdID = try arguments[mvpd]
    token.proxyMVPDID = try arguments[proxy]
    token.ttlMilliseconds = try arguments[ttl]
    token.utcOffsetMinutes = try arguments[offset]
    return token
  }

  private static func issuer(_ path: String) throws(Problem) -> DevelopmentTokenIssuer {
    var pem = try PrivateKeyFile.read(path)
    defer { pem.overwrite() }
    return try rethrow(DevelopmentTokenIssuer(DevelopmentKeyPair(privateKeyPEM: pem.span))) {
      (problem: Problem) in
      problem.about(VerdictText.shown(path))
    }
  }

  /// Tokens are written in blocks, not with a system call for each.
  private static func write(
    _ token: DevelopmentToken, as form: IssuedForm, _ count: Int, freshGUIDs: Bool,
    with issuer: inout DevelopmentTokenIssuer, _ arguments: Arguments
  ) throws(Problem) {
    var token = token
    var output: [UInt8] = []
    for number in 1...count {
      if freshGUIDs, number > 1 { token.sessionGUID = DevelopmentToken.randomSessionGUID() }
      try rethrow(append(token, as: form, to: &output, with: &issuer), as: arguments.problem)
      output.append(UInt8(ascii: "\n"))
      if output.count >= 64 * 1024 || number == count {
        try StandardOutput.write(output.span)
        output.removeAll(keepingCapacity: true)
      }
    }
  }
}

extension IssueCommand {
  private static func append(
    _ token: DevelopmentToken, as form: IssuedForm, to output: inout [UInt8],
    with issuer: inout DevelopmentTokenIssuer
  ) throws(Problem) {
    guard form == .decision else { return try issuer.issue(token, as: form.tokenForm, into: &output) }
    var serialized: [UInt8] = []
    try issuer.issue(token, as: form.tokenForm, into: &serialized)
    let begin = token.issueTime.millisecondsSinceEpoch
    let decision = WrittenDecision(
      resource: token.resourceID, serviceProvider: token.requestorID, mvpd: token.mvpdID,
      token: serialized, notBefore: begin, notAfter: begin + token.ttlMilliseconds)
    var writer = JSONWriter(appendingTo: output)
    output = []
    decision.write(to: &writer)
    output = writer.bytes
  }
}

extension Arguments {
  /// The command line is at fault, unless OpenSSL or the system is.
  func problem(_ problem: Problem) -> Problem {
    problem.fault == nil ? usage(problem.description) : problem
  }
}

extension DevelopmentToken {
  /// True if the raw token would not stay on one line.
  fileprivate var hasLineFeed: Bool {
    [sessionGUID, requestorID, resourceID, mvpdID, proxyMVPDID ?? ""].contains {
      $0.utf8.contains(UInt8(ascii: "\n"))
    }
  }
}

extension Form<Int> {
  /// The minutes by which the clocks of a time zone are ahead of UTC: `±HHMM`.
  fileprivate static var utcOffset: Form {
    text(.utcOffset, isNot: "a sign and four digits", cure: "write for example -0800") { text in
      let bytes = Array(text.utf8)
      guard bytes.count == 5, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
        bytes[1...].allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text.dropFirst()),
        number % 100 <= 59
      else { return nil }
      let minutes = number / 100 * 60 + number % 100
      return bytes[0] == UInt8(ascii: "-") ? -minutes : minutes
    }
    .written(DevelopmentToken.offsetText)
  }
}
