internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenDecision
internal import MediaTokenPrograms

/// `mediatoken explain --daemon`: the inspector of a running daemon looks, and this prints what it says.
enum ExplainedByDaemon {
  static let daemon = Option(
    "daemon", .text(.path), "ask the inspector of a daemon, by its socket, 127.0.0.1:PORT or [::1]:PORT")

  /// What a daemon knows by itself.
  private static let ofDaemon: [any CommandOption] =
    TrustOptions.all + PolicyOptions.all + [ExpectationOptions.at, ExplainCommand.replay, FleetOption.credentials]

  /// - Returns: the exit status of the verdict.
  /// - Throws: that there is no verdict, for every answer that is not a whole explanation of this token.
  static func run(at place: DaemonPlace, _ arguments: Arguments) throws(ToolError) -> Int32 {
    if let option = ofDaemon.first(where: { arguments.has($0) }) {
      throw arguments.usage("the daemon has its own \(option.usage); leave it out next to \(daemon.usage)")
    }
    try TokenSource.check(arguments)
    let target = try target(arguments)
    let resource = try ExpectationOptions.resource(arguments)?.value
    var (body, type) = ([UInt8](), "text/plain")
    var sent: [UInt8]
    if let path = try arguments[TokenSource.decision] {
      let document = try TokenSource.document(path)
      switch try TokenSource.token(in: document, of: path, for: resource ?? .anyResource) {
      case .noToken(let noToken): return try noToken.print(arguments)
      case .token(let token, _): sent = token
      }
      body = Array(#"{"decision":"#.utf8) + document + [UInt8(ascii: "}")]
      type = "application/json"
    } else {
      sent = try TokenSource.read(arguments)
      body = sent
    }
    let answer = try QueryCommand.ask(place, without: "no verdict", arguments) {
      (client, limit) throws(DaemonClient.Failure) in
      try client.post(body, as: type, to: target, at: place, withinMilliseconds: limit)
    }
    let expected = DaemonAnswer.Expected(
      requestor: try arguments[ExpectationOptions.requestorID].map { ExactText($0) }, resource: resource,
      identity: SentToken.identity(of: sent))
    let explained = try ExplainedAnswer(answer, expected, hasDecision: arguments.has(TokenSource.decision))
    return try ExplainCommand.print(explained.outcome, arguments)
  }

  /// The path, with what the token must be for as far as that was said.
  private static func target(_ arguments: Arguments) throws(ToolError) -> String {
    let pairs: [(any CommandOption, any CommandOption)] =
      [(ExpectationOptions.requestorID, ExpectationOptions.anyRequestor)]
      + ExpectationOptions.resources.map { ($0, ExpectationOptions.anyResource) }
    if let both = pairs.first(where: { arguments.has($0.0) && arguments.has($0.1) }) {
      throw arguments.usage("\(both.0.usage) and \(both.1.usage) are both given; give one")
    }
    let names: [(String, any CommandOption)] = [
      ("requestor", ExpectationOptions.requestorID), ("resource", ExpectationOptions.resource),
      ("resourceDocument", ExpectationOptions.resourceDocument),
      ("resourceChannel", ExpectationOptions.resourceChannel),
    ]
    let parameters = names.compactMap { name, option in
      arguments.texts(of: option).first.map { "\(name)=\(QueryCommand.percentEncoded($0))" }
    }
    return "/v1/explain" + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
  }
}
