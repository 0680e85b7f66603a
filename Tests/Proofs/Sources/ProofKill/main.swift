import Glibc
import ProofKit

// ProofKill FOLDER [KILLS]: processes that claim the same tokens are killed at random moments, and replaced.
//
// No token is granted twice, and no more tokens are lost than claims were cut off.

func milliseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}

struct Killer {
  let ledger: Ledger
  let kills: Int
  let base = wallClock()
  private var children: [Child] = []
  private var (atWork, atOpening, waiting) = (0, 0, 0)
  /// Looks at all workers before the proof gives up: a minute at least.
  private static let mostLooks = 1_000_000

  init(_ folder: String, kills: Int) {
    ledger = Ledger(folder)
    self.kills = kills
    ledger.endTurn = Ledger.tokenLimit
    createTable(ledger.table, capacity: Ledger.tokenLimit)
  }

  mutating func run() {
    let start = milliseconds()
    children = (0..<Ledger.workerCount).map(spawn)
    for number in 0..<kills { killOne(isAtRandom: number % 8 == 0) }
    let last = (0..<Ledger.workerCount).map(ledger.turn).max() ?? 0
    require(last < Ledger.tokenLimit, "there were not enough tokens for \(kills) kills")
    // All go on to the same token, so that every process claims each one.
    ledger.endTurn = min(Ledger.tokenLimit, last + 10_000)
    for child in children { child.waitForSuccess() }
    reconcile(milliseconds() - start)
  }

  private func spawn(_ worker: Int) -> Child { Child(["worker", ledger.folder, "\(worker)", "\(base)"]) }

  /// Kills a process in the middle of a claim, or any one at random, also one that is only opening the table.
  private mutating func killOne(isAtRandom: Bool) {
    usleep(.random(in: 0..<2000))
    let victim = isAtRandom ? Int.random(in: 0..<Ledger.workerCount) : claimer()
    children[victim].killAndWait()
    let token = ledger.claiming(victim) - 1
    if token >= 0 {
      atWork += 1
      ledger.tokens.add(1 << 32, at: token)
    } else if ledger.isAtWork(victim) {
      waiting += 1
    } else {
      atOpening += 1
    }
    ledger.clearClaim(victim)
    ledger.setAtWork(victim, false)
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
        if ledger.claiming(worker) != 0 { return worker }
      }
      // The processor is for the workers. To wake up here interrupts one of them, often in the middle of a claim.
      usleep(20)
    }
    fail("no worker claimed anything during \(Self.mostLooks) looks")
  }

  private func reconcile(_ elapsed: Int) {
    let tokens = ledger.endTurn
    var (granted, double, lost, unexplained) = (0, 0, 0, 0)
    for token in 0..<tokens {
      let word = ledger.tokens[token]
      switch word & 0xFFFF_FFFF {
      case 0:
        lost += 1
        if word >> 32 == 0 { unexplained += 1 }
      case 1: granted += 1
      default: double += 1
      }
    }
    let counts = Outcome.allCases.map { outcome in
      (outcome, (0..<Ledger.workerCount).reduce(0) { $0 + ledger.count(outcome, $1) })
    }
    let shown = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    say(
      "kill: \(kills) kills of \(Ledger.workerCount) processes in \(elapsed) ms: \(atWork) in the middle of a claim, "
        + "\(waiting) between claims, \(atOpening) while the table was opened; \(tokens) tokens, \(shown); "
        + "\(granted) granted once, \(lost) lost, \(double) granted twice")
    require(double == 0, "\(double) tokens were granted twice")
    require(unexplained == 0, "\(unexplained) tokens were lost without a kill")
    require(lost <= atWork, "\(lost) tokens were lost by \(atWork) kills")
    require(atWork >= kills / 4, "only \(atWork) kills hit a claim")
    require(counts.allSatisfy { [.first, .used, .retry].contains($0.0) || $0.1 == 0 }, "answers that cannot be")
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "worker" {
  guard arguments.count == 4, let worker = Int(arguments[2]), let base = Int(arguments[3]) else {
    fail("a worker's arguments")
  }
  Ledger(arguments[1]).work(as: worker, base: base)
} else {
  guard let folder = arguments.first, let kills = Int(arguments.count > 1 ? arguments[1] : "2000"), kills > 0 else {
    fail("usage: ProofKill FOLDER [KILLS]")
  }
  var killer = Killer(folder, kills: kills)
  killer.run()
  say("ProofKill passed")
}
