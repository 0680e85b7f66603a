internal import MediaTokenSystem

/// A node that is looked at by an operator's command, on a stream of its own. All of it waits.
struct NodeInspection {
  private let engine: RedisEngine
  private let number: Int
  private let caller: RedisCaller
  private var handshake: Handshake
  /// All sections of `INFO` together.
  private(set) var info = InfoText("")

  /// Makes sure that the process may be a node. The timeout is for that and all questions together.
  init(_ engine: RedisEngine, _ node: NodePlace, within timeout: Timeout) throws(NodeError) {
    (self.engine, number) = (engine, node.number)
    caller = try RedisCaller(engine, node: node.number, within: timeout)
    handshake = Handshake(node: number)
    var isApproved = false
    while !isApproved {
      let (command, reply) = try caller.next()
      handshake.password = caller.password
      let step = try follow(reply, to: command.question)
      if case .approved = step { isApproved = true }
      if reply.kind == .bytes { info.add(reply.wholeText) }
    }
  }

  mutating func readMore() throws(NodeError) {
    for section in ["memory", "persistence"] {
      info.add(try caller.ask { $0.info(section, into: &$1) }.wholeText)
    }
  }

  /// The node's clock in microseconds since the epoch, and the time that the question took.
  func time() throws(NodeError) -> (microseconds: Int64, roundTrip: Int64) {
    let start = MonotonicTime.now
    let texts = try answer { $0.time(into: &$1) }.texts
    let roundTrip = Int64(MonotonicTime.now - start) / 1000
    guard texts.count == 2, let seconds = Self.number(texts[0], in: FleetClock.seconds),
      let rest = Self.number(texts[1], in: 0...999_999)
    else { throw .refused(.protocolUnknown) }
    return (seconds * 1_000_000 + rest, roundTrip)
  }

  func epoch() throws(NodeError) -> NodeEpoch {
    let texts = try answer { $0.epoch(into: &$1) }.texts
    guard texts.count == 4 else { throw .refused(.protocolUnknown) }
    let isOurs = texts[0] != nil && texts[0] == info["master_replid"]
    return NodeEpoch(
      isOurs: isOurs, node: texts[1], from: Self.number(texts[2], in: FleetClock.epochSeconds),
      high: Self.number(texts[3], in: FleetClock.epochSeconds))
  }

  private static func number(_ text: String?, in range: ClosedRange<Int64>) -> Int64? {
    text.flatMap { Int64($0) }.flatMap { range.contains($0) ? $0 : nil }
  }

  /// The owner of a token's bucket, and the ballot there.
  func standing(_ claim: ClaimBatch.Claim) throws(NodeError) -> (isOurs: Bool, ballot: Ballot?) {
    let reply = try answer { $0.standing(claim, into: &$1) }
    guard reply.elements.count == 2, let last = reply.elements.last else { throw .refused(.protocolUnknown) }
    let ballot = last.kind == .bytes ? Ballot(bytes: reply[last]) : nil
    // A value that is no ballot: a claim would not be told that it is new.
    guard ballot != nil || last.kind == .null else { throw .refused(.protocolUnknown) }
    return (reply.texts[0] == info["master_replid"], ballot)
  }

  /// An error is no reply here.
  private func answer(
    _ write: (inout NodeCommands, inout [UInt8]) -> Void
  ) throws(NodeError) -> Reply {
    let reply = try caller.ask(write)
    guard reply.kind == .error else { return reply }
    if case .refused(let refusal) = ErrorReply(reply.wholeText) { throw .refused(refusal) }
    throw .busy(reply.wholeText)
  }

  /// The reason why it takes no writes; nil if it does.
  mutating func probe() throws(NodeError) -> NodeRefusal? {
    try load(NodeScripts.probe)
    let reply = try caller.ask { $0.probe(into: &$1) }
    do throws(NodeError) {
      _ = try follow(reply, to: .probe)
      return nil
    } catch {
      guard case .refused(let refusal) = error, case .takesNoWrites = refusal else { throw error }
      return refusal
    }
  }

  private mutating func load(_ script: NodeScripts.Script) throws(NodeError) {
    _ = try follow(caller.ask { $0.load(script, into: &$1) }, to: .script)
  }

  /// Gives it an epoch, if it has none. `freshOwner` is that of ``NodeCommands/startEpoch(at:highestSecond:freshOwner:into:)``.
  mutating func startEpoch(freshOwner: String?) throws(NodeError) {
    let second = FleetClock.secondRoundedUp(engine.clock.now())
    let highest = engine.clock.highestSecond(ofNode: number)
    try load(NodeScripts.claims)
    try load(NodeScripts.start)
    let reply = try caller.ask {
      $0.startEpoch(at: second, highestSecond: highest, freshOwner: freshOwner, into: &$1)
    }
    if reply.kind == .error {
      switch ErrorReply(reply.wholeText) {
      case .hasEpoch: throw .hasEpoch
      case .otherData: throw .otherData
      default: break
      }
    }
    _ = try follow(reply, to: .start)
  }

  mutating func retire() throws(NodeError) {
    try load(NodeScripts.retire)
    _ = try answer { $0.retire(into: &$1) }
  }

  private mutating func follow(
    _ reply: Reply, to question: SentCommand.Question
  ) throws(NodeError) -> Handshake.Step {
    let step = try rethrow(handshake.hear(reply, to: question, askedAgo: 0, engine.clock)) { (_: ForeignReply) in
      NodeError.refused(.protocolUnknown)
    }
    switch step {
    case .refused(let refusal): throw .refused(refusal)
    // An error of the process itself: it is loading, busy or full.
    case .lost: throw .busy(handshake.withoutSecret(reply.wholeText, question))
    default: return step
    }
  }
}

/// A node's epoch, for these data or for others.
struct NodeEpoch {
  let isOurs: Bool
  let node: String?
  let from: Int64?
  let high: Int64?
  var exists: Bool { node != nil || from != nil || high != nil || isOurs }
}
