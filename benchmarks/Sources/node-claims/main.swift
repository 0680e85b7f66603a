// Contenders that use up tokens on one node of a fleet, through the connections that hosts use: see BENCHMARKS.md, "nodes".
//
//   node-claims pass SOCKET CONNECTIONS BATCH PID AGES    on each connection a batch of so many, and another when it is answered; the processor
//                                                   time is that of the process PID, the node
//   node-claims percentiles SOCKET COUNT            one by one
//
// AGES is a number of seconds: that long ago at most the tokens were issued, by chance.

import BenchmarkTokens
import Glibc

let words = CommandLine.arguments
switch (words.dropFirst().first, words.count) {
case ("pass", 7):
  guard let connections = Int(words[3]), let batch = Int(words[4]), let process = Int32(words[5]),
    let ages = Int64(words[6])
  else {
    fail("expected numbers")
  }
  let node = try NodeConnections(to: words[2], count: connections, batch: batch, ages: 0..<ages)
  node.awaitItsFloor()
  var rounds = Rounds(processorClock: processorClock(of: process))
  while let count = rounds.next() {
    guard count % (connections * batch) == 0 else {
      fail("expected a multiple of \(connections * batch), found \(count)")
    }
    rounds.begin()
    node.spend(count)
    rounds.end()
  }
case ("percentiles", 4):
  guard let count = Int(words[3]), count > 0 else { fail("expected a count") }
  let node = try NodeConnections(to: words[2], count: 1, batch: 1)
  node.awaitItsFloor()
  printPercentiles(
    (0..<count).map { _ in
      let begin = nanoseconds(CLOCK_MONOTONIC)
      node.spend(1)
      return nanoseconds(CLOCK_MONOTONIC) - begin
    })
default:
  fail("expected pass SOCKET CONNECTIONS BATCH PID AGES or percentiles SOCKET COUNT")
}
