import MediaToken
import Testing

@testable import MediaTokenService

/// The section `fleet` of `replay`.
@Suite struct FleetConfigurationTests {
  @Test(arguments: [
    // The key that is blamed, and the section with the mistake.
    ("replay.address", #""replay": {"address": "redis:prod@a:1,b:1"}"#),
    ("replay.address", #""replay": {"address": "redis:prod@user:secret@a:1"}"#),
    ("replay.address", #""replay": {"address": "redis:prod@a:1,b:1,A:1"}"#),
    ("replay.fleet", #""replay": {"address": "shared:/t", "fleet": {}}"#),
    ("replay.fleet", #""replay": {"address": "none:", "fleet": {"deadlineMilliseconds": 50}}"#),
    ("replay.fleet.password", #""replay": {"address": "redis:prod@a:1", "fleet": {"password": "x"}}"#),
    ("replay.fleet.credentials", #""replay": {"address": "redis:prod@a:1", "fleet": {"credentials": ""}}"#),
    (
      "replay.fleet.deadlineMilliseconds",
      #""replay": {"address": "redis:prod@a:1", "fleet": {"deadlineMilliseconds": 4}}"#
    ),
    (
      "replay.fleet.deadlineMilliseconds",
      #""replay": {"address": "redis:prod@a:1", "fleet": {"deadlineMilliseconds": 1001}}"#
    ),
    ("replay.fleet.graceSeconds", #""replay": {"address": "redis:prod@a:1", "fleet": {"graceSeconds": 45}}"#),
    ("replay.fleet.graceSeconds", #""replay": {"address": "postgres:prod@a/d", "fleet": {"graceSeconds": 4}}"#),
    ("replay.fleet.graceSeconds", #""replay": {"address": "postgres:prod@a/d", "fleet": {"graceSeconds": 3601}}"#),
    ("replay.fleet.localTable", #""replay": {"address": "redis:prod@a:1", "fleet": {"localTable": "/t"}}"#),
    (
      "replay.fleet.localTable",
      #""replay": {"address": "redis:prod@a:1", "fleet": {"localTable": "redis:prod@a:1"}}"#
    ),
    ("replay.fleet.localTable", #""replay": {"address": "redis:prod@a:1", "fleet": {"localTable": "none:"}}"#),
  ])
  func mistakeIsBlamedOnItsKey(key: String, section: String) {
    let error = #expect(throws: Problem.self) {
      try ConfigurationTests.parse(ConfigurationTests.text(section))
    }
    #expect(error?.code == key)
  }

  @Test func fleetIsReadWholeAndHasDefaults() throws {
    let some = try ConfigurationTests.parse(
      ConfigurationTests.text(
        #""replay": {"address": "redis:prod@a:6379,[::1]:6379,/run/c", "fleet": {"credentials": "/c", "deadlineMilliseconds": 5, "localTable": "shared:/t?capacity=7"}}"#
      )
    ).replay
    #expect(some.address == .fleet(try FleetAddress(redis: "prod@a:6379,[::1]:6379,/run/c")))
    #expect(
      some.fleet
        == FleetSettings(
          credentialsFile: "/c", deadlineMilliseconds: 5, localTable: .init(path: "/t", capacity: 7)))
    let none = try ConfigurationTests.parse(ConfigurationTests.text(#""replay": {"address": "redis:prod@a:6379"}"#))
      .replay
    #expect(none.isFleet && none.fleet == FleetSettings() && none.deadlineMilliseconds == 50)
  }

  /// What looks after nodes needs no more of a configuration; what is there is checked all the same.
  @Test func replayAloneIsEnoughWhereNoMoreIsNeeded() throws {
    func parse(_ text: String) throws -> Configuration {
      try ConfigurationFile.parse(Array(text.utf8).span, needing: ["replay"])
    }
    #expect(try parse(#"{"replay": {"address": "redis:prod@a:1"}}"#).replay.isFleet)
    let mistakes = [
      ("replay", "{}"), ("replay.address", #"{"replay": {}}"#),
      ("keys", #"{"replay": {"address": "none:"}, "keys": []}"#),
      ("sockets", #"{"replay": {"address": "none:"}, "sockets": {}}"#),
      ("tenants[0].requestor", #"{"replay": {"address": "none:"}, "tenants": [{}]}"#),
    ]
    for (key, text) in mistakes {
      #expect(#expect(throws: Problem.self) { try parse(text) }?.code == key)
    }
  }

  @Test func fleetWaitsForLessTimeThanARequestMay() throws {
    func text(_ milliseconds: Int) -> String {
      ConfigurationTests.text(
        #""replay": {"address": "redis:prod@a:1", "fleet": {"deadlineMilliseconds": \#(milliseconds)}}, "deadlines": {"requestMilliseconds": 500}"#
      )
    }
    _ = try ConfigurationTests.parse(text(499))
    let error = #expect(throws: Problem.self) { try ConfigurationTests.parse(text(500)) }
    #expect(error?.code == "deadlines.requestMilliseconds")
  }

  @Test(arguments: [
    #""credentials": "/other""#, #""deadlineMilliseconds": 51"#, #""localTable": "shared:/t""#,
  ])
  func fleetThatDiffersNeedsARestart(change: String) throws {
    func configuration(_ fleet: String) throws -> Configuration {
      try ConfigurationTests.parse(
        ConfigurationTests.text(#""replay": {"address": "redis:prod@a:1", "fleet": {\#(fleet)}}"#))
    }
    #expect(
      try configuration(change).sectionThatNeedsRestart(comparedWith: try configuration("")) == "replay")
  }
}
