import MediaToken
import Testing

@testable import MediaTokenCommandLine

@Suite struct SharedOptionsTests {
  private static let command = Command(
    words: ["check"], summary: "", options: PolicyTimes.all + FleetOption.all, notes: []
  ) { (_) throws(Problem) in 0 }

  private func arguments(_ typed: String...) throws -> Arguments {
    try #require(try OptionParser(Self.command, invocation: "tool check").parse(typed.map { Array($0.utf8) }))
  }

  @Test func aPolicyIsTheStandardUnlessTimesAreChosen() throws {
    #expect(try PolicyTimes.policy(arguments()) == .standard)
    let policy = try PolicyTimes.policy(
      arguments("--max-ttl", "2000", "--future-tolerance=0", "--expiry-tolerance", "86400000"))
    #expect(
      (policy.maxTTLMilliseconds, policy.futureToleranceMilliseconds, policy.expiryToleranceMilliseconds)
        == (2000, 0, 86_400_000))
  }

  @Test(arguments: [("--max-ttl", 2000), ("--future-tolerance", 0), ("--expiry-tolerance", 0)])
  func timesEndWherePoliciesDo(_ option: String, _ least: Int) throws {
    for beyond in [least - 1, 86_400_001] {
      let arguments = try arguments("\(option)=\(beyond)")
      #expect(
        message { _ = try PolicyTimes.policy(arguments) }.hasPrefix(
          "the value of \(option) MS is not a whole number from \(least) to 86400000\n"))
    }
  }

  @Test func aFleetHasItsSettings() throws {
    let fleet = try ReplayAddress("redis:dev@a:1")
    #expect(try FleetOption.settings(arguments(), for: fleet) == .standard)
    #expect(
      try FleetOption.settings(
        arguments("--fleet-credentials", "/c", "--fleet-deadline", "5", "--local-table", "/t"), for: fleet)
        == FleetSettings(credentialsFile: "/c", deadlineMilliseconds: 5, localTable: .init(path: "/t")))
  }

  @Test func onlyADatabaseHasAGrace() throws {
    #expect(
      try FleetOption.settings(arguments("--fleet-grace", "5"), for: ReplayAddress("postgres:dev@a/d"))
        == FleetSettings(graceSeconds: 5))
    let (some, less, more) = try (
      arguments("--fleet-grace", "45"), arguments("--fleet-grace", "4"), arguments("--fleet-grace", "3601")
    )
    let nodes = try FleetAddress(redis: "dev@a:1")
    #expect(
      message { _ = try FleetOption.chosenGrace(some, of: nodes) }
        .hasPrefix("--fleet-grace SECONDS needs --replay postgres:FLEET@HOST/DATABASE"))
    for arguments in [less, more] {
      #expect(
        message { _ = try FleetOption.chosenGrace(arguments, of: nodes) }
          .hasPrefix("the value of --fleet-grace SECONDS is not a whole number from 5 to 3600"))
    }
  }

  @Test(arguments: ["--fleet-credentials", "--fleet-deadline", "--fleet-grace", "--local-table"])
  func otherMemoriesHaveNone(_ option: String) throws {
    let arguments = try arguments(option, "50")
    let said = message { _ = try FleetOption.settings(arguments, for: .none) }
    #expect(said.hasPrefix(option) && said.contains(" needs --replay redis:FLEET@NODE,..."))
    #expect(try FleetOption.settings(self.arguments(), for: .none) == .standard)
  }
}
