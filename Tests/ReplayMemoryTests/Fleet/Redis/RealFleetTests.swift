import Foundation
import MediaTokenSystem
import Testing

@testable import MediaToken

/// Whole memories over three real processes.
@Suite(.enabled(if: NodeServer.isInstalled, NodeServer.absent))
struct RealFleetTests {
  private let servers: [NodeServer]
  private let options: FleetOptions
  private let now = Int64(Date().timeIntervalSince1970)

  init() throws {
    servers = try (0..<3).map { _ in try NodeServer() }
    // The longest deadline and few buckets: this machine may be busy.
    options = FleetOptions(
      address: try FleetAddress(redis: "test@" + servers.map(\.path).joined(separator: ",")),
      policy: try Policy(maxTTLMilliseconds: 99_000), settings: FleetSettings(deadlineMilliseconds: 1000),
      retryWindowMilliseconds: 60_000)
  }

  private func open() throws(Problem) -> FleetMemory { try FleetMemory(opening: options) }

  /// A memory whose nodes vouch for tokens of now, as they would in a minute.
  private func openInitialised() throws -> FleetMemory {
    let memory = try open()
    // What has no epoch yet would get another floor later.
    try waitUntil {
      try? memory.maintain(at: .now)
      return memory.reading(at: .now).nodes.allSatisfy { $0.vouchesFrom != nil }
    }
    for server in servers { try server.ask("HSET", "{mt2:test}", "from", "0", "high", "-1") }
    return memory
  }

  /// Spends a token. A machine that stalls for a second makes a fault of it, and the next try goes on.
  private func spend(_ claim: UseClaim, in memory: FleetMemory) throws -> UseOutcome {
    var outcome: UseOutcome?
    try waitUntil {
      outcome = try? memory.spend(claim)
      return outcome != nil
    }
    return try #require(outcome)
  }

  private func token(_ number: UInt64, request: String? = nil) -> UseClaim {
    claim(number, issued: now, request: request)
  }

  @Test(.steadyMachine) func `a new fleet vouches for no token of now, and says when that ends`() throws {
    let memory = try open()
    guard case .warming(let moment) = memory.condition(at: Instant(millisecondsSinceEpoch: now * 1000)) else {
      Issue.record("the fleet is not warming")
      return
    }
    #expect(moment.millisecondsSinceEpoch / 1000 >= now + 72)
    #expect(try spend(token(1), in: memory) == .predatesMemory)
    let reading = memory.reading(at: Instant(millisecondsSinceEpoch: now * 1000))
    #expect(reading.nodes.map(\.state) == [.warming, .warming, .warming])
    #expect(reading.nodes.map(\.starts) == [1, 1, 1])
    #expect(memory.takeNodeEvents().count == 3)
  }

  @Test func `a token is used once on two hosts, and a repeated request is known on both`() throws {
    let (one, other) = (try openInitialised(), try open())
    #expect([.firstUse, .retry].contains(try spend(token(1, request: "r"), in: one)))
    #expect(try spend(token(1), in: other) == .alreadyUsed)
    #expect(try spend(token(1, request: "r"), in: other) == .retry)
    #expect(try spend(token(2), in: other) == .firstUse)
    #expect(try spend(token(2), in: one) == .alreadyUsed)
    let answers = one.spend((2..<100).map { token($0) })
    #expect(answers == (2..<100).map { $0 == 2 ? used : firstUse } || answers.contains(unavailable))
    let reading = one.reading(at: Instant(millisecondsSinceEpoch: now * 1000))
    #expect(reading.nodes.allSatisfy { $0.replies[.error] == 0 })
    #expect(reading.askCounts.reduce(0, +) >= 100 || answers.contains(unavailable))
  }

  @Test func `of many threads on two hosts that spend the same tokens at most one wins each`() throws {
    let memories = [try openInitialised(), try open()]
    let answered = Monitor<[UInt64: [Result<UseOutcome, Fault>]]>([:])
    let tokens = (0..<100 as Range<UInt64>).map { token($0) }
    let threads = try (0..<8).map { thread in
      try WorkerThread {
        for (number, token) in tokens.enumerated() {
          let answer = memories[thread % 2].spend([token])[0]
          answered.change { $0[UInt64(number), default: []].append(answer) }
        }
      }
    }
    for thread in threads { thread.join() }
    for answers in answered.current.values {
      #expect(answers.filter { $0 == firstUse }.count <= 1)
    }
    #expect(answered.current.values.filter { $0.contains(firstUse) }.count > 0)
  }

