internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenSystem

extension Command {
  static let query = Command(
    words: ["query"],
    summary: "Ask a running daemon about a token, as an application does, or about itself.",
    operand: TokenSource.optionalOperand,
    options: [
      QueryCommand.socket, QueryCommand.requestor, QueryCommand.resource, QueryCommand.resourceDocument,
      QueryCommand.resourceChannel, QueryCommand.timeout, DaemonHealth.readyFlag, DaemonHealth.liveFlag,
      OutputOptions.showGUID, OutputOptions.json,
    ],
    notes: [
      """
      The first line on standard output is the verdict; without a verdict it is empty. A valid token counts as used.
      """,
      """
      With --ready or --live the first line is ready, not-ready or live, and the next ones say why it is not and \
      what to do. No token is used up, so a health check may ask any number of times.
      """,
      .exitStatus(
        """
        0 valid, ready or live, 1 refused or not ready, 2 the command line is not understood, 3 not known: \
        the daemon is not there, may not be asked by this user, does not answer in time, or answers something \
        else, such as a verdict on another token.
        """),
      .example(
        """
        mediatoken query --socket /run/mediatokend/mediatokend.sock \\
          --requestor REF30 --resource TNT - <token.txt
        """),
      .example("mediatoken query --socket /run/mediatokend/mediatokend.sock --ready"),
    ],
    run: QueryCommand.run)
}

enum QueryCommand {
  static let socket = Option("socket", .text(.path), "the daemon's UNIX socket")
  static let requestor = Option(
    "requestor", .text(.requestor),
    "the requestor that the token must be for; may be left out where the daemon serves one")
  static let resource = Option(
    "resource", .text(.resource),
    "the resource that the token must be for; may be left out where the requestor has one")
  static let resourceDocument = Option(
    "resource-document", .text(.text), "the same, as a Media RSS document in whatever spelling")
  static let resourceChannel = Option(
    "resource-channel", .text(.resource), "the same, as a channel: its id, or a document of it")
  static let timeout = Option(
    "timeout", .number(1...600_000, .milliseconds), default: 5000, "how long to wait, in milliseconds")

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    let daemon = Daemon(socket: try arguments.required(socket), limit: try arguments[timeout])
    if let health = try DaemonHealth(arguments) { return try health.ask(daemon, arguments) }
    let resource = try expectedResource(arguments)
    let token = try TokenSource.read(arguments)
    let answer = try Problem.about("no verdict", daemon.answer(to: question(about: token, arguments)))
    let expected = DaemonAnswer.Expected(
      requestor: try arguments[requestor].map { ExactText($0) },
      resource: resource,
      identity: (try? TokenIdentity(naming: token.span)).map { ExactText($0.description) })
    let verdict = try answer.verdict(expected)
    try write(answer, arguments, firstLine: verdict)
    return verdict.answer.exitStatus
  }

  /// The longest query in bytes, far below the limit of a request line.
  private static let longestQuery = 1024

  /// The names in the query, as the article HTTPInterface calls them, and the token as it is; or both in a form, if a
  /// document is among the names.
  private static func question(about token: [UInt8], _ arguments: Arguments) -> [UInt8] {
    let options: [(StaticString, any CommandOption)] = [
      ("requestor=", requestor), ("resource=", resource), ("resourceDocument=", resourceDocument),
      ("resourceChannel=", resourceChannel),
    ]
    var names: [UInt8] = []
    for (name, option) in options {
      guard let text = arguments.texts(of: option).first else { continue }
      if !names.isEmpty { names.append("&") }
      names.append(name)
      names.appendPercentEncoding(of: text.utf8Span.span)
    }
    let isShort = names.count <= longestQuery
    var body = token
    if !isShort {
      body = names
      body.append("&token=")
      body.appendPercentEncoding(of: token.span)
    }
    let query = isShort && !names.isEmpty ? "?" + String(decoding: names, as: UTF8.self) : ""
    let type = isShort ? "text/plain" : "application/x-www-form-urlencoded"
    return Array(
      """
      POST /v1/verify\(query) HTTP/1.1\r
      Host: localhost\r
      Connection: close\r
      Content-Type: \(type)\r
      Content-Length: \(body.count)\r
      \r

      """.utf8) + body
  }

  /// Nil: the daemon chooses it.
  private static func expectedResource(_ arguments: Arguments) throws(Problem) -> ExpectedResource? {
    let (exact, document, channel) = try (
      arguments[resource], arguments[resourceDocument], arguments[resourceChannel]
    )
    return try rethrow(
      ExpectedResource.oneOf(
        exact: exact, document: document, channel: channel,
        several: Problem(
          "more than one of \(resource.usage), \(resourceDocument.usage) and \(resourceChannel.usage) is given",
          cure: "give one"))
    ) { (problem: Problem) in
      problem.fault.map { VerifyCommand.noVerdict($0) } ?? arguments.usage(problem.description)
    }
  }

  private static func write(
    _ answer: DaemonAnswer, _ arguments: Arguments, firstLine verdict: Verdict
  ) throws(Problem) {
    guard !arguments.has(OutputOptions.json) else {
      return try StandardOutput.write(ShownJSON.escaped(answer.body) + "\n")
    }
    var text = verdict.answer.wireName + "\n"
    for member in answer.members ?? [] where !["verdict", "number", "ttlMilliseconds"].contains(member.name) {
      guard let value = shown(member, showingGUID: arguments.has(OutputOptions.showGUID)) else { continue }
      text += VerdictText.line(VerdictText.shown(member.name), value)
    }
    try StandardOutput.write(text)
  }

  /// As `mediatoken verify` prints it; nil for a member that it leaves out.
  private static func shown(_ member: JSONTree.Member, showingGUID: Bool) -> String? {
    switch member.value.value {
    case .string(let text):
      member.name == "sessionGUID" && !showingGUID ? VerdictText.hiddenGUID(text) : text
    case .integer(let number): "\(number)"
    case .boolean(let value): "\(value)"
    case .array(let elements):
      elements.isEmpty
        ? nil : elements.map { if case .string(let text) = $0.value { text } else { "?" } }.joined(separator: " ")
    case .object, .real, .null: nil
    }
  }
}
