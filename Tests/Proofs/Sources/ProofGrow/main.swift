import Glibc
import ProofKit

@testable import MediaToken

// ProofGrow FOLDER [TABLES]: processes claim the same tokens from a table that is too small for them, while others make it
// grow, and are killed in the middle of that.
//
// Every token is granted exactly once, whichever process is killed.

/// What all processes of one table share.
struct Ledger {
  let folder: String
  /// How often each token was granted.
  let grants: SharedWords
  /// Per worker: which token is its next, and how often it found the table full.
  let workers: SharedWords
  /// 1 while a process grows the table, 2 afterwards.
  let growing: SharedWords

  static let workerCount = 8
  static let tokens = 16_000
  static let capacities = [500, 1000, 2000, 4000, 8000, 12_000, 16_000, 20_000]

  init(_ folder: String) {
    self.folder = folder
    grants = SharedWords("\(folder)/grow.grants", count: Self.tokens)
    workers = SharedWords("\(folder)/grow.workers", count: Self.workerCount * 16)
    growing = SharedWords("\(folder)/grow.growing", count: 1)
  }

  var table: String { "\(folder)/grow.table" }

  /// All claim the same token at about the same time; a process that finds the table full tries again until there is room.
  func work(as worker: Int, base: Int) {
    let table = openTable(table)
    for turn in 0..<Self.tokens {
      if turn % 4 == 0 {
        while (0..<Self.workerCount).contains(where: { Int(workers[$0 * 16]) < turn - 4 }) { waitAMoment() }
      }
      let claim = claim(token(turn), issued: base, life: 80_000, now: base)
      var outcome = Outcome(table, claim)
      while outcome == .full {
        workers.add(1, at: worker * 16 + 1)
        waitAMoment()
        outcome = Outcome(table, claim)
      }
      require(outcome == .first || outcome == .used, "an answer that cannot be: \(outcome)")
      if outcome == .first { grants.add(1, at: turn) }
      workers[worker * 16] = UInt64(turn)
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

/// One table from its first token to its last.
struct Growing {
  let ledger: Ledger
  private(set) var (kills, full, growths) = (0, 0, 0)

  init(_ folder: String) { ledger = Ledger(folder) }

  mutating func run() {
    let base = wallClock()
    createTable(ledger.table, capacity: Ledger.capacities[0])
    let workers = (0..<Ledger.workerCount).map { Child(["worker", ledger.folder, "\($0)", "\(base)"]) }
    for (number, capacity) in Ledger.capacities.enumerated().dropFirst() {
      // At different fillings, at times when it is full.
      let wanted = min(Ledger.tokens - 1000, Ledger.capacities[number - 1] * .random(in: 50...220) / 100)
      var looks = 0
      while turn < wanted, looks < 200 {
        let before = turn
        usleep(1000)
        // All wait: there is no room any more.
        looks = turn == before ? looks + 1 : 0
      }
      while growAndKill(to: capacity) { kills += 1 }
      growths += 1
    }
    for worker in workers { worker.waitForSuccess() }
    for token in 0..<Ledger.tokens {
      require(ledger.grants[token] == 1, "token \(token) was granted \(ledger.grants[token]) times")
    }
    full = (0..<Ledger.workerCount).reduce(0) { $0 + Int(ledger.workers[$1 * 16 + 1]) }
  }

  private var turn: Int { (0..<Ledger.workerCount).reduce(0) { max($0, Int(ledger.workers[$1 * 16])) } }

  /// Whether it was killed before it was done.
  private func growAndKill(to capacity: Int) -> Bool {
    ledger.growing[0] = 0
    let child = Child(["grow", ledger.folder, "\(capacity)"])
    guard Int.random(in: 0..<4) > 0 else {
      child.waitForSuccess()
      return false
    }
    while ledger.growing[0] == 0 { waitAMoment() }
    for _ in 0..<Int.random(in: 0..<6) { sched_yield() }
    child.killAndWait()
    return ledger.growing[0] == 1
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "worker":
  guard arguments.count == 4, let worker = Int(arguments[2]), let base = Int(arguments[3]) else {
    fail("a worker's arguments")
  }
  Ledger(arguments[1]).work(as: worker, base: base)
case "grow":
  guard arguments.count == 3, let capacity = Int(arguments[2]) else { fail("a grower's arguments") }
  Ledger(arguments[1]).grow(to: capacity)
default:
  guard let folder = arguments.first, let tables = Int(arguments.count > 1 ? arguments[1] : "8"), tables > 0 else {
    fail("usage: ProofGrow FOLDER [TABLES]")
  }
  var (number, kills, full, growths) = (0, 0, 0, 0)
  // So many tables, and as many more as it takes until a kill hits a growth.
  while number < tables || kills == 0 || full == 0 {
    let place = "\(folder)/\(number)"
    require(mkdir(place, 0o700) == 0, "cannot make \(place)")
    var growing = Growing(place)
    growing.run()
    kills += growing.kills
    full += growing.full
    growths += growing.growths
    number += 1
  }
  say(
    "grow: \(number) tables, \(growths) growths under \(Ledger.workerCount) claiming processes, \(kills) cut off by a kill; "
      + "\(full) claims found a table full; \(number * Ledger.tokens) tokens, each granted once")
  say("ProofGrow passed")
}
