internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats

/// A daemon's state in its own words, for health checks of containers and services: `mediatoken query --ready` and
/// `--live`.
enum DaemonHealth: String {
  /// The next good token would be valid.
  case ready
  /// The process serves.
  case live

  static let readyFlag = Flag("ready", "instead of a token: ask whether the next good token would be valid")
  static let liveFlag = Flag("live", "instead of a token: ask whether the daemon serves")

  /// Nil if neither is asked for. Next to the other one, a token, or options for a token, it is a usage error.
  init?(_ arguments: Arguments) throws(Problem) {
    switch (arguments.has(Self.readyFlag), arguments.has(Self.liveFlag)) {
    case (false, false): return nil
    case (true, true): throw arguments.usage("--ready and --live are both given; give one")
    case (true, false): self = .ready
    case (false, true): self = .live
    }
    let ofTokens: [any CommandOption] = [
      QueryCommand.requestor, QueryCommand.resource, QueryCommand.resourceDocument, QueryCommand.resourceChannel,
      OutputOptions.showGUID,
    ]
    if arguments.operand != nil {
      throw arguments.usage("--\(rawValue) asks about the daemon; leave the token out")
    }
    if let option = ofTokens.first(where: { arguments.has($0) }) {
      throw arguments.usage("--\(rawValue) asks about the daemon; leave \(option.usage) out")
    }
  }

  /// 0 if it is so, 1 if the daemon says that it is not ready. For every other answer it throws that nothing is known.
  func ask(_ daemon: Daemon, _ arguments: Arguments) throws(Problem) -> Int32 {
    let question = "GET /\(rawValue)z HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    let answer = try daemon.answer(to: Array(question.utf8))
    guard let members = answer.members, let status = members.text("status") else {
      throw other("status \(answer.status) without a JSON object")
    }
    let isSo = status.hasSameBytes(as: rawValue) && answer.status == 200
    let isNot = self == .ready && status.hasSameBytes(as: "not-ready") && answer.status == 503
    guard isSo || isNot else { throw other("status \(answer.status) and \(VerdictText.shown(status))") }
    if arguments.has(OutputOptions.json) {
      try StandardOutput.write(ShownJSON.escaped(answer.body) + "\n")
    } else {
      let notes = ["reason", "detail", "cure"].compactMap { name in
        members.text(name).map { VerdictText.line(name, $0) }
      }
      try StandardOutput.write(VerdictText.shown(status) + "\n" + notes.joined())
    }
    return isSo ? ExitStatus.done : ExitStatus.refused
  }

  private func other(_ answer: String) -> Problem {
    Problem("the answer does not say whether the daemon is \(rawValue): \(answer)", cure: "check the path")
  }
}
