import Glibc
import ProofKit

@testable import MediaToken

/// Kills or freezes a claim after every number of instructions that it has, and claims the same token again.
struct Walks {
  let folder: String
  let table: SharedReplayTable
  private let start = wallClock()
  private var round = 0
  /// Two buckets of eight: every token may be in all of them.
  private let slots = 16

  init(_ folder: String) {
    self.folder = folder
    createTable(Victim.table(folder), capacity: 8)
    table = openTable(Victim.table(folder), retryWindow: Victim.retryWindow)
  }

  /// A round's second. Whatever the rounds before left is dead by then.
  private mutating func nextRound() -> (round: Int, now: Int) {
    round += 1
    return (round, start + round * 1000)
  }

  /// Which instructions, counted from the stop, are the claim's.
  private mutating func measure(_ victim: (Int, Int) -> Victim) -> ClosedRange<Int> {
    // As in all later rounds, every entry was used before: an empty one is looked at with fewer instructions.
    let (earlier, then) = nextRound()
    _ = grants(family: 2, victim(earlier, then), now: then)
    let (round, now) = nextRound()
    return victim(round, now).start(folder).measure()
  }

  // MARK: killed (case 123)

  /// SIGKILL after each instruction; then the same token by this process.
  mutating func kill(_ name: String, every stride: Int, _ victim: (Int, Int) -> Victim) {
    let range = measure(victim)
    var (rounds, steps, byVictim, byOther, lost, retried) = (0, 0, 0, 0, 0, 0)
    // The last instruction is one of them: few come after the grant is known.
    for count in Array(Swift.stride(from: range.lowerBound, to: range.upperBound, by: stride)) + [range.upperBound]
    {
      let (round, now) = nextRound()
      let victim = victim(round, now)
      let walk = victim.start(folder)
      walk.step(count)
      walk.child.killAndWait()
      (rounds, steps) = (rounds + 1, steps + count)

      let first = walk.outcome
      let second = Outcome(table, victim.claim)
      switch (first, second) {
      case (.first?, .used): byVictim += 1
      case (nil, .first): byOther += 1
      case (nil, .used): lost += 1
      // The request was granted, and its answer is given again to the same caller.
      case (_, .retry) where victim.hasRequest: retried += 1
      default: fail("\(name), killed after \(count) instructions: \(String(describing: first)), then \(second)")
      }
      checkRoom(nextTo: victim, count)
    }
    say(
      "\(name): \(rounds) kills in a claim of \(range.count) instructions, \(steps) stepped; granted to the victim "
        + "\(byVictim), to the other \(byOther), to the repeated request \(retried), to neither \(lost); 0 to both")
    require(byOther > 0 && lost > 0 && byVictim + retried > 0, "no kill hit before, in or after the entry's making")
  }

  /// The killed claim holds at most its own entry, and that until its token ends.
  private func checkRoom(nextTo victim: Victim, _ count: Int) {
    // The token itself and the warm-up, unless that one has ended.
    let free = victim.warmUp == victim.now ? slots - 2 : slots - 1
    let granted = grants(family: 2, victim, now: victim.now)
    require(granted == free, "after \(count) instructions \(granted) of \(free) entries were free")
    let later = grants(family: 3, victim, now: victim.now + victim.life + 1)
    require(
      later == slots, "after \(count) instructions and the token's end \(later) of \(slots) entries were free")
  }

  private func grants(family: Int, _ victim: Victim, now: Int) -> Int {
    (0...slots).filter {
      Outcome(table, claim(token(victim.round * 100 + $0, family), issued: now, life: victim.life, now: now))
        == .first
    }.count
  }

  // MARK: frozen (cases 124, 136)

  /// Stopped after each instruction; another wins meanwhile, at an entry that the victim did not see; then it goes on.
  /// With `evicting`, the winner's token ends and its entry is overwritten before the victim goes on.
  mutating func freeze(_ name: String, every stride: Int, evicting: Bool) {
    let range = measure { Victim(round: $0, now: $1, life: 2) }
    var (rounds, steps, byVictim, byOther, neither) = (0, 0, 0, 0, 0)
    for count in Swift.stride(from: range.lowerBound, through: range.upperBound, by: stride) {
      let (round, now) = nextRound()
      // Until the next second this one is where the token would be: the victim must look for another entry.
      require(grant(neighbour(of: round, 4), now: now, life: 1) == .first, "the first neighbour was refused")
      let victim = Victim(round: round, now: now, life: 2)
      let walk = victim.start(folder)
      walk.step(count)
      (rounds, steps) = (rounds + 1, steps + count)

      let second = grant(token(round), now: now + 1, issued: now, life: 2)
      if evicting, second == .first {
        require(grant(neighbour(of: round, 5), now: now + 2, life: 2) == .first, "the second neighbour was refused")
      }
      let first = walk.finish()
      switch (first == .first, second == .first) {
      case (true, false): byVictim += 1
      case (false, true): byOther += 1
      case (false, false): neither += 1
      case (true, true): fail("\(name), frozen after \(count) instructions: both were granted")
      }
    }
    say(
      "\(name): \(rounds) claims frozen, \(steps) instructions stepped; granted to the victim \(byVictim), "
        + "to the other \(byOther), to neither \(neither), to both 0")
    require(byVictim > 0 && byOther > 0, "no claim was overtaken")
    require(neither == 0, "no process was killed, and yet \(neither) tokens were lost")
  }

  private func grant(_ identity: TokenIdentity, now: Int, issued: Int? = nil, life: Int) -> Outcome {
    Outcome(table, claim(identity, issued: issued ?? now, life: life, now: now))
  }

  /// Another token that looks for its entry where the round's token does.
  private func neighbour(of round: Int, _ family: Int) -> TokenIdentity {
    let path = Victim.table(folder)
    let wanted = place(of: token(round), inTable: path).first
    for number in 0... {
      let other = token(round * 100 + number, family)
      if place(of: other, inTable: path).first == wanted { return other }
    }
    fail("no neighbour")
  }
}
