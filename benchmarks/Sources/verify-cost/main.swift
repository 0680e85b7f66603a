// What one verification costs beside the bare RSA verification in it: see BENCHMARKS.md, "verify-cost".

import BenchmarkTokens
import CFloor
import Glibc
import MediaToken

func seconds(_ body: () -> Void) -> Double {
  let clock = ContinuousClock()
  let elapsed = clock.measure(body).components
  return Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

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
  var (ratios, floors): ([Double], [Double]) = ([], [])
  for _ in 0..<31 {
    let bare = seconds { guard floor_verify(floor, times) == times else { fatalError("floor failed") } }
    let whole = seconds { verify(times) }
    ratios.append(whole / bare)
    floors.append(bare / Double(times))
  }
  let sorted = ratios.sorted()
  func two(_ value: Double) -> String { String(Double(Int(value * 1000 + 0.5)) / 1000) }
  print(
    "\(name)  ratio median \(two(median(ratios))) (\(two(sorted[3]))...\(two(sorted[27])))",
    " floor \(Int(median(floors) * 1e9)) ns")
}

let folder = CommandLine.arguments[1]
for (name, file) in [("RSA-1024", "key-rsa1024.token"), ("RSA-2048", "armor-raw.token"), ("RSA-4096", "key-rsa4096.token")] {
  try measure(name, vector: folder + "/" + file, keyFolder: folder + "/keys")
}
