import Glibc
import MediaTokenSystem
import Testing

@testable import MediaToken

/// A replay memory that answers what the test says, when the test says it.
final class ScriptedMemory: Store {
  struct Script {
    /// All claims, in the order in which they were sent.
    var asked: [Asked] = []
    /// How many claims each batch had.
    var batches: [Int] = []
    /// What is answered as soon as it is asked; nil: the test answers.
    var atOnce: (@Sendable (UseClaim) -> Result<UseOutcome, Fault>)?
    /// Whether sending a batch takes until this is false again, so that requests can come meanwhile.
    var isSending = false
    /// What it says about itself.
    var condition = ReplayMemoryCondition.usable
    var readings: [ReplayMemoryReading] = []
    var nodeTroubles: String?
    /// What maintaining it ends with, and whether it takes until this is false again.
    var maintenanceFault: Fault?
    var isStalled = false
    /// How often the system is still to have no descriptor.
    var failuresToBegin = 0
  }

  struct Asked {
    let claim: UseClaim
    let number: UInt64
    let claims: ScriptedClaims
  }

  let script = Monitor(Script())
  let tolerances = ReplayTolerances(
    maxTTLMilliseconds: 3_600_000, futureToleranceMilliseconds: 60_000, expiryToleranceMilliseconds: 0)

  var answersLater: Bool { true }

  func makePendingClaims() throws(Fault) -> any PendingClaims {
    let fails = script.change { script in
      script.failuresToBegin -= 1
      return script.failuresToBegin >= 0
    }
    if fails { throw .outOfMemory }
    return ScriptedClaims(self)
  }

  /// No worker may wait for it.
  func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome {
    Issue.record("a worker waited")
    throw .internalFault
  }

  /// Answers the claim that was asked at this place.
  func answer(_ place: Int, _ answer: Result<UseOutcome, Fault>) {
    let asked = script.change(when: { $0.asked.count > place }, { $0.asked[place] })
    asked.claims.put(asked.number, answer)
  }

  /// Waits until this many claims were asked.
  func wait(forClaims count: Int) -> [Asked] { script.change(when: { $0.asked.count >= count }, { $0.asked }) }

  func maintain(at now: Instant) throws(Fault) {
    if let fault = script.change(when: { !$0.isStalled }, { $0.maintenanceFault }) { throw fault }
  }
  func condition(at now: Instant) -> ReplayMemoryCondition { script.current.condition }
  func readings(at now: Instant) -> [ReplayMemoryReading] { script.current.readings }
  var nodeTroubles: String? { script.current.nodeTroubles }
  func reopenedAfterFork(policy: Policy) throws(Problem) -> ScriptedMemory { self }
}

/// One worker's way to the scripted memory.
final class ScriptedClaims: PendingClaims, @unchecked Sendable {
  // `batch` is the worker's; everything else is under the lock.
  let descriptor: Int32
  private let bell: Int32
  private let memory: ScriptedMemory
  private var batch: [ScriptedMemory.Asked] = []
  private let answers = Monitor<[(UInt64, Result<UseOutcome, Fault>)]>([])

  init(_ memory: ScriptedMemory) {
    self.memory = memory
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (descriptor, bell) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(bell)
  }

  func put(_ number: UInt64, _ answer: Result<UseOutcome, Fault>) {
    answers.change { $0.append((number, answer)) }
    var byte: UInt8 = 1
    _ = unsafe write(bell, &byte, 1)
  }

  func add(_ claim: UseClaim, number: UInt64, of caller: ClaimCaller) {
    batch.append(ScriptedMemory.Asked(claim: claim, number: number, claims: self))
  }

  func withdraw(_ number: UInt64) -> Bool {
    let before = batch.count
    batch.removeAll { $0.number == number }
    return batch.count < before
  }

  func send(_ body: (_ number: UInt64, _ answer: Result<UseOutcome, Fault>) -> Void) {
    #expect(!batch.isEmpty)
    memory.script.change { [batch] script in
      script.asked += batch
      script.batches.append(batch.count)
    }
    let atOnce = memory.script.change(when: { !$0.isSending }, { $0.atOnce })
    let batch = batch
    self.batch = []
    guard let atOnce else { return }
    for asked in batch { put(asked.number, atOnce(asked.claim)) }
  }

  func takeAnswers(_ body: (_ number: UInt64, _ answer: Result<UseOutcome, Fault>) -> Void) {
    var bytes = [UInt8](repeating: 0, count: 1024)
    while unsafe read(descriptor, &bytes, bytes.count) == bytes.count {}
    let taken = answers.change { answers in
      defer { answers = [] }
      return answers
    }
    for (number, answer) in taken { body(number, answer) }
  }
}
