// A contender: whole verifications of the tokens of a file, one after another: see BENCHMARKS.md, "library".
//
//   verification KEY TOKENS     raw tokens, one a line, for REF30 and TNT; one use is not enforced

import BenchmarkTokens
import Glibc
import MediaToken

let (key, path) = (CommandLine.arguments[1], CommandLine.arguments[2])
let tokens = contents(of: path).split(separator: UInt8(ascii: "\n")).map(Array.init)
let verifier = try TokenVerifier(trustedKeys: Vector.trustedKeys(readingFile: key), replayMemory: .none)
let now = Instant(millisecondsSinceEpoch: nanoseconds(CLOCK_REALTIME) / 1_000_000)

var index = 0
contend { count in
  for _ in 0..<count {
    let token = tokens[index]
    let verified = try? verifier.verify(
      token.span, requestor: .exactly("REF30"), resource: .exactly("TNT"), at: now)
    guard verified != nil else { fatalError("token \(index) of \(path) is not valid") }
    index = index + 1 == tokens.count ? 0 : index + 1
  }
}
