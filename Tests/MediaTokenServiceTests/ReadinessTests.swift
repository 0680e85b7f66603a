import MediaToken
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

/// `/readyz`, the metrics and the service manager's status all say the same of whether the next genuine token is played.
@Suite struct ReadinessTests {
  /// What all of them say, after checking that they agree; nil: ready.
  private func problem(_ service: ServiceFixture) throws -> Condition? {
    let answer = service.ask("GET", "/readyz")
    let metrics = service.ask("GET", "/metrics").body
    let reason = Condition.allCases.first { answer.has("reason", $0.rawValue) }
    #expect(answer.status == (reason == nil ? 200 : 503))
    #expect(metrics.contains("\nmediatoken_ready \(reason == nil ? 1 : 0)\n"))
    for other in Condition.allCases {
      #expect(metrics.contains("\nmediatoken_not_ready{reason=\"\(other.rawValue)\"} \(other == reason ? 1 : 0)\n"))
    }
    guard let reason else {
      #expect(answer.body == "{\"status\":\"ready\"}\n")
      return nil
    }
    #expect(
      answer.has("status", "not-ready") && answer.has("detail", reason.detail) && answer.has("cure", reason.cure))
    #expect(service.handler.service.readiness.sentence(reason).contains(reason.rawValue))
    return reason
  }

  @Test func readyMeansThatAGenuineTokenIsValid() throws {
    let service = try ServiceFixture()
    #expect(try problem(service) == nil)
    #expect(service.verify(try ServiceFixture.token()).status == 200)
    #expect(service.handler.service.readiness.sentence(nil) == "answering requests")
  }

  @Test func retiredMemoryIsLost() throws {
    let service = try ServiceFixture()
    service.table.retire()
    #expect(try problem(service) == .memoryLost)
    #expect(service.verify(try ServiceFixture.token()).status == 503)
  }

  /// A table with two buckets: a claim finds room or does not, and that does not depend on chance.
  @Test func fullMemoryIsNotReadyBeforeATokenIsRefused() throws {
    let service = try ServiceFixture(capacity: 1)
    var played = 0
    while try problem(service) == nil, played < 20 {
      #expect(service.verify(try ServiceFixture.token()).status == 200)
      played += 1
    }
    #expect(played == 16)
    #expect(try problem(service) == .memoryFull)
    #expect(service.verify(try ServiceFixture.token()).has("fault", "REPLAY_MEMORY_FULL"))
  }

  @Test func clockThatIsBehindIsNotReady() throws {
    let service = try ServiceFixture()
    let ahead = Instant(millisecondsSinceEpoch: Instant.now.millisecondsSinceEpoch + 60_000)
    let digest = try #require(SHA256Digest(hexadecimal: String(repeating: "1", count: 64)))
    let claim = UseClaim(
      identity: TokenIdentity(digest: digest), issueTime: ahead, ttlMilliseconds: 1000,
      now: ahead, request: nil)
    #expect(try service.table.spend(claim) == .firstUse)
    #expect(try problem(service) == .clockBehind)
    #expect(service.verify(try ServiceFixture.token()).has("fault", "REPLAY_MEMORY_UNAVAILABLE"))
  }

  @Test func memoryThatCannotBeMaintainedIsUnavailableUntilItCan() throws {
    let (memory, state) = (ScriptedMemory(), try ServiceFixture().handler.state)
    let watch = Keeper(memory)
    for fault in [Fault.replayMemoryUnavailable, nil] {
      memory.script.change { $0.maintenanceFault = fault }
      watch.look()
      #expect(Readiness(watch).problem(state, at: .now) == fault.map { _ in .memoryUnavailable })
    }
  }

  /// Of the whole second from which it is sure to be ready.
  @Test func newMemorySaysWhenItIsReady() throws {
    let memory = ScriptedMemory()
    let until = Instant(millisecondsSinceEpoch: 65_853_500)
    memory.script.change { $0.condition = .warming(until: until) }
    let readiness = Readiness(Keeper(memory))
    func cure(_ now: Int64) -> String { readiness.cure(of: .memoryNew, at: Instant(millisecondsSinceEpoch: now)) }
    #expect(cure(65_788_000) == "wait: ready at 18:17:34Z, in 66 s")
    #expect(cure(65_787_999) == "wait: ready at 18:17:34Z, in 67 s")
    #expect(cure(-86_400_000) == "wait: ready at 1970-01-01T18:17:34Z, in 152254 s")
    #expect(readiness.sentence(.memoryNew).hasSuffix("; wait: ready at 18:17:34Z, in 0 s"))
  }

  /// What was seen last is told, and nothing waits.
  @Test func memoryWhoseDiskIsFrozenIsStalledUntilItGoesOn() throws {
    let (memory, state) = (ScriptedMemory(), try ServiceFixture().handler.state)
    memory.script.change { ($0.readings, $0.isStalled) = ([.capacity(7)], true) }
    let watch = Keeper(memory)
    watch.tick()
    #expect(Readiness(watch).problem(state, at: .now) == nil)
    watch.tick()
    #expect(Readiness(watch).problem(state, at: .now) == .diskStalled)
    let look = watch.ask(withReadings: true)
    #expect(watch.sight.readings == [.capacity(7)] && !watch.hasLooked(look), "it does not wait")
    memory.script.change { ($0.readings, $0.isStalled) = ([.capacity(8)], false) }
    while watch.isStalled { WorkerThread.sleep(milliseconds: 1) }
    #expect(Readiness(watch).problem(state, at: .now) == nil)
    watch.ask(withReadings: true, waitingAtMost: 60_000)
    #expect(watch.sight.readings == [.capacity(8)])
    watch.end()
  }

  @Test func drainingComesBeforeEverythingElse() throws {
    let service = try ServiceFixture()
    service.table.retire()
    service.handler.service.readiness.beginDraining()
    #expect(try problem(service) == .draining)
  }

  @Test(arguments: [
    (#"[{"requestor": "REF30", "allowMVPDs": []}]"#, true),
    (#"[{"requestor": "REF30", "allowProxyMVPDs": []}]"#, true),
    (#"[{"requestor": "REF30", "allowMVPDs": ["a"], "denyMVPDs": ["a", "b"]}]"#, true),
    (#"[{"requestor": "REF30", "allowMVPDs": ["a", "c"], "denyMVPDs": ["a", "b"]}]"#, false),
    (#"[{"requestor": "REF30", "denyMVPDs": ["a"]}]"#, false),
    (#"[{"requestor": "REF30", "allowMVPDs": []}, {"requestor": "B"}]"#, false),
  ])
  func tenantsThatAllowNoProviderAreNotReady(tenants: String, isHopeless: Bool) throws {
    let service = try ServiceFixture(ServiceFixture.json(tenants: tenants))
    #expect(try problem(service) == (isHopeless ? .nothingAllowed : nil))
  }

  @Test(arguments: Fault.allCases)
  func faultOfAClaimSpeaksForFiveSeconds(fault: Fault) throws {
    let service = try ServiceFixture()
    let readiness = service.handler.service.readiness
    let state = service.handler.state
    let time = MonotonicTime.now
    readiness.note(fault, at: time)
    let seconds: UInt64 = 1_000_000_000
    #expect(readiness.problem(state, at: .now, time) == Condition(fault))
    #expect(readiness.problem(state, at: .now, time + 5 * seconds - 2000) == Condition(fault))
    #expect(readiness.problem(state, at: .now, time + 5 * seconds + 2000) == nil)
    // A thread whose clock was read a moment before the fault.
    #expect(readiness.problem(state, at: .now, time - 2000) == Condition(fault))
  }

  /// Claims note their faults by themselves: here one that no look at the memory foresees.
  @Test func claimThatEndsWithAFaultIsNotedAtOnce() throws {
    let service = try ServiceFixture()
    service.table.retire()
    // As of before it, a fault is recent however long all this takes.
    let time = MonotonicTime.now
    #expect(service.verify(try ServiceFixture.token()).status == 503)
    let other = Readiness(Keeper(.none))
    #expect(other.problem(service.handler.state, at: .now) == nil)
    // The same service, seen without its memory's condition.
    #expect(service.handler.service.readiness.recentFault(time) == .replayMemoryUnavailable)
  }
}
