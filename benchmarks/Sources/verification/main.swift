// A contender: whole verifications of the tokens of a file, one after another: see BENCHMARKS.md, "library".
//
//   verification KEYS TOKENS [--table] [--threads N] [--resource FILE] [--broken]
//
// KEYS is a file or a folder. The tokens come one per line, in any form, for the requestor REF30 and the resource in
// FILE, or TNT. One use is not enforced, or by a table of its own that is half full: then every token must be another.
// With --broken each must be rejected, and none be valid.

import BenchmarkTokens
import MediaToken

var words = Array(CommandLine.arguments.dropFirst())
var (resource, threads, hasTable, areBroken) = ("TNT", 1, false, false)
while let option = words.dropFirst(2).first {
  switch option {
  case "--table": hasTable = true
  case "--broken": areBroken = true
  case "--threads": threads = Int(words.remove(at: 3)) ?? 0
  case "--resource": resource = String(decoding: contents(of: words.remove(at: 3)), as: UTF8.self)
  default: fail("expected --table, --threads, --resource or --broken, found \(option)")
  }
  words.remove(at: 2)
}
guard words.count == 2, threads > 0 else { fail("expected KEYS and TOKENS") }

let work = try Verifications(
  keys: words[0], tokens: words[1], resource: resource, memory: hasTable ? halfFullTable() : .none,
  areBroken: areBroken)
var next = 0
var rounds = Rounds()
while let count = rounds.next() {
  let (start, share) = (next, count / threads)
  guard share * threads == count else { fail("expected a multiple of \(threads), found \(count)") }
  next += count
  work.receive(start..<next)
  rounds.begin()
  onThreads(threads) { work.run(start + $0 * share..<start + ($0 + 1) * share) }
  rounds.end()
}
