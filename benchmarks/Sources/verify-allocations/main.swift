// Who allocates how often in one verification: see BENCHMARKS.md, "verify-allocations".

import BenchmarkTokens
import CAllocations
import Glibc
import MediaToken

func countAllocations(vectors folder: String) throws {
  let vector = Vector(readingFile: folder + "/armor-raw.token")
  let verifier = try TokenVerifier(
    trustedKeys: vector.trustedKeys(in: folder + "/keys"),
    replayMemory: .none)
  let now = Instant(millisecondsSinceEpoch: Int64(vector.header["now"]!)!)
  let (requestor, resource) = (
    ExpectedRequestor.exactly(vector.header["requestor"]!), ExpectedResource.exactly(vector.header["resource"]!)
  )

  /// The second call counts: the first one makes what is kept.
  var counted = allocations()
  for _ in 0..<2 {
    allocations_start()
    let token = try verifier.verify(vector.token.span, requestor: requestor, resource: resource, at: now)
    counted = allocations_stop()
    guard token.requestorID == vector.header["requestor"] else { fatalError("not the token that was asked for") }
  }
  print("allocations per token: ours \(counted.swift), libxml2 \(counted.libxml2), OpenSSL \(counted.openssl)")
}

try countAllocations(vectors: CommandLine.arguments[1])
