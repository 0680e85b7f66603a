// What a verification through the C interface costs beside the Swift call in it: see BENCHMARKS.md, "c-cost".

import BenchmarkTokens
import CThroughC
import MediaToken

let (folder, library, tables) = (CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3])
guard let c = through_c_open(library) else { fatalError("cannot open \(library)") }

func fingerprint(of vector: Vector) throws -> String {
  try vector.trustedKeys(in: folder + "/keys").keys[0].fingerprint.description
}

/// Makes verifiers with a table and frees them.
func measureMaking(vector file: String) throws {
  let vector = Vector(readingFile: folder + "/" + file)
  let (key, name) = (folder + "/keys/" + vector.header["keys"]!, try fingerprint(of: vector))
  let address = "shared:\(tables)/c-cost.table?capacity=1000000"
  func make() -> Double {
    let time = seconds { guard through_c_make(c, key, name, address) == 1 else { fatalError("no verifier") } }
    through_c_free_verifier(c)
    return time
  }
  func milliseconds(_ time: Double) -> String { "\(Double(Int(time * 1e5)) / 100) ms" }
  // It makes the table, which no other does.
  let first = make()
  let times = (0..<pairs).map { _ in make() }
  print(
    "making a verifier  median \(milliseconds(median(times))), greatest \(milliseconds(times.max()!)); the first, with",
    "the table: \(milliseconds(first))")
}

func measure(_ name: String, vector file: String) throws {
  let vector = Vector(readingFile: folder + "/" + file)
  let verifier = try TokenVerifier(trustedKeys: vector.trustedKeys(in: folder + "/keys"), replayMemory: .none)
  let (requestor, resource) = (vector.header["requestor"]!, vector.header["resource"]!)
  let milliseconds = Int64(vector.header["now"]!)!
  let now = Instant(millisecondsSinceEpoch: milliseconds)
  let (expectedRequestor, expectedResource) = (ExpectedRequestor.exactly(requestor), ExpectedResource.exactly(resource))
  let key = folder + "/keys/" + vector.header["keys"]!
  guard through_c_make(c, key, try fingerprint(of: vector), "none:") == 1 else { fatalError("no verifier") }
  defer { through_c_free_verifier(c) }

  let times = 400
  func swift() {
    for _ in 0..<times {
      let token = try? verifier.verify(
        vector.token.span, requestor: expectedRequestor, resource: expectedResource, at: now)
      guard token != nil else { fatalError("\(file) is not valid") }
    }
  }
  func throughC() {
    let good = through_c_verify(c, vector.token, vector.token.count, requestor, resource, milliseconds, times)
    guard good == times else { fatalError("\(file) is not valid through C") }
  }
  swift()
  throughC()
  compare(name, pairs: 401, timedBy: .processor, floor: swift) { _ in throughC() }
}

try measureMaking(vector: "key-rsa1024.token")
for (name, file) in [("RSA-1024", "key-rsa1024.token"), ("RSA-2048", "armor-raw.token")] {
  try measure(name, vector: file)
}
