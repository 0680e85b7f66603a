import MediaTokenSystem
import Testing

@testable import MediaToken
@testable import MediaTokenService

/// `replay.address` with two fleets.
@Suite struct MoveConfigurationTests {
  private static func parse(_ address: String, more: String = "") throws -> Configuration {
    try ConfigurationTests.parse(ConfigurationTests.text(#""replay": {"address": \#(address)\#(more)}"#))
  }

  @Test(arguments: [
    // The key that is blamed, and the address.
    ("replay.address.until", #"{"from": "redis:a@h:1", "to": "redis:b@h:2"}"#),
    ("replay.address.until", #"{"from": "redis:a@h:1", "to": "redis:b@h:2", "until": "1700000000"}"#),
    ("replay.address.until", #"{"from": "redis:a@h:1", "to": "redis:b@h:2", "until": 0}"#),
    ("replay.address.from", #"{"to": "redis:b@h:2", "until": 1700000000}"#),
    ("replay.address.to", #"{"from": "redis:a@h:1", "until": 1700000000}"#),
    ("replay.address.to", #"{"from": "redis:a@h:1", "to": "shared:/t", "until": 1700000000}"#),
    ("replay.address.from", #"{"from": "none:", "to": "redis:b@h:2", "until": 1700000000}"#),
    ("replay.address.from", #"{"from": "redis:a@h:1,h:2", "to": "redis:b@h:2", "until": 1700000000}"#),
    // A move within a move.
    ("replay.address.to", #"{"from": "redis:a@h:1", "to": {"from": "redis:b@h:2"}, "until": 1700000000}"#),
    (
      "replay.address.fleet.graceSeconds",
      #"{"from": "redis:a@h:1", "to": "postgres:b@h/d", "until": 1700000000, "fleet": {"graceSeconds": 45}}"#
    ),
    ("replay.address", "7"),
  ]) func mistakeIsBlamedOnItsKey(key: String, address: String) {
    let error = #expect(throws: Problem.self) { try Self.parse(address) }
    #expect(error?.code == key)
  }

  @Test func theOldFleetHasItsOwnSettingsAndTimes() throws {
    let configuration = try Self.parse(
      #"{"from": "redis:a@h:1", "to": "postgres:b@h/d", "until": 1700000000, "fleet": {"credentials": "/old"}, "maxTTLMilliseconds": 5000}"#,
      more: #", "fleet": {"credentials": "/new", "graceSeconds": 30}"#)
    guard case .joint(let from, let to, 1_700_000_000) = try configuration.fleetPlan() else {
      Issue.record("no two fleets")
      return
    }
    #expect(from.address == (try FleetAddress(redis: "a@h:1")) && from.settings.credentialsFile == "/old")
    #expect(from.policy.maxTTLMilliseconds == 5000 && to.policy.maxTTLMilliseconds == 3_600_000)
    #expect(from.policy.futureToleranceMilliseconds == to.policy.futureToleranceMilliseconds)
    #expect(to.settings.credentialsFile == "/new" && to.settings.graceSeconds == 30)
    // A request waits for one and then for the other.
    #expect(configuration.replay.deadlineMilliseconds == 50 + 250)
    #expect(configuration.replay.isFleet)
  }

  @Test func withoutTheReloadOfAMoveItNeedsARestart() throws {
    let one = try Self.parse(#""redis:a@h:1""#)
    let two = try Self.parse(#"{"from": "redis:a@h:1", "to": "redis:b@h:2", "until": 1700000000}"#)
    #expect(two.sectionThatNeedsRestart(comparedWith: one) == "replay")
  }
}
