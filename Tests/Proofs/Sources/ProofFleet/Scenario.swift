/// One small world: nodes, hosts and their clocks, the claims that are made, and what else can happen.
struct Scenario {
  struct Host {
    /// F of its policy.
    var ahead = 10
    /// Which digest it computes.
    var fleet: UInt8 = 1
    /// To which process each node's address leads it; nil: each to its own.
    var route: [Int]?
  }

  struct Try {
    let host: Int
    /// The request that it is made for; nil: a ballot of chance.
    var request: UInt8?
  }

  /// What the clocks say, one moment after the other.
  struct Moment {
    /// What is true: for the age of connections.
    let real: Int
    /// One for each host.
    let hosts: [Int]
    /// One for each process.
    let nodes: [Int]

    /// All nodes agree.
    init(_ real: Int, hosts: [Int], nodes: Int) {
      (self.real, self.hosts) = (real, hosts)
      self.nodes = Array(repeating: nodes, count: State.mostProcesses)
    }

    init(_ real: Int, hosts: [Int], nodes: [Int]) { (self.real, self.hosts, self.nodes) = (real, hosts, nodes) }
  }

  enum Disaster: Int, CaseIterable {
    /// The process starts again, without data or with an old copy.
    case restartEmpty, restartOld
    /// REPLICAOF there and back: an old copy, no data, or another node's, in the same process.
    case rolledBack, rolledBackEmpty, otherNodesData
    /// Another lineage with all data: a replica attached, or one that had everything was promoted.
    case otherLineage
    case flushed, epochLost, bucketLost
    /// The script broke off after `high` was set, before buckets were made.
    case brokeOff
  }

  let name: String
  let nodes: Int
  /// The token's issue second.
  var second = 111
  var life = 40
  var hosts = [Host(), Host()]
  let tries: [Try]
  let moments: [Moment]
  var disasters: [Disaster] = Disaster.allCases
  /// How many disasters there are at most.
  let most: UInt8
  /// How many hosts are killed at most.
  var crashes: UInt8 = 0
  /// Whether nodes write a copy of their data at any time; there is one from the start, from before the token.
  var saves = false
  /// Whether claims end at their deadline, and their ballots are kept.
  var keeps = false
  /// Whether a reply may be read later than others.
  var delays = false
  /// Whether hosts remember what nodes showed them.
  var remembers = true
  /// For how long a request may be repeated, in seconds.
  var window = 0
  /// The issue seconds of other tokens.
  var others: [Int] = []
  /// Whether the last node's address is moved to another process at some time, and for how long a connection is used:
  /// 5 s, and the longest deadline.
  var moves = false
  var connectionAge: Int? = 6
  /// Whether it may be moved back while the first process lives.
  var returns = false
  /// Whether no node has an epoch at the start, and an operator who saw that initialises them fresh, at any time and any number of times.
  var initialises = false
  /// Whether starts of nodes that have an epoch are made, for the buckets: it is off where that makes states of one kind by millions.
  var makesBuckets = true
  /// A clock that shows this, or later, is wrong; nil: no one's is known to be.
  var far: Int?
  /// In which moments disasters happen, one after the other; nil: in any.
  var disasterMoments: [UInt8]?
  /// Whether the last node lies: it answers *new* to everyone, and its clock shows anything.
  var hasLiar = false
  var honestNodes: Int { hasLiar ? nodes - 1 : nodes }
  /// The clocks that may raise a floor: where a host and a node are far ahead together, both.
  func honestClocks(in moment: Moment) -> [Int] {
    let nodes = moment.nodes.prefix(honestNodes)
    guard let far else { return moment.hosts + nodes }
    let agree = moment.hosts.contains { $0 >= far } && nodes.contains { $0 >= far }
    return (moment.hosts + nodes).filter { $0 < far || agree }
  }
  /// Whether nodes differ in nothing but their numbers; of a liar that is not asked.
  var isSymmetric: Bool
  var flaw: Flaw?

  init(
    _ name: String, nodes: Int, tries: [Try], moments: [Moment], most: UInt8, isSymmetric: Bool = true,
    _ change: (inout Scenario) -> Void = { _ in }
  ) {
    (self.name, self.nodes, self.tries, self.moments, self.most) = (name, nodes, tries, moments, most)
    self.isSymmetric = isSymmetric
    change(&self)
    precondition(tries.count <= State.mostClaims && hosts.count <= 2 && nodes <= State.mostProcesses)
  }

  var start: State {
    var state = State()
    state.disastersLeft = most
    state.crashesLeft = crashes
    for node in 0..<nodes {
      var data = NodeData()
      (data.hasEpoch, data.epochIsOfNow) = (true, true)
      (data.node, data.fleet, data.from, data.high) = (UInt8(node + 1), 1, 10, 20)
      state.processes[node] = initialises ? Process(isAsSeen: true) : Process(data: data, hasCopy: true, copy: data)
    }
    return state
  }
}

/// A rule of the scripts or the host that is left out. Those of the tally are patches of the real one, next to `run`.
enum Flaw: String, CaseIterable {
  case ownerIgnored, ownerIsProcess, ownerIsConstant, adoptedData
  case noFloor, floorWithoutTolerance, floorForTrueClocks, floorUnderOldHigh, floorByNodeAlone, floorByHostAlone
  case noAhead, bucketMadeAgain, unspend, nodesWithoutNumber, fleetsWithoutDigest, keptBallotShared
  case startMakesBucketsAgain, freshAfterALoss
  case floorByOtherNodes, ownClockAlways, neverForgets, farFloor, forgetsAfterALoss, forgetsLostEpochs

  var harm: Violation {
    switch self {
    case .floorByOtherNodes, .ownClockAlways, .neverForgets: .barred
    case .farFloor: .poisoned
    default: .doubleGrant
    }
  }
}
