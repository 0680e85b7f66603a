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
