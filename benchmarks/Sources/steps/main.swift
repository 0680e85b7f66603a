// A contender: what one step takes within whole verifications: see BENCHMARKS.md, "Each step".
//
//   steps armor|envelope|identity|signature|fields|lifetime|binding|use KEY TOKENS
//
// Verifies the tokens of the file, which are for REF30 and TNT, one after another and each once, with a table that is half
// full. The verifier says when a step has passed; the times that are printed are those of the named step alone.

import BenchmarkTokens
import MediaToken

let words = CommandLine.arguments
guard words.count == 4, let part = Part(rawValue: words[1]) else {
  fail("expected \(Part.allCases.map(\.rawValue).joined(separator: "|")) KEY TOKENS")
}
let received = tokens(in: words[3])
let verifier = try TokenPath(trustedKeys: trustedKeys(at: words[2]), replayMemory: halfFullTable())
let now = Instant(millisecondsSinceEpoch: milliseconds())
var times = PartTimes(of: part)

var next = 0
var rounds = Rounds()
while let count = rounds.next() {
  guard next + count <= received.count else { fail("expected \(next + count) tokens, found \(received.count)") }
  for token in received[next..<(next + count)] {
    times.begin()
    let verified = try verifier.verify(
      token.span, requestor: .exactly("REF30"), resource: .exactly("TNT"), at: now, observer: &times)
    guard verified.use == .first else { fail("expected a first use, found \(verified.use)") }
  }
  next += count
  rounds.end(took: times.takeTypical() * Int64(count))
}
