internal import MediaTokenSystem

/// The way in which a verifier enforces that a token plays once, or does not. There is no default.
public struct OneUse: Sendable {
  let choice: Choice

  indirect enum Choice: Sendable {
    case notEnforced
    case table(path: String, capacity: Int?, retryWindow: Duration)
    case fleet(address: String, FleetSettings, retryWindow: Duration)
    case moving(from: Choice, to: Choice, until: UnixTime, oldPolicy: TokenPolicy?)
    case custom(any AsyncReplayMemory)
  }

  /// A table on this host, which all its processes share: a file on a local disk or a tmpfs.
  ///
  /// - Parameters:
  ///   - path: the table's file. `mediatoken replay create` makes one.
  ///   - capacity: the number of living tokens for which one is made if it is missing; nil: it must be there.
  ///   - retryWindow: the time in which a caller that repeats a ``UseRequest`` is given its first answer again; in
  ///     whole seconds.
  public static func shared(_ path: String, capacity: Int? = nil, retryWindow: Duration = .zero) -> OneUse {
    OneUse(choice: .table(path: path, capacity: capacity, retryWindow: retryWindow))
  }

  /// Nodes that hosts share; see <doc:Deployment>.
  ///
  /// - Parameters:
  ///   - address: as operators write it, for example `redis:prod@a:6379,b:6379,c:6379` or `postgres:prod@db.example/tokens`.
  ///   - credentials: the file with users and passwords of the nodes; nil: they ask for none.
  ///   - deadline: for how long a claim waits for the nodes, 5 ms to 1 s; nil: 50 ms, and 250 ms for a database. It counts from when there are
  ///     connections.
  ///   - grace: for how long no host may have maintained a database before its data count as a copy, 5 s to an hour, in whole seconds and the
  ///     same on all hosts; nil: 45 s. Only with `postgres:`.
  ///   - localTable: the path of a table of this host that refuses what was used here without asking the nodes, and is a second
  ///     lock; nil: none. One that is missing is made for 100,000 living tokens.
  ///   - retryWindow: as for a table.
  public static func fleet(
    _ address: String, credentials: String? = nil, deadline: Duration? = nil, grace: Duration? = nil,
    localTable: String? = nil, retryWindow: Duration = .zero
  ) -> OneUse {
    let settings = FleetSettings(
      credentialsFile: credentials, deadlineMilliseconds: deadline.map { Int($0.milliseconds) },
      graceSeconds: grace.map { Int($0.components.seconds) },
      localTable: localTable.map { FleetOptions.LocalTable(path: $0, capacity: 100_000) })
    return OneUse(choice: .fleet(address: address, settings, retryWindow: retryWindow))
  }

  /// Two fleets, while hosts move from one to the other: every host asks both before any has the new one alone. The article
  /// MovingAFleet says when that may be.
  ///
  /// - Parameters:
  ///   - from: the fleet that this host leaves, as it was given before.
  ///   - to: the fleet that it moves to, which has another name and the same retry window.
  ///   - until: the latest of the times from which the nodes of the new fleet vouch, as `mediatoken replay init` prints them;
  ///     the same on all hosts.
  ///   - oldPolicy: the policy of hosts before, whose times are the old fleet's; nil: that of this verifier. The shorter times count.
  public static func moving(
    from: OneUse, to: OneUse, until: UnixTime, oldPolicy: TokenPolicy? = nil
  ) -> OneUse {
    OneUse(choice: .moving(from: from.choice, to: to.choice, until: until, oldPolicy: oldPolicy))
  }

  /// A memory of the application's own. `ReplayMemoryConformance` of the module `MediaTokenTesting` tells whether it keeps the
  /// rules.
  public static func custom(_ memory: some AsyncReplayMemory) -> OneUse { OneUse(choice: .custom(memory)) }

  /// One use is **not** enforced: a token plays as often as it is presented, on any device. For tools, and where another service
  /// enforces it.
  public static let notEnforced = OneUse(choice: .notEnforced)
}

extension OneUse {
  /// The application's own memory, if it is one.
  var ownMemory: (any AsyncReplayMemory)? {
    if case .custom(let memory) = choice { memory } else { nil }
  }

  /// A store that remembers nothing where the application has its own memory.
  ///
  /// - Throws: ``SetupError`` for a store that can't be opened, and for a clock that others do not share.
  func open(for policy: TokenPolicy, _ clock: VerifierClock) throws(SetupError) -> any Store {
    switch choice {
    case .notEnforced, .custom: return .none
    case .table(let path, let capacity, let window):
      try clock.checkIsShared()
      return try rethrow(
        Self.table(path, capacity, policy, window), as: SetupError.init(oneUse:))
    case .fleet, .moving:
      try clock.checkIsShared()
      return try rethrow(MovableFleet(opening: choice.plan(policy), at: .now), as: SetupError.init(oneUse:))
    }
  }

  private static func table(
    _ path: String, _ capacity: Int?, _ policy: TokenPolicy, _ window: Duration
  ) throws(Problem) -> any Store {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .emptyPath }
    return try ReplayAddress.shared(path: ExactText(path), capacity: capacity).open(
      policy: policy, retryWindowMilliseconds: window.milliseconds)
  }
}

extension OneUse.Choice {
  /// The fleet, or both while hosts move; an error for another choice.
  func plan(_ policy: TokenPolicy) throws(Problem) -> FleetPlan {
    guard case .moving(let from, let to, let until, let oldPolicy) = self else { return .one(try options(policy)) }
    return .joint(
      from: try Problem.about("from", from.options(oldPolicy ?? policy)),
      to: try Problem.about("to", to.options(policy)),
      until: until.millisecondsSinceEpoch.flooredDivision(by: 1000).quotient)
  }

  /// An error for what is not a fleet: a table and a move are other choices, which are made by their names.
  private func options(_ policy: TokenPolicy) throws(Problem) -> FleetOptions {
    guard case .fleet(let text, let settings, let window) = self else { throw .notAFleet }
    return FleetOptions(
      address: try FleetAddress(text), policy: policy, settings: settings,
      retryWindowMilliseconds: window.milliseconds)
  }
}
