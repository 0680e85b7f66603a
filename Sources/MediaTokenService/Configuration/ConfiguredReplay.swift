package import MediaToken

/// The replay memory of a configuration, and the times that it is made for: what commands need that ask no question about a token.
package struct ConfiguredReplay: Sendable {
  package let address: ReplayAddress
  /// The greatest times of all tenants; without tenants the usual ones.
  package let policy: Policy
  package let fleet: FleetSettings
  package let retryWindowMilliseconds: Int64
  private let plan: FleetPlan?

  /// Reads a daemon's configuration, of which `replay` alone has to be there.
  ///
  /// - Throws: ``/MediaToken/Problem``, which names the file and the key.
  package init(file: String) throws(Problem) {
    let configuration = try ConfigurationFile.read(file, needing: ["replay"])
    (address, fleet) = (configuration.replay.address, configuration.replay.fleet)
    retryWindowMilliseconds = configuration.replay.retryWindowMilliseconds
    policy = try configuration.loosestPolicy()
    plan = try configuration.fleetPlan()
  }

  /// The fleet of the file, or both while its host moves.
  ///
  /// - Throws: ``/MediaToken/Problem`` if its address is another memory's.
  package func fleets(in file: String) throws(Problem) -> FleetPlan {
    guard let plan else {
      throw Problem.setting("replay.address", of: file, "not a fleet's", cure: "write \(FleetAddress.forms) there")
    }
    return plan
  }
}
