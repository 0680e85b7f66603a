// Verifications of an async server whose replay memory is a fleet, and how late an unrelated task is meanwhile.
//
//   async-fleet ADDRESS [TASKS] [TOKENS] [RATE]
//
// Prints, for an idle verifier and for TASKS (64) tasks that verify TOKENS (20,000) tokens as fast as they can, or for tokens that come
// at a RATE a second, each with a task of its own, how late a task wakes that sleeps for a millisecond; verifications a second; and how
// many of them had no verdict, of the first 1,000 and of all.

import MediaToken
import MediaTokenTesting
import Synchronization

let arguments = CommandLine.arguments
let tasks = arguments.count > 2 ? Int(arguments[2])! : 64
let number = arguments.count > 3 ? Int(arguments[3])! : 20_000
let rate = arguments.count > 4 ? Int(arguments[4])! : 0
let issuer = try TestIssuer()
let tokens = try (0..<number).map { _ in
  try issuer.token(requestor: "REF30", resource: "TNT", lifetime: .seconds(1800))
}
let verifier = try TokenVerifier(keys: issuer.keys, oneUse: .fleet(arguments[1]))

/// What tasks count.
final class Counts: Sendable {
  let next = Atomic(0)
  let valid = Atomic(0)
  let faults = Atomic(0)
  let firstFaults = Atomic(0)
  let isOver = Atomic(false)
}

/// How late a sleeper wakes, in milliseconds: median, p99 and most.
func lateness(until counts: Counts) async throws -> (Double, Double, Double) {
  var late: [Duration] = []
  while !counts.isOver.load(ordering: .relaxed) {
    let due = ContinuousClock.now + .milliseconds(1)
    try await Task.sleep(until: due)
    late.append(ContinuousClock.now - due)
  }
  late.sort()
  func milliseconds(_ share: Double) -> Double {
    late[min(late.count - 1, Int(Double(late.count) * share))] / .milliseconds(1)
  }
  return (milliseconds(0.5), milliseconds(0.99), milliseconds(1))
}

let idle = Counts()
async let idleLateness = lateness(until: idle)
try await Task.sleep(for: .seconds(3))
idle.isOver.store(true, ordering: .relaxed)
print("idle: an unrelated task is late by (median, p99, most) ms:", try await idleLateness)

let counts = Counts()

@Sendable func verifyToken(_ index: Int) async {
  do throws(Refusal) {
    _ = try await verifier.verify(tokens[index], requestor: "REF30", resource: "TNT")
    counts.valid.wrappingAdd(1, ordering: .relaxed)
  } catch {
    guard case .undecided = error else {
      fatalError("\(error); found the nodes first, with replay init --fresh")
    }
    counts.faults.wrappingAdd(1, ordering: .relaxed)
    if index < 1000 { counts.firstFaults.wrappingAdd(1, ordering: .relaxed) }
  }
}

async let loadedLateness = lateness(until: counts)
let start = ContinuousClock.now
await withTaskGroup { group in
  if rate > 0 {
    for index in 0..<number {
      let due = start + .seconds(1) * index / rate
      if due > .now { try? await Task.sleep(until: due) }
      group.addTask { await verifyToken(index) }
    }
  } else {
    for _ in 0..<tasks {
      group.addTask {
        while true {
          let index = counts.next.wrappingAdd(1, ordering: .relaxed).oldValue
          guard index < number else { return }
          await verifyToken(index)
        }
      }
    }
  }
}
let seconds = (ContinuousClock.now - start) / .seconds(1)
counts.isOver.store(true, ordering: .relaxed)
print("loaded: an unrelated task is late by (median, p99, most) ms:", try await loadedLateness)
print("verifications a second:", Int(Double(number) / seconds), "with", rate > 0 ? "a task each" : "\(tasks) tasks")
print(
  "valid:", counts.valid.load(ordering: .relaxed), "faults:", counts.faults.load(ordering: .relaxed),
  "of the first 1000:",
  counts.firstFaults.load(ordering: .relaxed))
