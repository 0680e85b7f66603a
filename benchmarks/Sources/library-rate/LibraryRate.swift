// The library's rate on two threads over a file of tokens: see BENCHMARKS.md, "batch-rate".
//
//   library-rate TOKENS KEY FINGERPRINT REQUESTOR RESOURCE MILLISECONDS
//
// Prints the seconds that it took. MILLISECONDS is the time of the verification.

import Glibc
import MediaToken

func readFile(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { fatalError("cannot open \(path)") }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  var bytes = [UInt8](repeating: 0, count: ftell(file))
  rewind(file)
  guard fread(&bytes, 1, bytes.count, file) == bytes.count else { fatalError("cannot read \(path)") }
  return bytes
}

@main
struct LibraryRate {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let tokens = readFile(arguments[1]).split(separator: 10).map(Array.init)
    guard let consent = Fingerprint(hexadecimal: arguments[3]), let now = Int64(arguments[6]) else {
      fatalError("expected a fingerprint and a time")
    }
    let keys = try TrustedKeys(readingFiles: [arguments[2]], consent: .fingerprints([consent]))
    let verifier = try TokenVerifier(trustedKeys: keys, replayMemory: .none)
    let start = ContinuousClock.now
    let verify: @Sendable (Int) -> Int = { worker in
      var valid = 0
      for index in stride(from: worker, to: tokens.count, by: 2) {
        let token = try? verifier.verify(
          tokens[index], requestor: .exactly(arguments[4]), resource: .exactly(arguments[5]),
          at: Instant(millisecondsSinceEpoch: now))
        if token != nil { valid += 1 }
      }
      return valid
    }
    async let odd = Task.detached { verify(1) }.value
    async let even = Task.detached { verify(0) }.value
    let valid = await odd + even
    let time = (ContinuousClock.now - start).components
    guard valid == tokens.count else { fatalError("only \(valid) of \(tokens.count) tokens are valid") }
    print(Double(time.seconds) + Double(time.attoseconds) * 1e-18)
  }
}
