import Glibc
import ProofKit

@testable import MediaToken

/// What all processes of one table share.
///
/// A worker writes into its own words where it is, before and after each claim; that survives it. In a token's word: how
/// often it was granted, in its second half: how many claims of it were cut off by a kill.
struct Ledger {
  let folder: String
  let tokens: SharedWords
  private let workers: SharedWords
  /// 1 while a process grows the table, 2 afterwards.
  let growing: SharedWords

  static let workerCount = 8
  static let tokenCount = 16_000
  static let capacities = [500, 1000, 2000, 4000, 8000, 12_000, 16_000, 20_000]

  init(_ folder: String) {
    self.folder = folder
    tokens = SharedWords("\(folder)/kill.tokens", count: Self.tokenCount)
    workers = SharedWords("\(folder)/kill.workers", count: Self.workerCount * 16)
    growing = SharedWords("\(folder)/kill.growing", count: 1)
  }

  /// A worker's words; after them is how often it had each outcome.
  enum Word: Int {
    /// The token that it is claiming, plus one; 0 between claims.
    case claiming
    /// Which token is its next.
    case turn
    /// 1 once it was started and has opened the table.
    case isAtWork
    case outcomes
  }

  subscript(worker: Int, word: Word) -> Int {
    get { Int(workers[worker * 16 + word.rawValue]) }
    nonmutating set { workers[worker * 16 + word.rawValue] = UInt64(newValue) }
  }

  func count(_ outcome: Outcome) -> Int {
    (0..<Self.workerCount).reduce(0) { $0 + Int(workers[$1 * 16 + Word.outcomes.rawValue + outcome.rawValue]) }
  }

  var table: String { "\(folder)/kill.table" }

  /// The body of a worker. All claim the same few tokens at the same time; one that finds the table full tries again until there is
  /// room, and a new one goes on at the very token at which the one before was killed.
  func work(as worker: Int, base: Int) {
    let table = openTable(table, retryWindow: 60)
    // Half of them repeat requests, each its own.
    let request = worker % 2 == 0 ? nil : UseRequest(id: "worker \(worker)", callerUID: UInt32(worker))
    self[worker, .isAtWork] = 1
    var turn = self[worker, .turn]
    while turn < Self.tokenCount {
      if turn % 4 == 0 {
        while (0..<Self.workerCount).contains(where: { self[$0, .turn] < turn }) { waitAMoment() }
      }
      self[worker, .claiming] = turn + 1
      let outcome = Outcome(
        table, claim(token(turn), issued: base, life: 80_000, now: base, request: request))
      if outcome == .first { tokens.add(1, at: turn) }
      self[worker, .claiming] = 0
      workers.add(1, at: worker * 16 + Word.outcomes.rawValue + outcome.rawValue)
      if outcome == .full {
        waitAMoment()
      } else {
        turn += 1
        self[worker, .turn] = turn
      }
    }
  }

  func grow(to capacity: Int) {
    growing[0] = 1
    do throws(Problem) {
      try SharedReplayTable.grow(at: table, toCapacity: capacity)
    } catch {
      // The one before was killed when it had done it.
      guard error.fact.hasPrefix("expected a capacity of more than") else { fail("\(error)") }
    }
    growing[0] = 2
  }
}
