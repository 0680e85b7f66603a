internal import MediaTokenSystem

/// The checks before a node gets claims: that it is the right one, and has an epoch.
///
/// First questions that change nothing; only a process that may be a node is given the scripts and an epoch.
struct Handshake: Redacted {
  /// The consequence of a reply.
  enum Step {
    case none
    /// The process may be a node.
    case approved
    case done(HandshakeResult)
    case refused(NodeRefusal)
    /// It has no answer now; its own words.
    case lost(StoreWords?)
  }

  /// The oldest version that has what the scripts need.
  private static let oldestMajorVersion = 6
  /// The node's, from 1.
  let number: Int
  /// It distinguishes the process from every other.
  private var process: String?
  /// No message repeats it, whatever the process says.
  var password: String?

  init(node number: Int) { self.number = number }

  /// It was asked `elapsed` nanoseconds ago. ``ForeignReply`` if Redis would not say that.
  mutating func hear(
    _ reply: Reply, to question: SentCommand.Question, askedAgo elapsed: UInt64, _ clock: FleetClock
  ) throws(ForeignReply) -> Step {
    if reply.kind == .error { return failed(reply.wholeText, question, askedAgo: elapsed, clock) }
    switch question {
    case .authentication:
      guard reply.kind == .status else { throw ForeignReply() }
      return .none
    case .server: return try server(try Self.info(reply))
    case .replication:
      guard let role = try Self.info(reply)["role"] else { throw ForeignReply() }
      return role == "master" ? .none : .refused(.replica)
    case .cluster: return try Self.info(reply)["cluster_enabled"] == "1" ? .refused(.clusterNode) : .approved
    case .script:
      guard reply.kind == .bytes else { throw ForeignReply() }
      return .none
    case .probe:
      guard reply.kind == .integer else { throw ForeignReply() }
      return .none
    case .start: return .done(try started(reply, askedAgo: elapsed, clock))
    case .claims, .look: throw ForeignReply()
    }
  }

  private func failed(
    _ text: String, _ question: SentCommand.Question, askedAgo elapsed: UInt64, _ clock: FleetClock
  ) -> Step {
    let told = withoutSecret(text, question)
    return switch ErrorReply(text, told: told) {
    case .refused(let refusal): .refused(refusal)
    case .clock(let second):
      clock.startRefusal(at: second, ofNode: number, askedAgo: elapsed).map { .refused($0) } ?? .lost(nil)
    case .none where question.isProbe: .refused(.takesNoWrites(ErrorReply.words(of: told)))
    case .none, .noScript, .noEpoch, .hasEpoch, .otherData:
      .lost(ErrorReply.words(of: told))
    }
  }

  /// Redis quotes the beginning of a command that it does not know, and another server may repeat anything.
  func withoutSecret(_ text: String, _ question: SentCommand.Question) -> String {
    if let password, !password.isEmpty, text.contains(password) {
      return "an error that repeats the password"
    }
    guard case .authentication = question, text.hasPrefix("ERR ") else { return text }
    return String(text.prefix { $0 != "'" && $0 != "`" })
  }

  private mutating func server(_ info: InfoText) throws(ForeignReply) -> Step {
    guard let version = info["redis_version"], let process = info["run_id"], !process.isEmpty else {
      throw ForeignReply()
    }
    self.process = process
    guard let major = version.split(separator: ".").first.flatMap({ Int($0) }), major >= Self.oldestMajorVersion
    else {
      return .refused(.version(version))
    }
    return .none
  }

  private static func info(_ reply: Reply) throws(ForeignReply) -> InfoText {
    guard reply.kind == .bytes else { throw ForeignReply() }
    return InfoText(reply.wholeText)
  }

  /// The reply to a start may come at any time.
  private func started(
    _ reply: Reply, askedAgo elapsed: UInt64, _ clock: FleetClock
  ) throws(ForeignReply) -> HandshakeResult {
    guard let process, let numbers = reply.integers, numbers.count == 4, FleetClock.seconds.contains(numbers[0]),
      numbers[1...2].allSatisfy(FleetClock.epochSeconds.contains)
    else { throw ForeignReply() }
    let (offset, setBack) = clock.note(
      second: numbers[0], ofNode: number, showing: EpochMark(process: process, from: numbers[1]), askedAgo: elapsed)
    return HandshakeResult(
      from: numbers[1], clockOffsetSeconds: offset, isStarted: numbers[3] == 1, process: process, timeline: nil,
      secondsSetBack: setBack)
  }
}