  @Test func `one node that stops or forgets stops nothing, and two stop everything`() throws {
    let memory = try openInitialised()
    #expect(try spend(token(1), in: memory) == .firstUse)
    servers[0].signal(SIGSTOP)
    #expect(try spend(token(2), in: memory) == .firstUse)
    #expect(try spend(token(1), in: memory) == .alreadyUsed)
    servers[0].signal(SIGCONT)
    servers[1].stop()
    #expect(try spend(token(1), in: memory) == .alreadyUsed)
    servers[2].signal(SIGSTOP)
    #expect(throws: Fault.replayMemoryUnavailable) { try memory.spend(token(3)) }
    servers[2].signal(SIGCONT)
    // It comes back with nothing, and vouches for no token of now.
    try servers[1].start()
    #expect(try spend(token(4), in: memory) == .firstUse)
    #expect(try spend(token(3), in: memory) == .firstUse)
    #expect(try spend(token(1), in: memory) == .alreadyUsed)
  }

  /// The cause of what is awaited is there already; a minute is for a machine that stalls.
  private func waitUntil(_ isSo: () -> Bool) throws {
    let end = MonotonicTime.now + 60_000_000_000
    while !isSo() {
      try #require(MonotonicTime.now < end, "it did not come back")
      WorkerThread.sleep(milliseconds: 20)
    }
  }

  @Test(.steadyMachine) func `one process for two nodes refuses to open`() throws {
    let server = try NodeServer(at: "127.0.0.1")
    let port = try #require(server.port)
    let address = try FleetAddress(redis: "twice@\(server.path),127.0.0.1:\(port),\(servers[0].path)")
    let error = try #require(throws: Problem.self) {
      try FleetMemory(opening: FleetOptions(address: address, policy: .standard))
    }
    // Whichever was connected to first is the node.
    let possible = [(1, server.path), (2, "127.0.0.1:\(port)")].flatMap { number, place in
      [NodeRefusal.sameProcess(asNode: 3 - number), .otherNode].map { Problem.node(number, address: place, $0) }
    }
    #expect(possible.contains(error))
  }

  @Test(.steadyMachine) func `hosts with another policy or order of nodes are refused`() throws {
    _ = try open()
    var other = options
    other.policy = .standard
    #expect(throws: Problem.node(1, address: servers[0].path, .otherFleet)) { try FleetMemory(opening: other) }
    other = options
    other.address = try FleetAddress(redis: "test@" + servers.reversed().map(\.path).joined(separator: ","))
    #expect(throws: Problem.self) { try FleetMemory(opening: other) }
  }

  @Test(.steadyMachine) func `credentials are read again, and a wrong password is named`() throws {
    let folder = try TestFolder()
    let file = folder.path("credentials")
    for server in servers { try server.ask("ACL", "SETUSER", "host", "on", ">right", "~*", "+@all") }
    for server in servers { try server.ask("ACL", "SETUSER", "default", "off") }
    func write(_ text: String) throws {
      try text.write(toFile: file, atomically: false, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }
    var secured = options
    secured.settings.credentialsFile = file
    try write("* host right\n2 host wrong\n")
    let denied = NodeRefusal.denied(StoreWords("WRONGPASS invalid username-password pair or user is disabled."))
    #expect(throws: Problem.node(2, address: servers[1].path, denied)) {
      try FleetMemory(opening: secured)
    }
    try write("* host right\n")
    let memory = try FleetMemory(opening: secured)
    #expect(memory.reading(at: .now).nodes.allSatisfy { $0.state == .warming })
    try write("nothing\n")
    let broken = #expect(throws: Problem.self) { try memory.readCredentialsAgain() }
    #expect(broken?.description.hasPrefix("\(file): line 1: not NUMBER USER PASSWORD") == true)
    try write("* host right\n")
    try memory.readCredentialsAgain()
  }
}
