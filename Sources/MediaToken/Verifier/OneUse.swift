internal import MediaTokenSystem

/// The way in which a verifier enforces that a token plays once, or does not. There is no default.
public struct OneUse: Sendable {
  let choice: Choice

  enum Choice: Sendable {
    case notEnforced
    case table(path: String, capacity: Int?, retryWindow: Duration)
    case fleet(address: String, FleetSettings, retryWindow: Duration)
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
    let (address, settings, retryWindow): (ReplayAddress, FleetSettings, Duration)
    switch choice {
    case .notEnforced, .custom: return .none
    case .table(let path, let capacity, let window):
      try clock.checkIsShared()
      guard !path.isEmpty, !path.utf8.contains(0) else { throw SetupError(oneUse: .emptyPath) }
      (address, settings, retryWindow) = (.shared(path: ExactText(path), capacity: capacity), .standard, window)
    case .fleet(let text, let fleet, let window):
      try clock.checkIsShared()
      (settings, retryWindow) = (fleet, window)
      address = try rethrow(ReplayAddress(text), as: SetupError.init(oneUse:))
      // "none:" and a table are other choices, which are made by their names.
      guard case .fleet = address else {
        throw SetupError([
          .init("oneUse", "expected the address of a fleet, \(FleetAddress.forms), found another one")
        ])
      }
    }
    return try rethrow(
      address.open(policy: policy, retryWindowMilliseconds: retryWindow.milliseconds, fleet: settings),
      as: SetupError.init(oneUse:))
  }
}
