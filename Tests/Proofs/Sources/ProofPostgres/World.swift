/// A small world: its clocks, what can happen in it, and how often.
struct World {
  let name: String
  var disasters: [Disaster] = [
    .promoted, .promotedWhileTheOldOneLives, .restored, .copyPutBack, .returned, .returnedRestarted,
  ]
  var mostDisasters: UInt8 = 2
  var claims = 2
  /// When the token is issued, by true time.
  var second = 12
  var times = Times.small
  /// How far clocks are off.
  var serverClocks = [0, 0]
  var hostClocks = [0, 0]
  /// To what `clockSet` sets a server's clock.
  var clockStep: Int8 = 0
  var isUnlogged = false
  /// Whether claims may also come in one batch; and whether they have one ballot, so that what is new alone is a grant.
  var hasBatches = false
  var isOneRequest = false
  var flaw: Flaw?

  /// The seconds that are looked at: all that differ by a number of the rules.
  var moments = Array(7...17)

  enum Disaster: Int, CaseIterable {
    case promoted, promotedWhileTheOldOneLives
    /// To a point in time, which begins another timeline.
    case restored
    /// The files as they were, on their timeline, older than G; or younger, against which nothing is promised.
    case copyPutBack, warmingCopyPutBack
    /// A dump of the schema, of whatever age, at any moment: also between two statements of a function.
    case dumpRestored
    case crashed
    /// The name leads back to a primary that it has left: to one that never stopped, or that was restarted.
    case returned, returnedRestarted
    /// TRUNCATE or DELETE of `claim`.
    case emptied
    case clockSet
  }

  var copies: Bool {
    disasters.contains { [.restored, .copyPutBack, .warmingCopyPutBack, .dumpRestored].contains($0) }
  }

  var clocksAreSet: Bool { disasters.contains(.clockSet) }

  init(_ name: String, _ change: (inout World) -> Void = { _ in }) {
    self.name = name
    change(&self)
  }

  var start: State {
    var state = State()
    state.time = UInt8(moments[0])
    state.disastersLeft = mostDisasters
    for server in 0..<2 {
      state[server].isThere = true
      state[server].isPrimary = server == 0
      state[server].clock = Int8(serverClocks[server])
    }
    let clock = moments[0] + serverClocks[0]
    var data = NodeData(hasEpoch: true, timeline: 1, since: 0, high: 0, isMarked: true, hasMarker: true)
    let model = NodeModel(times: times, flaw: flaw, second: second)
    data.seen = UInt8(hostClocks.map { model.maintained(clock: clock, hostNow: moments[0] + $0) }.max() ?? 0)
    data.high = Int8(times.lastMinute(clock))
    data.hasMarker = times.minute(second) <= Int(data.high)
    state[0].data = data
    if !isUnlogged { state[1].data = data }
    return state
  }
}

extension World {
  /// In which each flaw is to be found, and no double grant without one.
  static func found(_ flaw: Flaw) -> World {
    switch flaw {
    case .noAhead: hostFarAhead
    case .noQuarantine: successorsTime
    case .floorByTheServerAlone: unloggedAheadHost
    case .commitNotOnDisk: World("a crash") { ($0.disasters, $0.mostDisasters) = ([.crashed], 1) }
    case .noMarker, .markerFirst: emptied
    case .anyMinute: shortRing
    case .maintainedByTheServersClock: clockAhead
    case .hostsClockIgnored: clockBehind
    case .noMark, .noSecondReading, .noLookUnderLock: dump
    case .newByOrder: batches
    case .newForEachCopy: oneRequest
    case .noTimeline, .noMaintenance, .noFloor, .floorWithoutTolerance, .answerBeforeCommit: usual
    }
  }

