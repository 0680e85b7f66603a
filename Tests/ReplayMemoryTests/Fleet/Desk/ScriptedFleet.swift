import MediaTokenSystem
import Testing

@testable import MediaToken

/// Asks no one: a test does the turns.
struct NoAskers: NodeAskers {
  func start(for desk: Desk) {}
  func wake(forClaims: Bool, forAlarm: Bool) {}
  func end() {}
}

/// The fleet of a test, its desk, and the door of one loop; the test does the turns of what asks the nodes.
final class ScriptedFleet {
  let engine: ScriptedEngine
  let fleet: Fleet
  let desk: Desk
  let door: LoopDoor
  let turns: NodeTurns
  /// In order.
  let nodes: [ScriptedNode]

  init(
    nodes count: Int, retryWindow: Int64 = 0, deadline: Int = 50, localTable: FleetOptions.LocalTable? = nil
  ) throws {
    let engine = ScriptedEngine(nodes: count)
    fleet = try Fleet(
      .scripted(nodes: count, retryWindow: retryWindow, deadline: deadline, localTable: localTable)
    ) { _ in engine }
    desk = Desk(fleet, NoAskers(), at: 0)
    door = try LoopDoor(desk)
    nodes = engine.makeNodes(fleet.health.records)
    turns = NodeTurns(desk, nodes)
    self.engine = engine
  }

  /// The claims without an answer, and the ballots that are kept.
  var undecided: Int { desk.undecided }
  var keptBallots: Int { desk.exchange { state, _ in state.keptBallots } }

  /// The time when the last one came of those that have no answer.
  var lastCame: UInt64 {
    desk.exchange { state, _ in
      state.claims.numbers { _ in true }.compactMap { state.claims[$0]?.since }.max() ?? 0
    }
  }

  /// Adds claims, numbered from 0, and sends them.
  func send(_ claims: [UseClaim], at time: UInt64 = 0, firstNumber: UInt64 = 0) {
    for (index, claim) in claims.enumerated() { door.add(claim, number: firstNumber + UInt64(index)) }
    door.send(at: time)
    turn(at: time)
  }

  /// The result is the time of the next one.
  @discardableResult
  func turn(at time: UInt64) -> UInt64 { turns.turn(at: time, [], isWoken: true) }

  /// What is known by then, by the claims' numbers.
  func answers(at time: UInt64 = 0) -> [UInt64: Result<UseOutcome, Fault>] {
    turn(at: time)
    return door.answers()
  }

  /// The answer to one claim alone.
  func answer(_ claim: UseClaim, at time: UInt64 = 0) -> Result<UseOutcome, Fault>? {
    send([claim], at: time)
    return answers(at: time)[0]
  }
}

extension LoopDoor {
  /// What is known, by the claims' numbers.
  func answers() -> [UInt64: Result<UseOutcome, Fault>] {
    var answers: [UInt64: Result<UseOutcome, Fault>] = [:]
    var known = -1
    // One may follow from another.
    while known < answers.count {
      known = answers.count
      takeAnswers { number, answer in
        #expect(answers[number] == nil, "a claim is answered once")
        answers[number] = answer
      }
    }
    return answers
  }
}

extension FleetOptions {
  static func scripted(
    nodes: Int, retryWindow: Int64 = 0, deadline: Int = 50, localTable: LocalTable? = nil
  ) throws -> FleetOptions {
    let places = (1...nodes).map { "/node\($0)" }.joined(separator: ",")
    return FleetOptions(
      address: try FleetAddress(redis: "test@" + places), policy: .standard,
      settings: FleetSettings(deadlineMilliseconds: deadline, localTable: localTable),
      retryWindowMilliseconds: retryWindow)
  }
}

/// A millisecond on the clock that tests hand in.
let millisecond: UInt64 = 1_000_000

/// A claim of a test's token, that is issued and presented now, in seconds since the epoch.
func claim(
  _ number: UInt64, issued: Int64 = 1_700_000_000, life: Int64 = 300, now: Int64? = nil, request: String? = nil,
  uid: UInt32 = 0
) -> UseClaim {
  UseClaim(
    identity: TokenIdentity(digest: SHA256Digest(words: number, 1, 2, 3)),
    issueTime: Instant(millisecondsSinceEpoch: issued * 1000), ttlMilliseconds: life * 1000,
    now: Instant(millisecondsSinceEpoch: (now ?? issued) * 1000),
    request: request.map { UseRequest(id: $0, callerUID: uid) })
}

/// The answer to a claim that was decided.
let firstUse = Result<UseOutcome, Fault>.success(.firstUse)
let used = Result<UseOutcome, Fault>.success(.alreadyUsed)
let retry = Result<UseOutcome, Fault>.success(.retry)
let predates = Result<UseOutcome, Fault>.success(.predatesMemory)
let unavailable = Result<UseOutcome, Fault>.failure(.replayMemoryUnavailable)
