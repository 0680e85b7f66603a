package import MediaTokenSystem

package struct RedisEngine: Sendable {
  let fleet: RedisAddress
  let policy: FleetPolicy
  let digest: FleetDigest
  let clock: FleetClock
  let credentials: Monitor<FleetCredentials>
  /// Random, from 0 to 1: so that hosts do not all act at the same moment.
  let chance: @Sendable () -> Double
  let names = NameLookups()

  package init(
    fleet: RedisAddress, policy: FleetPolicy, digest: FleetDigest, clock: FleetClock,
    credentials: Monitor<FleetCredentials>, chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    (self.fleet, self.policy, self.digest, self.clock) = (fleet, policy, digest, clock)
    (self.credentials, self.chance) = (credentials, chance)
  }

  func commands(forNode number: Int) -> NodeCommands {
    NodeCommands(fleet: fleet.name, policy, digest, number: number)
  }
}
