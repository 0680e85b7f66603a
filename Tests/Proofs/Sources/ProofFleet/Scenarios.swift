extension Scenario {
  private static let a = Try(host: 0)
  private static let b = Try(host: 1)
  private static let still = [Moment(0, hosts: [111, 111], nodes: 111)]

  /// The tightest clocks. A node votes for what is issued at most F + 5 = 15 s after its own, and host 1 is ahead enough to ask
  /// for it; host 2's clock is as far behind as a start allows. Later all reach the token.
  private static let course = [
    Moment(0, hosts: [101, 91], nodes: 96), Moment(5, hosts: [106, 96], nodes: 101),
    Moment(15, hosts: [116, 106], nodes: 111),
  ]

  /// Small worlds, in which every flaw is to be found.
  static var small: [Scenario] {
    oneNode + [
      Scenario("three nodes", nodes: 3, tries: [a, b], moments: course, most: 1),
      Scenario("three nodes, kept ballots", nodes: 3, tries: [a, a, b], moments: still, most: 0) {
        $0.keeps = true
      },
      Scenario(
        "three nodes, host 2 is led to one process by all addresses", nodes: 3, tries: [a, b], moments: still,
        most: 1, isSymmetric: false
      ) { $0.hosts[1].route = [2, 2, 2] },
      twoPolicies(nodes: 1, [.restartOld, .rolledBack, .otherLineage, .bucketLost]),
      initialised(nodes: 1, most: 2, markedLosses),
    ]
  }

  private static var oneNode: [Scenario] {
    let repeated = [Try(host: 0, request: 1), Try(host: 1, request: 1), b]
    return [
      Scenario("one node", nodes: 1, tries: [a, b], moments: course, most: 2) {
        $0.saves = true
        $0.others = [109, 113]
      },
      Scenario("one node, a host far ahead", nodes: 1, tries: [a, b], moments: farAhead, most: 1) {
        $0.second = 140
      },
      Scenario("one node, its clock goes back by 5 s", nodes: 1, tries: [a, b], moments: littleBack, most: 2),
      Scenario("one node, its clock goes back, its hosts' do not", nodes: 1, tries: [a, b], moments: back, most: 2)
      {
        $0.second = 116
        $0.others = [115, 117]
      },
      Scenario("one node, all clocks go back, its data stay", nodes: 1, tries: [a, b], moments: allBack, most: 2) {
        $0.disasters = [.otherLineage, .bucketLost]
        $0.remembers = false
        $0.second = 105
      },
      Scenario("one node, all clocks go back, hosts remember", nodes: 1, tries: [a, b], moments: allBack, most: 2) {
        $0.second = 105
      },
      Scenario("one node, kept ballots", nodes: 1, tries: [a, a, b], moments: course, most: 1) {
        $0.keeps = true
        $0.crashes = 1
      },
      Scenario("one node, a request that is repeated", nodes: 1, tries: repeated, moments: course, most: 1) {
        $0.window = 8
      },
    ]
  }

  private static let farAhead = [
    Moment(0, hosts: [130, 96], nodes: 96), Moment(44, hosts: [174, 140], nodes: 140),
  ]
  private static let littleBack = [
    Moment(0, hosts: [101, 86], nodes: 96), Moment(0, hosts: [101, 86], nodes: 91),
    Moment(25, hosts: [126, 111], nodes: 116),
  ]
  private static let back = [
    Moment(0, hosts: [106, 98], nodes: 101), Moment(0, hosts: [106, 98], nodes: 93),
    Moment(20, hosts: [126, 118], nodes: 113),
  ]
  /// Of the nodes the first two find the token too far ahead, until later.
  private static let apart = [
    Moment(0, hosts: [108, 94], nodes: [96, 99, 102]), Moment(4, hosts: [112, 98], nodes: [100, 103, 106]),
    Moment(17, hosts: [125, 111], nodes: [113, 116, 119]),
  ]
  private static let allBack = [
    Moment(0, hosts: [101, 100], nodes: 101), Moment(1, hosts: [80, 80], nodes: 80),
    Moment(36, hosts: [115, 115], nodes: 115),
  ]

  /// Host 2 tolerates nothing of the future, and so computes another digest.
  private static func twoPolicies(nodes: Int, _ disasters: [Disaster], most: UInt8 = 1) -> Scenario {
    let what =
      disasters.count == Disaster.allCases.count ? "any" : disasters.map { "\($0)" }.joined(separator: ", ")
    let name = "\(nodes) node\(nodes == 1 ? "" : "s"), two policies, disasters: \(what)"
    let moments = [Moment(0, hosts: [101, 96], nodes: 96), Moment(15, hosts: [116, 111], nodes: 111)]
    return Scenario(name, nodes: nodes, tries: [a, b], moments: moments, most: most) {
      $0.hosts[1].ahead = 0
      $0.hosts[1].fleet = 2
      $0.disasters = disasters
    }
  }

  /// An address that moves; the old process still votes when its last connection is as old as it may be.
  private static func moved(nodes: Int, most: UInt8) -> Scenario {
    let moments = [
      Moment(0, hosts: [96, 91], nodes: 91), Moment(6, hosts: [102, 97], nodes: 97),
      Moment(22, hosts: [118, 113], nodes: 113),
    ]
    return Scenario(
      "\(nodes) nodes, an address that moves, disasters: \(most)", nodes: nodes, tries: [a, b], moments: moments,
      most: most, isSymmetric: false
    ) {
      $0.moves = true
      $0.makesBuckets = nodes == 3
      $0.second = 112
    }
  }

  /// An address that leads to two processes for good.
  private static func split(nodes: Int, most: UInt8) -> Scenario {
    let moments = [Moment(0, hosts: [80, 80], nodes: 80), Moment(20, hosts: [100, 100], nodes: 100)]
    return Scenario(
      "\(nodes) nodes, one of them two processes for good, disasters: \(most)", nodes: nodes, tries: [a, b],
      moments: moments, most: most,
      isSymmetric: false
    ) {
      $0.moves = true
      $0.connectionAge = nil
      $0.second = 105
    }
  }

  /// Losses that change the marker of the data, and those that an epoch survives.
  private static let markedLosses = Disaster.allCases.filter { $0 != .flushed && $0 != .epochLost }

  /// Nodes without an epoch, which an operator saw, and initialises fresh.
  private static func initialised(nodes: Int, most: UInt8, _ disasters: [Disaster]) -> Scenario {
    let what = disasters == markedLosses ? "marked" : disasters.map { "\($0)" }.joined(separator: ", ")
    return Scenario(
      "\(nodes) node\(nodes == 1 ? "" : "s"), initialised fresh, disasters: \(most), \(what)", nodes: nodes,
      tries: [a, b], moments: course,
      most: most
    ) {
      $0.initialises = true
      $0.disasters = disasters
    }
  }

  /// The last node answers *new* to everyone, and for a while its clock shows a far day.
  static func lying(nodes: Int, most: UInt8) -> Scenario {
    let moments = course.enumerated().map { index, moment in
      let honest = Array(repeating: moment.nodes[0], count: nodes - 1)
      return Moment(moment.real, hosts: moment.hosts, nodes: honest + [index == 1 ? 220 : moment.nodes[0]])
    }
    return Scenario(
      "\(nodes) nodes, one of them lies, disasters: \(most)", nodes: nodes, tries: [a, b], moments: moments,
      most: most
    ) {
      $0.hasLiar = true
      $0.far = 200
    }
  }

  /// An address that moves to another process and back, which all hosts follow at once.
  private static var thereAndBack: Scenario {
    let moments = [
      Moment(0, hosts: [80, 80], nodes: 80), Moment(20, hosts: [100, 100], nodes: 100),
      Moment(27, hosts: [107, 107], nodes: 107),
    ]
    return Scenario(
      "3 nodes, an address that moves there and back", nodes: 3, tries: [a, b], moments: moments, most: 0,
      isSymmetric: false
    ) {
      ($0.moves, $0.returns, $0.connectionAge) = (true, true, 0)
      $0.second = 105
    }
  }

  /// Clocks that are far ahead for a while, or go far back.
  static var clocks: [Scenario] {
    [
      clockAhead("a host's clock is", hosts: [220, 96], nodes: 101),
      clockAhead("a node's clock is", hosts: [106, 96], nodes: 220),
      clockAhead("a host's clock and the node's are", hosts: [220, 96], nodes: 220),
      Scenario(
        "one node, its data are lost and all clocks go back by more than a minute", nodes: 1, tries: [a, b],
        moments: farBack, most: 1
      ) {
        $0.second = 192
        $0.disasterMoments = [0]
      },
      Scenario(
        "one node, its data are lost and all clocks go back by a minute, and both again", nodes: 1, tries: [a, b],
        moments: [
          farBack[0], Moment(0, hosts: [135, 135], nodes: 135), Moment(5, hosts: [125, 125], nodes: 125),
          farBack[2],
        ],
        most: 2
      ) {
        $0.second = 192
        $0.disasters = [.restartEmpty, .rolledBackEmpty, .otherLineage, .flushed, .epochLost]
        $0.disasterMoments = [0, 2]
      },
    ]
  }

  /// In the second moment clocks are wrong.
  private static func clockAhead(_ whose: String, hosts: [Int], nodes: Int) -> Scenario {
    let moments = [course[0], Moment(5, hosts: hosts, nodes: nodes), course[2]]
    return Scenario("one node, \(whose) far ahead for a while", nodes: 1, tries: [a, b], moments: moments, most: 2)
    {
      $0.far = 200
    }
  }

  private static let farBack = [
    Moment(0, hosts: [190, 190], nodes: 190), Moment(0, hosts: [120, 120], nodes: 120),
    Moment(65, hosts: [185, 185], nodes: 185),
  ]

  /// Worlds in which no token may be granted twice.
  static func promised(long: Bool) -> [Scenario] {
    let repeated = [Try(host: 0, request: 1), Try(host: 1, request: 1), b]
    let worlds = [
      Scenario("one node, three claims, late replies", nodes: 1, tries: [a, b, b], moments: course, most: 2) {
        $0.delays = true
        $0.crashes = 1
      },
      Scenario("three nodes, clocks apart", nodes: 3, tries: [a, b], moments: apart, most: 1, isSymmetric: false) {
        $0.second = 115
        $0.others = [114]
      },
      Scenario("three nodes, late replies", nodes: 3, tries: [a, b], moments: still, most: 1) { $0.delays = true },
      Scenario("three nodes, kept ballots and a disaster", nodes: 3, tries: [a, a, b], moments: still, most: 1) {
        $0.keeps = true
      },
      Scenario("three nodes, a request that is repeated", nodes: 3, tries: repeated, moments: still, most: 1) {
        $0.window = 8
      },
      twoPolicies(nodes: 3, Disaster.allCases),
      moved(nodes: 3, most: 0),
      moved(nodes: 4, most: 0),
      split(nodes: 4, most: 0),
      lying(nodes: 4, most: 1),
      initialised(nodes: 3, most: 1, markedLosses),
    ]
    // No flaw is found in these alone.
    let larger = [
      Scenario("three nodes, three claims, two disasters", nodes: 3, tries: [a, b, b], moments: course, most: 2),
      Scenario("three nodes, three disasters", nodes: 3, tries: [a, b], moments: course, most: 3),
      Scenario("three nodes, saved at any time", nodes: 3, tries: [a, b], moments: course, most: 1) {
        $0.saves = true
      },
      Scenario(
        "three nodes, a request that is repeated, later", nodes: 3, tries: repeated, moments: course, most: 1
      ) {
        $0.window = 8
      },
      moved(nodes: 3, most: 1),
      Scenario("four nodes, two disasters", nodes: 4, tries: [a, b], moments: course, most: 2),
      split(nodes: 4, most: 1),
      Scenario("five nodes", nodes: 5, tries: [a, b], moments: course, most: 1),
    ]
    return small + clocks + worlds + (long ? larger : [])
  }

  /// Worlds in which a token is granted twice: `FleetProtocol` does not promise otherwise.
  static var notPromised: [Scenario] {
    [
      Scenario(
        "one node and all clocks that its start knows go back", nodes: 1, tries: [a, b], moments: allBack, most: 1
      ) {
        $0.remembers = false
        $0.second = 105
      },
      Scenario(
        "one node, all clocks go back by more than a minute, then its data are lost", nodes: 1, tries: [a, b],
        moments: farBack, most: 1
      ) { $0.second = 192 },
      split(nodes: 3, most: 0),
      lying(nodes: 3, most: 0),
      thereAndBack,
      initialised(nodes: 1, most: 1, [.flushed]),
      twoPolicies(nodes: 1, [.restartEmpty]),
    ]
  }
}
