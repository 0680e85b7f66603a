import Glibc
import ProofKit

@testable import MediaToken

/// What all processes of the proof share.
///
/// A worker writes into its own words where it is, before and after each claim; that survives it. In a token's word: how
/// often it was granted, in its second half: how many claims of it were cut off by a kill.
struct Ledger {
  let folder: String
  let tokens: SharedWords
  private let workers: SharedWords
  /// The turn before which all stop.
  private let end: SharedWords

  static let workerCount = 12
  static let tokenLimit = 4_000_000
  static let step = 4
  private static let wordsPerWorker = 16

  init(_ folder: String) {
    self.folder = folder
    tokens = SharedWords("\(folder)/kill.tokens", count: Self.tokenLimit)
    workers = SharedWords("\(folder)/kill.workers", count: Self.workerCount * Self.wordsPerWorker)
    end = SharedWords("\(folder)/kill.end", count: 1)
  }

  var table: String { "\(folder)/kill.table" }
  var endTurn: Int {
    get { Int(end[0]) }
    nonmutating set { end[0] = UInt64(newValue) }
  }

  /// The token that a worker is claiming, plus one; 0 between claims.
  func claiming(_ worker: Int) -> Int { Int(workers[worker * Self.wordsPerWorker]) }
  /// Which token is its next.
  func turn(_ worker: Int) -> Int { Int(workers[worker * Self.wordsPerWorker + 1]) }
  /// Whether it was started and has opened the table.
  func isAtWork(_ worker: Int) -> Bool { workers[worker * Self.wordsPerWorker + 2] == 1 }
  func count(_ outcome: Outcome, _ worker: Int) -> Int {
    Int(workers[worker * Self.wordsPerWorker + 3 + outcome.rawValue])
  }

  func setAtWork(_ worker: Int, _ isAtWork: Bool) {
    workers[worker * Self.wordsPerWorker + 2] = isAtWork ? 1 : 0
  }
  func clearClaim(_ worker: Int) { workers[worker * Self.wordsPerWorker] = 0 }

  /// The body of a worker. A new one goes on at the very token at which the one before was killed.
  func work(as worker: Int, base: Int) {
    let table = openTable(table, retryWindow: 60)
    // Half of them repeat requests, each its own.
    let request = worker % 2 == 0 ? nil : UseRequest(id: "worker \(worker)", callerUID: UInt32(worker))
    setAtWork(worker, true)
    let own = worker * Self.wordsPerWorker
    var turn = turn(worker)
    while turn < endTurn {
      if turn % Self.step == 0 { waitForOthers(turn) }
      let claim = claim(token(turn), issued: base, life: 80_000, now: base, request: request)
      workers[own] = UInt64(turn) + 1
      let outcome = Outcome(table, claim)
      if outcome == .first { tokens.add(1, at: turn) }
      workers[own] = 0
      workers.add(1, at: own + 3 + outcome.rawValue)
      turn += 1
      workers[own + 1] = UInt64(turn)
    }
    // The others do not wait for one that has ended.
    workers[own + 1] = UInt64(Self.tokenLimit)
  }

  /// All claim the same few tokens at the same time.
  private func waitForOthers(_ turn: Int) {
    while (0..<Self.workerCount).contains(where: { self.turn($0) < turn }) { waitAMoment() }
  }
}
