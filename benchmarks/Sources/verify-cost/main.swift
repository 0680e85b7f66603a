// What one verification costs beside the bare RSA verification in it: see BENCHMARKS.md, "verify-cost".

import BenchmarkTokens
import CFloor
import Glibc
import MediaToken

func measure(_ name: String, vector path: String, keyFolder: String) throws {
  let vector = Vector(readingFile: path)
  let keyPath = keyFolder + "/" + vector.header["keys"]!
  let verifier = try TokenVerifier(
    trustedKeys: vector.trustedKeys(in: keyFolder), replayMemory: .none)
  let now = Instant(millisecondsSinceEpoch: Int64(vector.header["now"]!)!)
  let (requestor, resource) = (
    ExpectedRequestor.exactly(vector.header["requestor"]!), ExpectedResource.exactly(vector.header["resource"]!)
  )
  func verify(_ times: Int) {
    for _ in 0..<times {
      let token = try? verifier.verify(vector.token.span, requestor: requestor, resource: resource, at: now)
      guard token != nil else { fatalError("\(path) is not valid") }
    }
  }

  let (signature, signed) = vector.cut()
  guard let floor = floor_new(keyPath, signature, signature.count, signed, signed.count) else {
    fatalError("the floor cannot verify \(path)")
  }
  defer { floor_free(floor) }

  let times = 4000
  verify(times)
  compare(name, floor: { guard floor_verify(floor, times) == times else { fatalError("floor failed") } }) { _ in
    verify(times)
  }
}

let folder = CommandLine.arguments[1]
for (name, file) in [("RSA-1024", "key-rsa1024.token"), ("RSA-2048", "armor-raw.token"), ("RSA-4096", "key-rsa4096.token")] {
  try measure(name, vector: folder + "/" + file, keyFolder: folder + "/keys")
}
for (name, key) in [("RSA-1024, table", "rsa1024"), ("RSA-2048, table", "rsa2048")] {
  try measureWithTable(name, key: folder + "/keys/" + key)
}
