import Glibc
import ProofKit

// ProofKill FOLDER [TABLES [KILLS]]: processes claim the same tokens from a table that is too small for them, while others make it
// grow, and are killed in the middle of that. At every second table those that claim are killed, too, at random moments, and replaced.
//
// No token is granted twice, and none is lost without a claim of it that was cut off.

/// What happened at all tables.
struct Counts {
  var growths = 0, cutGrowths = 0, full = 0
  var kills = 0, inClaims = 0, betweenClaims = 0, inOpenings = 0
  var granted = 0, lost = 0
}

/// One table from its first token to its last.
struct Killer {
  let ledger: Ledger
  let killsClaimers: Bool
  private let base = wallClock()
  private var children: [Child] = []
  /// Looks at all workers before the proof gives up: a minute at least.
  private static let mostLooks = 1_000_000

  init(_ folder: String, killsClaimers: Bool) { (ledger, self.killsClaimers) = (Ledger(folder), killsClaimers) }

  mutating func run(_ counts: inout Counts) {
    createTable(ledger.table, capacity: Ledger.capacities[0])
    children = (0..<Ledger.workerCount).map(spawn)
    for (former, capacity) in zip(Ledger.capacities, Ledger.capacities.dropFirst()) {
      // At different fillings, at times when it is full.
      let wanted = min(Ledger.tokenCount - 1000, former * .random(in: 50...220) / 100)
      var looks = 0
      while turn < wanted, looks < (killsClaimers ? 10 : 200) {
        let before = turn
        if killsClaimers { killOne(&counts) } else { usleep(1000) }
        // All wait: there is no room any more.
        looks = turn == before ? looks + 1 : 0
      }
      while growAndKill(to: capacity) { counts.cutGrowths += 1 }
      counts.growths += 1
    }
    for child in children { child.waitForSuccess() }
    reconcile(&counts)
  }

  private var turn: Int { (0..<Ledger.workerCount).reduce(0) { max($0, ledger[$1, .turn]) } }

  private func spawn(_ worker: Int) -> Child { Child(["worker", ledger.folder, "\(worker)", "\(base)"]) }

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

  /// Kills a process in the middle of a claim, or any one at random, also one that is only opening the table.
  private mutating func killOne(_ counts: inout Counts) {
    usleep(.random(in: 0..<2000))
    let victim = counts.kills % 8 == 0 ? Int.random(in: 0..<Ledger.workerCount) : claimer()
    counts.kills += 1
    children[victim].killAndWait()
    let token = ledger[victim, .claiming] - 1
    if token >= 0 {
      counts.inClaims += 1
      ledger.tokens.add(1 << 32, at: token)
    } else if ledger[victim, .isAtWork] == 1 {
      counts.betweenClaims += 1
    } else {
      counts.inOpenings += 1
    }
    (ledger[victim, .claiming], ledger[victim, .isAtWork]) = (0, 0)
    children[victim] = spawn(victim)
  }

  /// Waits for a worker that is claiming. All of them may be waiting for one that is starting.
  ///
  /// The limit is one of looks, not of time: on a busy machine this process gets as few turns as the workers.
  private func claimer() -> Int {
    let from = Int.random(in: 0..<Ledger.workerCount)
    for _ in 0..<Self.mostLooks {
      for offset in 0..<Ledger.workerCount {
        let worker = (from + offset) % Ledger.workerCount
        if ledger[worker, .claiming] != 0 { return worker }
      }
      // The processor is for the workers. To wake up here interrupts one of them, often in the middle of a claim.
      usleep(20)
    }
    fail("no worker claimed anything during \(Self.mostLooks) looks")
  }

  private func reconcile(_ counts: inout Counts) {
    for token in 0..<Ledger.tokenCount {
      let (grants, cutOff) = (ledger.tokens[token] & 0xFFFF_FFFF, ledger.tokens[token] >> 32)
      require(grants <= 1, "token \(token) was granted \(grants) times")
      require(grants == 1 || cutOff > 0, "token \(token) was lost without a kill")
      if grants == 1 { counts.granted += 1 } else { counts.lost += 1 }
    }
    require(counts.lost <= counts.inClaims, "\(counts.lost) tokens were lost by \(counts.inClaims) kills")
    let wrong = Outcome.allCases.filter { ![.first, .used, .retry, .full].contains($0) && ledger.count($0) > 0 }
    require(wrong.isEmpty, "answers that cannot be: \(wrong)")
    counts.full += ledger.count(.full)
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
let numbers = arguments.dropFirst().compactMap { Int($0) }
switch arguments.first {
case "worker" where arguments.count == 4: Ledger(arguments[1]).work(as: numbers[0], base: numbers[1])
case "grow" where arguments.count == 3: Ledger(arguments[1]).grow(to: numbers[0])
case let folder?:
  let (tables, kills) = (numbers.first ?? 8, numbers.dropFirst().first ?? 500)
  var (number, counts) = (0, Counts())
  // So many tables, and as many more as it takes.
  while number < tables || counts.kills < kills || counts.cutGrowths == 0 || counts.full == 0 {
    let place = "\(folder)/\(number)"
    require(mkdir(place, 0o700) == 0, "cannot make \(place)")
    var killer = Killer(place, killsClaimers: number % 2 == 1)
    killer.run(&counts)
    number += 1
  }
  say(
    "kill: \(number) tables, \(number * Ledger.tokenCount) tokens, \(Ledger.workerCount) processes: \(counts); 0 granted twice"
  )
  require(counts.inClaims >= counts.kills / 4, "only \(counts.inClaims) kills hit a claim")
  say("ProofKill passed")
case nil: fail("usage: ProofKill FOLDER [TABLES [KILLS]]")
}