  static let usual = World("any two disasters")
  private static let successorsTime = World("a token of the successor's time") {
    $0.disasters = [.promotedWhileTheOldOneLives, .returned, .returnedRestarted]
    $0.second = 14
  }
  private static let hostFarAhead = World("a host ahead") { ($0.second, $0.hostClocks) = (14, [3, 0]) }
  private static let unloggedAheadHost = World("unlogged, clocks apart, a host ahead") {
    $0.isUnlogged = true
    ($0.second, $0.serverClocks, $0.hostClocks) = (13, [1, -1], [2, 0])
  }
  private static let emptied = World("the table is emptied") { $0.disasters.append(.emptied) }
  private static let dump = World("a dump is restored") { $0.disasters = [.dumpRestored, .promoted] }
  private static let batches = World("claims in one batch") {
    ($0.disasters, $0.hasBatches, $0.mostDisasters) = ([.dumpRestored, .emptied, .promoted], true, 1)
  }
  private static let oneRequest = World("claims of one request in one batch") {
    ($0.disasters, $0.hasBatches, $0.mostDisasters, $0.isOneRequest) = ([.dumpRestored, .emptied], true, 1, true)
  }
  private static let shortRing = World("a ring that comes round too early") { $0.times = .shortRing }
  private static let clockBehind = World("a server's clock is set back") {
    $0.disasters = [.promotedWhileTheOldOneLives, .copyPutBack, .returned, .clockSet]
    ($0.second, $0.clockStep) = (14, -4)
  }
  private static let clockAhead = World("a server's clock was ahead and is set right") {
    $0.disasters = [.promotedWhileTheOldOneLives, .returned, .clockSet]
    ($0.second, $0.mostDisasters, $0.serverClocks, $0.isUnlogged) = (14, 3, [4, 0], true)
  }

  /// Worlds in which no token may be granted twice; the short ones, if anything may happen in them, have one disaster.
  static func promised(long: Bool) -> [World] {
    let worlds = [
      usual, successorsTime, hostFarAhead, unloggedAheadHost, emptied, shortRing, clockBehind, clockAhead, dump,
      batches, oneRequest,
      World("unlogged") {
        $0.isUnlogged = true
        $0.disasters.append(.crashed)
      },
      World("clocks apart") { ($0.serverClocks, $0.hostClocks) = ([1, -1], [1, -1]) },
    ]
    return long
      ? worlds + longWorlds
      : worlds.map { world in
        var world = world
        if world.disasters.count > 5 { world.mostDisasters = 1 }
        return world
      }
  }

  private static var longWorlds: [World] {
    [
      World("any three disasters") { $0.mostDisasters = 3 },
      World("three claims") { ($0.claims, $0.mostDisasters) = (3, 1) },
      World("a server's clock is set back, three disasters") {
        $0.disasters = clockBehind.disasters
        ($0.second, $0.mostDisasters, $0.clockStep) = (14, 3, -4)
      },
      World("the standby's clock is behind") { $0.serverClocks = [0, -1] },
      World("the standby's clock is ahead") { $0.serverClocks = [0, 1] },
      World("a host far ahead, its primary ahead") { ($0.serverClocks, $0.hostClocks) = ([1, 0], [2, 0]) },
      World("unlogged, clocks apart") {
        $0.isUnlogged = true
        ($0.serverClocks, $0.hostClocks) = ([0, -1], [1, 0])
      },
      World("a token of the successor's time, and any two disasters") { $0.second = 14 },
      World("a token of the successor's time, unlogged") { ($0.second, $0.isUnlogged) = (14, true) },
      World("a token of the successor's time, clocks ahead") {
        ($0.second, $0.serverClocks, $0.hostClocks) = (15, [1, 0], [1, 0])
      },
      World("clocks apart, the primary ahead") {
        ($0.second, $0.serverClocks, $0.hostClocks) = (13, [1, -1], [2, 0])
      },
    ]
  }

  /// A double grant must be found: nothing is promised here.
  static let notPromised = [
    World("a copy younger than G is put back") { $0.disasters = [.warmingCopyPutBack] },
    World("the name goes there and back twice, and both servers live") {
      $0.disasters = [.promotedWhileTheOldOneLives, .returnedRestarted]
      ($0.second, $0.mostDisasters) = (14, 3)
    },
  ]
}
