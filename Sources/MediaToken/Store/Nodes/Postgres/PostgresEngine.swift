internal import MediaTokenSystem

struct PostgresEngine: Sendable {
  let fleet: PostgresAddress
  let policy: FleetPolicy
  let clock: FleetClock
  let credentials: Monitor<FleetCredentials>
  let statements: PostgresStatements
  /// Random, from 0 to 1: so that hosts do not all act at the same moment.
  let chance: @Sendable () -> Double
  let names = NameLookups()
  /// The place of the primary that was found last.
  let primary = Monitor<PrimarySearch.Place?>(nil)

  /// Loads libpq.
  init(
    fleet: PostgresAddress, policy: FleetPolicy, digest: FleetDigest, clock: FleetClock,
    credentials: Monitor<FleetCredentials>, chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) throws(Problem) {
    (self.fleet, self.policy, self.clock, self.credentials, self.chance) = (
      fleet, policy, clock, credentials, chance
    )
    statements = PostgresStatements(fleet: fleet.name, policy, digest)
    if let failure = LibPQ.failure {
      throw Problem("libpq can't be loaded: \(DisplayText.escaped(failure))", cure: "install it (Debian: libpq5)")
    }
    if let variable = ConnectionKeywords.variableInTheWay() {
      throw Problem(
        "\(DisplayText.escaped(variable)) is set in the environment, and would change where a database is looked for or how it is logged in to",
        cure: "unset it, and put users and passwords into the credentials file")
    }
  }

  /// The result of a start, or of the maintenance for an epoch; nil if the numbers cannot be. `second` is the server's clock,
  /// which was asked `elapsed` nanoseconds ago; `high` is the last minute whose slot was made.
  func result(
    second: Int64, since: Int64, high: Int64, isStarted: Bool, of process: String, _ timeline: Int64?,
    _ elapsed: UInt64
  ) -> HandshakeResult? {
    guard FleetClock.seconds.contains(second), FleetClock.epochSeconds.contains(since),
      FleetClock.epochSeconds.contains(high)
    else { return nil }
    let (offset, setBack) = clock.note(
      second: second, ofNode: 1, showing: EpochMark(process: process, from: since), askedAgo: elapsed)
    return HandshakeResult(
      from: since, clockOffsetSeconds: offset, isStarted: isStarted, process: process, timeline: timeline,
      secondsSetBack: setBack)
  }
}
