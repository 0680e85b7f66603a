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

  @Test func `both fleets have one retry window`() throws {
    var to = try Self.options("b")
    to.retryWindowMilliseconds = 1000
    let plan = FleetPlan.joint(from: try Self.options("a"), to: to, until: Self.until)
    let problem = #expect(throws: Problem.self) { try plan.check(at: Self.now) }
    #expect(problem?.fact.contains("retry windows") == true)
  }

  @Test func `in Swift each fleet has settings of its own, and the old one the times of before`() throws {
    let (before, policy) = (try TokenPolicy(maxLifetime: .seconds(60)), try TokenPolicy(maxLifetime: .seconds(90)))
    let from = OneUse.fleet("redis:a@/1", credentials: "/old")
    for oldPolicy in [nil, before] {
      let move = OneUse.moving(
        from: from, to: .fleet("redis:b@/1", credentials: "/new"), until: UnixTime(millisecondsSinceEpoch: 9000),
        oldPolicy: oldPolicy)
      guard case .joint(let old, let new, 9) = try move.choice.plan(policy) else {
        Issue.record("no two fleets")
        return
      }
      #expect(old.policy == oldPolicy ?? policy && old.settings.credentialsFile == "/old")
      #expect(new.policy == policy && new.settings.credentialsFile == "/new")
    }
    let none = #expect(throws: Problem.self) {
      try OneUse.moving(from: from, to: .shared("/table"), until: UnixTime(millisecondsSinceEpoch: 0)).choice.plan(
        policy)
    }
    #expect(none?.subject == "to")
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
    let none = try host.step(to: .one(Self.options("a", ttl: 5000)), at: Self.now)
    #expect(none == nil)
    try Self.refusesAndKeepsTheFile(host, .one(Self.options("b")))
  }

  /// A restart would take what would play used tokens again.
  private static func refusesAndKeepsTheFile(_ host: MovableFleet, _ plan: FleetPlan) throws {
    let problem = #expect(throws: Problem.self) { try host.step(to: plan, at: Self.now) }
    #expect(problem?.cure?.hasPrefix("put the former file back now") == true, "\(problem?.description ?? "")")
  }

  @Test func `a move ends when no token lives that the new fleet does not vouch for`() throws {
    let host = try MovableFleet(from: Self.memory("a"), to: Self.memory("b"), until: Self.until)
    let none = try host.step(to: Self.joint(), at: Self.now)
    #expect(none == nil)
    // A life is 3,601 s, and a floor is 72 s ahead.
    let (end, joined) = (Self.until + 3601, try #require(host.move?.beginning))
    func step(milliseconds: Int64, joinedFor seconds: UInt64) throws -> MovableFleet.Step? {
      try host.step(
        to: .one(Self.options("b")), at: Instant(millisecondsSinceEpoch: milliseconds),
        joined + seconds * 1_000_000_000)
    }
    for (milliseconds, seconds) in [(end * 1000 - 1, 4000), (end * 1000 + 5000, 3672)] as [(Int64, UInt64)] {
      let problem = #expect(throws: Problem.self) { try step(milliseconds: milliseconds, joinedFor: seconds) }
      #expect(problem?.cure?.contains("do this in 1 s, ") == true, "\(problem?.description ?? "")")
      #expect(problem?.cure?.contains("both fleets for 3673 s") == true)
    }
    guard case .end(.to)? = try step(milliseconds: end * 1000, joinedFor: 3673) else {
      Issue.record("no end")
      return
    }
    // It can be given up at any time.
    guard case .end(.from)? = try host.step(to: .one(Self.options("a")), at: Self.now) else {
      Issue.record("no way back")
      return
    }
    for other in [.one(try Self.options("c")), try Self.joint("a", "c"), try Self.joint(until: Self.until + 1)] {
      try Self.refusesAndKeepsTheFile(host, other)
    }
    // Unless that is retired.
    host.move?.from.fleet.health.records[0].refused(.retired)
    let back = #expect(throws: Problem.self) { try host.step(to: .one(Self.options("a")), at: Self.now) }
    #expect(back?.fact == NodeRefusal.retired.description)
  }
}
