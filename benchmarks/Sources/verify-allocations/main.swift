// Who allocates how often in one verification: see BENCHMARKS.md, "allocations".
//
//   verify-allocations KEY TOKENS [--table]
//
// Prints one line of JSON: the allocations of the second verification of a verifier, that of the file's second raw token
// for REF30 and TNT; with --table it is used once in a table.

import BenchmarkTokens
import CAllocations
import MediaToken

let words = CommandLine.arguments
guard words.count == 3 || words.count == 4 && words[3] == "--table" else { fail("expected KEY TOKENS [--table]") }
let received = tokens(in: words[2])
guard received.count > 1 else { fail("expected two tokens") }
let verifier = try TokenPath(
  trustedKeys: trustedKeys(at: words[1]), replayMemory: words.count == 4 ? halfFullTable() : .none)
let now = Instant(millisecondsSinceEpoch: milliseconds())
let (requestor, resource) = (ExpectedRequestor.exactly("REF30"), ExpectedResource.exactly("TNT"))

// The first one makes what is kept.
for token in received[..<2] {
  allocations_start()
  let verified = try verifier.verify(token.span, requestor: requestor, resource: resource, at: now)
  let counted = allocations_stop()
  guard verified.requestorID == "REF30" else { fail("expected the token that was asked for") }
  if token == received[1] {
    print("{\"ours\": \(counted.swift), \"libxml2\": \(counted.libxml2), \"OpenSSL\": \(counted.openssl)}")
  }
}
