import MediaTokenSystem
import Testing

@testable import MediaToken

/// What a seat keeps, without a process: every ballot that it gave its vote to.
final class SeatStore: Sendable {
  private let kept = Monitor(Kept())

  private struct Kept: Sendable {
    var ballots: [ClaimBatch.IdentityPrefix: Ballot] = [:]
    var from = Int64.min
    var high = Int64.max
  }

  /// It has forgotten everything that was issued before this second, and may keep that for the future.
  func forget(before second: Int64) {
    kept.change { kept in
      kept.ballots = [:]
      kept.from = second
    }
  }

  /// It takes tokens that are issued after this second for too far ahead.
  func takeNone(after second: Int64) { kept.change { $0.high = second } }

  func answer(_ claim: ClaimBatch.Claim) -> SeatAnswer {
    kept.change { kept in
      if claim.issueSecond < kept.from { return .forgotten }
      if claim.issueSecond > kept.high { return .ahead }
      if let ballot = kept.ballots[claim.identity] { return .present(ballot) }
      kept.ballots[claim.identity] = claim.ballot
      return .new
    }
  }
}

/// A seat that says what a test tells it to say, when it tells it to.
final class ScriptedSeat: Seat {
  let number: Int
  let record: SeatRecord
  let store: SeatStore
  /// Whether it can be asked.
  var isUp = true
  /// Whether it can be asked once it has answered.
  var isBusy = false
  /// Whether there is hope that it can be asked soon.
  var isConnected = true
  /// What it does when it is asked.
  var manner = Manner.answers
  /// What it was asked, in order.
  private(set) var asked: [(batch: ClaimBatch, number: UInt64, time: UInt64)] = []
  private(set) var isClosed = false
  private var replies: [SeatReply] = []

  enum Manner: Sendable {
    /// It votes, and its reply comes in the next turn.
    case answers
    /// It votes, and its reply comes when the test says so.
    case waits
    /// It votes, and its reply is lost.
    case losesReplies
    /// It has no answer for the batch.
    case fails
  }

  init(_ record: SeatRecord, _ store: SeatStore) {
    (number, self.record, self.store) = (record.number, record, store)
  }

  func isUsable(at time: UInt64) -> Bool { isUp && !isBusy }
  func isBusy(at time: UInt64) -> Bool { isUp && isBusy }
  var nextDeadline: UInt64? { replies.isEmpty ? nil : 0 }

  func ask(_ batch: ClaimBatch, number: UInt64, at time: UInt64) {
    asked.append((batch, number, time))
    switch manner {
    case .answers: answer(number)
    case .waits: break
    case .losesReplies: for claim in batch.claims { _ = store.answer(claim) }
    case .fails: say(nil, to: number)
    }
  }

  /// Votes now on a batch that it was asked.
  func answer(_ number: UInt64) {
    guard let batch = asked.first(where: { $0.number == number })?.batch else { return }
    say(batch.claims.map(store.answer), to: number)
  }

  /// Its reply to a batch, whatever it voted.
  func say(_ answers: [SeatAnswer]?, to number: UInt64) {
    replies.append(SeatReply(batch: number, answers: answers))
  }

  func work(at time: UInt64, isReady: Bool, _ hear: (SeatReply) -> Void) {
    let ready = replies
    replies = []
    for reply in ready { hear(reply) }
  }

  func close() { isClosed = true }
}

/// Seats that a test controls. Each thread has seats of its own, and all of them the same stores.
// SAFETY: a test changes the seats of one thread only while that thread waits for it.
final class ScriptedEngine: SeatEngine, @unchecked Sendable {
  let stores: [SeatStore]
  private let made = Monitor<[ScriptedSeat]>([])
  private let prepare: @Sendable (ScriptedSeat) -> Void

  /// - Parameter prepare: is called with every seat that is made.
  init(seats: Int, _ prepare: @escaping @Sendable (ScriptedSeat) -> Void = { _ in }) {
    stores = (0..<seats).map { _ in SeatStore() }
    self.prepare = prepare
  }

  /// The same stores, asked by another process.
  init(_ other: ScriptedEngine) { (stores, prepare) = (other.stores, other.prepare) }

  /// All seats that were made, in turn.
  var seats: [ScriptedSeat] { made.current }

  func makeSeat(_ record: SeatRecord, watchedBy poller: Poller) -> any Seat {
    let seat = ScriptedSeat(record, stores[record.number - 1])
    prepare(seat)
    made.change { $0.append(seat) }
    return seat
  }
}

/// The fleet of a test, and one thread's claims in it.
struct ScriptedFleet {
  let engine: ScriptedEngine
  let fleet: Fleet
  let claims: FleetClaims
  /// The seats of `claims`, in order.
  let seats: [ScriptedSeat]

  init(
    seats count: Int, retryWindow: Int64 = 0, deadline: Int = 50, localTable: FleetOptions.LocalTable? = nil,
    stores other: ScriptedEngine? = nil
  ) throws {
    let engine = other.map { ScriptedEngine($0) } ?? ScriptedEngine(seats: count)
    fleet = try Fleet(
      .scripted(seats: count, retryWindow: retryWindow, deadline: deadline, localTable: localTable)
    ) { _ in engine }
    claims = try FleetClaims(fleet, at: 0)
    (self.engine, seats) = (engine, engine.seats)
  }

  /// Adds claims, numbered from 0, and sends them.
  func send(_ claims: [UseClaim], at time: UInt64 = 0, firstNumber: UInt64 = 0) {
    for (index, claim) in claims.enumerated() { self.claims.add(claim, number: firstNumber + UInt64(index)) }
    self.claims.send(at: time)
  }

  /// What is known by then, by the claims' numbers.
  func answers(at time: UInt64 = 0) -> [UInt64: Result<UseOutcome, Fault>] {
    var answers: [UInt64: Result<UseOutcome, Fault>] = [:]
    claims.takeAnswers(at: time) { number, answer in
      #expect(answers[number] == nil, "a claim is answered once")
      answers[number] = answer
    }
    return answers
  }

  /// The answer to one claim alone.
  func answer(_ claim: UseClaim, at time: UInt64 = 0) -> Result<UseOutcome, Fault>? {
    send([claim], at: time)
    return answers(at: time)[0]
  }
}

extension FleetOptions {
  static func scripted(
    seats: Int, retryWindow: Int64 = 0, deadline: Int = 50, localTable: LocalTable? = nil
  ) throws -> FleetOptions {
    let places = (1...seats).map { "/seat\($0)" }.joined(separator: ",")
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
