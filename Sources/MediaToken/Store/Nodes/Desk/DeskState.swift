/// What a process knows of its claims at a fleet's nodes: which wait, which were asked, and which have joined another of their token.
///
/// Claims that are to ask wait in a line in which their callers take turns. The first node that takes one puts it into the log; the
/// others find it there, each from its own place on. It reads no clock, sends nothing, and calls no door but to ask whether a claim is
/// still wanted.
struct DeskState {
  let fleet: Fleet
  /// All that have no answer.
  var claims: Numbered<OpenClaim>
  var nodes: [NodeView]
  var identities = AskedIdentities<UInt64>()
  var line = CallersLine<UInt64>()
  /// The claims that were given up while they stood in the line.
  var gaps = 0
  /// The claims that were asked, in the order in which they left the line.
  var log = Numbered<UInt64>()
  var counts: [ClaimCaller: Int] = [:]
  var kept = KeptBallots()
  /// The time at which deadlines are looked at next.
  var soonestDeadline = UInt64.max
  /// The end of the wait for the first connections.
  private let beginning: UInt64
  var isClosed = false
  /// Those who ask the nodes wait to be woken for claims.
  private var isQuiet = true
  private var alarm = UInt64.max

  /// The most claims that have no answer: more would have none in time. A caller may take as much of it as is left for all others.
  static let mostClaims = 16_384
  /// The wait of claims for the first connections, within their deadline: 2 s.
  private static let beginningLasts: UInt64 = 2_000_000_000
  /// The wait for nodes that are silent, 5 ms: a fleet that is not there must not hold up its callers.
  static let shortWait: UInt64 = 5_000_000

  /// Claims are numbered from `firstNumber` on.
  init(_ fleet: Fleet, at time: UInt64, firstNumber: UInt64 = 0) {
    self.fleet = fleet
    claims = Numbered(from: firstNumber)
    nodes = Array(repeating: NodeView(), count: fleet.nodes)
    beginning = time &+ Self.beginningLasts
  }

  // MARK: adding

  /// Takes claims, which have consecutive numbers; the first one's is returned.
  mutating func add(
    _ new: [NewClaim], of door: any ClaimDoor, at time: UInt64, _ ends: inout [ClaimEnd]
  ) -> UInt64 {
    let first = claims.end
    for new in new {
      guard door.takes(new.name, as: claims.end) else { continue }
      let count = counts[new.caller, default: 0]
      let isRefused = isClosed || count >= Self.mostClaims - claims.count
      counts[new.caller] = count + 1
      let number = claims.end
      let isRepeatable = fleet.isRepeatable(new.claim)
      // A refused one takes a number, too: the door reckons with it.
      claims.append(
        OpenClaim(
          claim: new.claim, door: door, name: new.name, caller: new.caller, side: new.side, since: time,
          deadline: time &+ fleet.deadline, origin: isRepeatable ? .request : .chance,
          tally: tally(new.ballot, isRepeatable: isRepeatable)))
      if isRefused {
        end(number, .failure(.replayMemoryUnavailable), at: time, &ends)
        continue
      }
      soonestDeadline = min(soonestDeadline, time &+ fleet.deadline)
      if identities.begin(new.claim, isRepeatable: fleet.retryWindowMilliseconds > 0, number),
        !ask(number, at: time)
      {
        end(number, .failure(.replayMemoryUnavailable), at: time, &ends)
      }
    }
    return first
  }

  private func tally(_ ballot: Ballot, isRepeatable: Bool) -> Tally {
    Tally(
      nodes: fleet.nodes, ballot: ballot,
      retryWindowMilliseconds: isRepeatable ? fleet.retryWindowMilliseconds : nil)
  }

  /// Puts a claim into the line. False if it can't be asked in time.
  mutating func ask(_ number: UInt64, at time: UInt64) -> Bool {
    _ = claims.change(number) { $0.place = .waiting }
    guard let open = claims[number], open.deadline > time, !isClosed, mayAsk(at: time) else { return false }
    let deadline = min(open.deadline, time &+ wait(at: time))
    let keptBallot = open.origin == .chance ? kept.take(open.claim.identity) : nil
    let keptTally = keptBallot.map { tally($0, isRepeatable: false) }
    _ = claims.change(number) { open in
      open.deadline = deadline
      if let keptTally { (open.origin, open.tally) = (.kept, keptTally) }
    }
    soonestDeadline = min(soonestDeadline, deadline)
    line.append(number, of: open.caller)
    return true
  }

  /// True if enough nodes can be asked, now or when they have answered or are connected to. Of a retired fleet none is.
  private func mayAsk(at time: UInt64) -> Bool {
    let nodes = nodes.count { $0.isUsable || $0.isBusy }
    return nodes >= fleet.votesNeeded || !fleet.health.isRetired && (time < beginning || mayDecide(nodes))
  }

  /// True if so many nodes may give a decision, or show that the fleet is retired.
  func mayDecide(_ nodes: Int) -> Bool {
    nodes >= fleet.votesNeeded || nodes + fleet.health.retiredNodes >= fleet.votesNeeded
  }

  private func wait(at time: UInt64) -> UInt64 {
    let heard = nodes.count { ($0.isUsable || $0.isBusy) && !$0.isSilent(for: fleet.deadline, at: time) }
    return time < beginning || heard >= fleet.votesNeeded ? fleet.deadline : min(Self.shortWait, fleet.deadline)
  }

  // MARK: keeping

  /// Forgets the ballots of tokens whose life is over at this second since the epoch.
  mutating func removeEnded(at second: Int64) { kept.removeEnded(at: second) }

  /// The claims without an answer, and the ballots that are kept.
  var undecided: Int { claims.count + kept.count }
  var keptBallots: Int { kept.count }

  // MARK: those who ask

  /// Those who ask the nodes have taken what they can, and are to be woken for more.
  mutating func rest() { isQuiet = true }

  /// The time at which deadlines are looked at next, unless there is an earlier one.
  mutating func setAlarm(_ time: UInt64) { alarm = time }

  /// True if claims wait in the line.
  var hasClaimsToAsk: Bool { !line.isEmpty }

  /// What those who ask the nodes are to be woken for.
  mutating func takeReasonsToWake() -> (claims: Bool, alarm: Bool) {
    let reasons = (claims: isQuiet && !line.isEmpty, alarm: soonestDeadline < alarm)
    if reasons.claims { isQuiet = false }
    if reasons.alarm { alarm = soonestDeadline }
    return reasons
  }
}
