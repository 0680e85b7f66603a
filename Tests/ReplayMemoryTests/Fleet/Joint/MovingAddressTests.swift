import Testing

@testable import MediaToken

/// Two fleets in one text.
@Suite struct MovingAddressTests {
  @Test func `both fleets have the settings, and a database alone the grace`() throws {
    let address = try #require(try MovingAddress("moving:1700000000 redis:a@/one,/two,/three postgres:b@/run/db"))
    var settings = FleetSettings.standard
    (settings.graceSeconds, settings.credentialsFile) = (30, "/users")
    guard
      case .joint(let from, let to, 1_700_000_000) = address.plan(
        .standard, settings, retryWindowMilliseconds: 2000)
    else {
      Issue.record("no two fleets")
      return
    }
    #expect(from.address.name == "a" && to.address.name == "b")
    #expect(from.settings.graceSeconds == nil && to.settings.graceSeconds == 30)
    for options in [from, to] {
      #expect(options.settings.credentialsFile == "/users" && options.retryWindowMilliseconds == 2000)
    }
  }

  @Test func `the old fleet has what is written of it, and the policy's otherwise`() throws {
    let address = try #require(
      try MovingAddress(
        "moving:1 postgres:a@/run/db redis:b@/1 fleet_credentials=/old max_ttl_ms=1 fleet_grace_seconds=60 fleet_deadline_ms=900"
      ))
    var settings = FleetSettings.standard
    (settings.deadlineMilliseconds, settings.credentialsFile) = (20, "/new")
    let policy = try Policy(futureToleranceMilliseconds: 7, expiryToleranceMilliseconds: 8)
    guard case .joint(let from, let to, 1) = address.plan(policy, settings, retryWindowMilliseconds: 0) else {
      Issue.record("no two fleets")
      return
    }
    #expect(
      from.settings == FleetSettings(credentialsFile: "/old", deadlineMilliseconds: 900, graceSeconds: 60)
        && to.settings == settings && to.policy == policy)
    #expect(
      try from.policy
        == Policy(maxTTLMilliseconds: 1, futureToleranceMilliseconds: 7, expiryToleranceMilliseconds: 8))
  }

  @Test(arguments: [
    ("max_ttl_ms=0", "max_ttl_ms must be 1 to"), ("future_tolerance_ms=86400001", "future_tolerance_ms must be"),
    ("fleet_deadline_ms=4", "fleet_deadline_ms must be"), ("max_ttl_ms=x", "found max_ttl_ms"),
    ("fleet_grace_seconds=60", "only a database"), ("local_table=/table", "found local_table"),
    ("fleet_credentials=", "found fleet_credentials"), ("max_ttl_ms=9 max_ttl_ms=9", "max_ttl_ms is given twice"),
    ("fleet_credentials=/a fleet_credentials=/b", "fleet_credentials is given twice"), ("", "found an empty text"),
    ("a-long-word-that-may-be-a-password", "found another text"),
  ]) func `a mistake in what is written of the old fleet is named`(_ words: String, _ fact: String) throws {
    let problem = #expect(throws: Problem.self) { try MovingAddress("moving:1 redis:a@/1 redis:b@/1 " + words) }
    #expect(problem?.subject == "from" && problem?.fact.contains(fact) == true, "\(problem?.description ?? "")")
  }

  @Test(arguments: [
    "moving:", "moving:1", "moving:0 redis:a@/1 redis:b@/1", "moving:-1 redis:a@/1 redis:b@/1",
    "moving:4294967296 redis:a@/1 redis:b@/1", "moving:1  redis:a@/1 redis:b@/1", "moving:1 redis:a@/1",
    "moving:1 redis:a@/1 redis:b@/1 ", "moving:1 shared:/table redis:b@/1", "moving:1 redis:a@/1 none:",
    "moving:1 redis:a@/1,/2 redis:b@/1",
  ]) func `another text is a mistake`(_ text: String) {
    #expect(throws: Problem.self) { try MovingAddress(text) }
  }

  @Test(arguments: ["redis:a@/1", "Moving:1 redis:a@/1 redis:b@/1", ""])
  func `an address of another form is no move`(
    _ text: String
  ) throws {
    #expect(try MovingAddress(text) == nil)
  }
}
