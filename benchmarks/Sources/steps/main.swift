// A contender: one step of the path alone, on what the steps before it gave: see BENCHMARKS.md, "library".
//
//   steps armor|envelope|identity|signature|fields|lifetime|binding|use KEY TOKENS
//
// Works on the first token of the file, which is for REF30 and TNT. What it needs beside the step is made before the
// clock is read; `use` spends random identities in a table that is half full.

import BenchmarkTokens
import MediaToken

let words = CommandLine.arguments
guard words.count == 4 else { fail("expected STEP KEY TOKENS") }
if words[1] == "use" {
  try contendUse()
} else {
  try contendStep(words[1], key: words[2], received: tokens(in: words[3])[0])
}
