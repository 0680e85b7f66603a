import BenchmarkTokens
import MediaToken

/// The lines' passes, each shared out over the spenders, who have a thread each.
///
/// - Parameter before: how many entries ended and how many are live before each line; that is not in its time.
func contendPasses(_ passes: [String], by spenders: [Spender], before: (ended: Int, live: Int)?) {
  var rounds = Rounds()
  var line = 0
  while let count = rounds.next() {
    let share = count / spenders.count
    guard share * spenders.count == count else { fail("expected a multiple of \(spenders.count), found \(count)") }
    if let before {
      for spender in spenders {
        for some in [before.ended, before.live] {
          spender.endAll()
          spender.spendNew(some / spenders.count)
        }
      }
    }
    let pass = passes[min(line, passes.count - 1)]
    line += 1
    rounds.begin()
    onThreads(spenders.count) {
      switch pass {
      case "new": spenders[$0].spendNew(share)
      case "used": spenders[$0].spendUsed(share)
      default: fail("expected new or used, found \(pass)")
      }
    }
    rounds.end()
  }
}

/// Opens a table that is there, one time a line; closing it is not in the time.
func contendOpening(_ path: String) throws {
  var rounds = Rounds()
  var table: SharedReplayTable?
  while let count = rounds.next() {
    guard count == 1 else { fail("expected one opening at a time, found \(count)") }
    table = nil
    rounds.begin()
    table = try SharedReplayTable(opening: path, policy: .standard)
    rounds.end()
  }
  withExtendedLifetime(table) {}
}

/// Prints as JSON what one spend takes, in nanoseconds, by hundredth: of the first ones after the table was filled, so
/// that the process has touched its pages, as one that runs all day has.
func printPercentiles(of spender: Spender, filling share: Int, _ count: Int) {
  spender.spendNew(share)
  printPercentiles(spender.timesOfNew(count))
}
