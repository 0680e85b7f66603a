import Testing

@testable import MediaToken

/// Which fleets a host may have together, and when it may have others.
@Suite struct FleetPlanTests {
  private static let now = Instant(millisecondsSinceEpoch: 1_700_000_000_000)
  private static let until: Int64 = 1_700_000_072

  private static func options(_ name: String, ttl: Int64 = 3_600_000) throws -> FleetOptions {
    FleetOptions(
      address: try FleetAddress(redis: "\(name)@/node1"), policy: try Policy(maxTTLMilliseconds: ttl),
      settings: .standard)
  }

  private static func joint(
    _ from: String = "a", _ to: String = "b", until: Int64 = until, ttl: Int64 = 3_600_000
  ) throws -> FleetPlan {
    .joint(from: try options(from, ttl: ttl), to: try options(to), until: until)
  }

  private static func memory(_ name: String) throws -> FleetMemory {
    try FleetMemory(options(name), handshakeMilliseconds: 1) { _, _ in ScriptedEngine(nodes: 1) }
  }

  @Test func `a floor is a little ahead, or not long ago`() throws {
    for until in [Self.until, Self.until + 65, Self.until - 72 - 7 * 86_400] {
      try Self.joint(until: until).check(at: Self.now)
    }
    for until in [Self.until + 66, Self.until + 86_400, Self.until - 73 - 7 * 86_400, 1] {
      let problem = #expect(throws: Problem.self) { try Self.joint(until: until).check(at: Self.now) }
      #expect(problem?.subject == "until" && problem?.cure?.contains("replay init") == true)
    }
  }

  @Test func `two fleets have two names`() throws {
    let problem = #expect(throws: Problem.self) { try Self.joint("a", "a").check(at: Self.now) }
    #expect(problem?.subject == "to")
  }

  @Test func `a host joins from the fleet that it has, with the times that it has`() throws {
    let host = try MovableFleet(Self.memory("a"))
    for (plan, subject) in [
      (try Self.joint("c"), "from"), (try Self.joint(ttl: 5000), "from"),
      // Nothing listens there.
      (try Self.joint(), "to"),
    ] {
      let problem = #expect(throws: Problem.self) { try host.step(to: plan, at: Self.now) }
      #expect(problem?.subject == subject, "\(problem?.description ?? "")")
    }
    #expect(host.move == nil)
    for name in ["a", "b"] {
      let step = try host.step(to: .one(Self.options(name)), at: Self.now)
      #expect(step == nil)
    }
  }

  @Test func `a move ends when no token lives that the new fleet does not vouch for`() throws {
    let host = try MovableFleet(from: Self.memory("a"), to: Self.memory("b"), until: Self.until)
    let none = try host.step(to: Self.joint(), at: Self.now)
    #expect(none == nil)
    let end = Self.until + 3601
    let problem = #expect(throws: Problem.self) {
      try host.step(to: .one(Self.options("b")), at: Instant(millisecondsSinceEpoch: end * 1000 - 1))
    }
    #expect(problem?.cure?.hasPrefix("do this in 1 s, ") == true, "\(problem?.description ?? "")")
    let last = try host.step(to: .one(Self.options("b")), at: Instant(millisecondsSinceEpoch: end * 1000))
    guard case .end(.to)? = last else {
      Issue.record("no end")
      return
    }
    // It can be given up at any time.
    guard case .end(.from)? = try host.step(to: .one(Self.options("a")), at: Self.now) else {
      Issue.record("no way back")
      return
    }
    // Unless that is retired.
    host.move?.from.fleet.health.records[0].refused(.retired)
    let back = #expect(throws: Problem.self) { try host.step(to: .one(Self.options("a")), at: Self.now) }
    #expect(back?.fact == NodeRefusal.retired.description)
    let other = try host.step(to: .one(Self.options("c")), at: Self.now)
    #expect(other == nil)
  }
}
