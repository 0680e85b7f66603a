// Contenders that use up tokens in a replay table, without verifying any: see BENCHMARKS.md, "replay".
//
//   spends pass TABLE SHARE WORKER PASSES [--threads N] [--ended N --live N] [--lead N]
//   spends percentiles TABLE SHARE COUNT
//   spends opening TABLE
//
// TABLE is a path, or anonymous:CAPACITY. SHARE is how many entries each thread fills before its clock goes two hours
// ahead, by which all have ended. WORKER tells processes on one table apart. PASSES, what one line after another asks
// for: `new` spends new identities, `used` the last ones once more; the last word stays. With --live so many new
// identities are spent before each line, after others that have ended by then. With --lead the table is told to prepare for
// an identity so many spends before it.

import BenchmarkTokens
import MediaToken

var words = Array(CommandLine.arguments.dropFirst())
let threads = takeOption("--threads", from: &words) ?? 1
let lead = takeOption("--lead", from: &words) ?? 0
let (ended, live) = (takeOption("--ended", from: &words) ?? 0, takeOption("--live", from: &words))
switch (words.first, words.count) {
case ("pass", 5):
  let (table, share, worker) = (try openTable(words[1]), number(words[2]), number(words[3]))
  let spenders = (0..<threads).map { Spender(on: table, share: share, worker: worker + $0, lead: lead) }
  contendPasses(words[4].split(separator: ",").map(String.init), by: spenders, before: live.map { (ended, $0) })
case ("percentiles", 4):
  let (table, share) = (try openTable(words[1]), number(words[2]))
  printPercentiles(of: Spender(on: table, share: share, worker: 0), filling: share, number(words[3]))
case ("opening", 2): try contendOpening(words[1])
default: fail("expected pass, percentiles or opening, and what belongs to it")
}

func openTable(_ name: String) throws -> SharedReplayTable {
  guard name.hasPrefix("anonymous:") else { return try SharedReplayTable(opening: name, policy: .standard) }
  return try SharedReplayTable(
    anonymousWithCapacity: number(String(name.dropFirst("anonymous:".count))), policy: .standard)
}

func number(_ word: String) -> Int {
  guard let number = Int(word), number >= 0 else { fail("expected a number, found \(word)") }
  return number
}

func takeOption(_ name: String, from words: inout [String]) -> Int? {
  guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
  defer { words.removeSubrange(index...(index + 1)) }
  return number(words[index + 1])
}
