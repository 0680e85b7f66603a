import Glibc
import ProofKit

@testable import MediaToken

/// Stops a claim after every number of instructions that it has; the table grows, another claims the same token, and the
/// first goes on.
struct Growths {
  let folder: String
  private let now = wallClock() + 1000

  init(_ folder: String) {
    self.folder = "\(folder)/growths"
    require(mkdir(self.folder, 0o700) == 0, "cannot make \(self.folder)")
  }

  func freeze(_ name: String, every stride: Int) {
    let range = start(round: 0).walk.measure()
    var (rounds, byVictim, byOther) = (0, 0, 0)
    for count in Swift.stride(from: range.lowerBound, through: range.upperBound, by: stride) {
      let (victim, walk) = start(round: count)
      walk.step(count)
      grow()
      let second = Outcome(openTable(Victim.table(folder)), victim.claim)
      let first = walk.finish()
      rounds += 1
      switch (first, second) {
      case (.first?, .used): byVictim += 1
      case (.used?, .first): byOther += 1
      default: fail("\(name), frozen after \(count) instructions: \(String(describing: first)), then \(second)")
      }
    }
    say(
      "\(name): \(rounds) claims of \(range.count) instructions frozen, \(rounds) growths; granted to the victim "
        + "\(byVictim), to the other \(byOther), to neither and to both 0")
    require(byVictim > 0 && byOther > 0, "no claim was overtaken")
  }

  /// A victim at a new table: a table grows a few times only.
  private func start(round: Int) -> (victim: Victim, walk: Walk) {
    unlink(Victim.table(folder))
    createTable(Victim.table(folder), capacity: 8)
    let victim = Victim(round: round, now: now, life: 60)
    return (victim, victim.start(folder))
  }

  private func grow() {
    do throws(Problem) {
      try SharedReplayTable.grow(at: Victim.table(folder), toCapacity: 100)
    } catch {
      fail("\(error)")
    }
  }
}
