internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats

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
    let question = try ExplainedQuestion(arguments)
    let answer = try QueryCommand.ask(place, without: "no verdict", arguments) {
      (client, limit) throws(DaemonClient.Failure) in
      try client.post(
        question.body, as: question.type, to: question.target, at: place, withinMilliseconds: limit)
    }
    return switch try ExplainedAnswer(answer, to: question) {
    case .explained(let outcome): try outcome.print(arguments)
    case .noToken(let noToken): try noToken.print(arguments)
    }
  }
}
