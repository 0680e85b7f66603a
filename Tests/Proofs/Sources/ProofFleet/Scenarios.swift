extension Scenario {
  private static let a = Try(host: 0)
  private static let b = Try(host: 1)
  private static let still = [Moment(0, hosts: [111, 111], seats: 111)]

  /// The tightest clocks. A seat votes for what is issued at most F + 5 = 15 s after its own, and host 1 is ahead enough to ask
  /// for it; host 2's clock is as far behind as a birth allows. Later all reach the token.
  private static let course = [
    Moment(0, hosts: [101, 91], seats: 96), Moment(5, hosts: [106, 96], seats: 101),
    Moment(15, hosts: [116, 106], seats: 111),
  ]

  /// Small worlds, in which every flaw is to be found.
  static var small: [Scenario] {
    oneSeat + [
      Scenario("three seats", seats: 3, tries: [a, b], moments: course, most: 1),
      Scenario("three seats, kept ballots", seats: 3, tries: [a, a, b], moments: still, most: 0) {
        $0.keeps = true
      },
      Scenario(
        "three seats, host 2 is led to one process by all addresses", seats: 3, tries: [a, b], moments: still,
        most: 1, isSymmetric: false
      ) { $0.hosts[1].route = [2, 2, 2] },
      twoPolicies(seats: 1, [.restartOld, .rolledBack, .otherLineage, .bucketLost]),
      founded(seats: 1, most: 2, markedLosses),
    ]
  }

  private static var oneSeat: [Scenario] {
    let repeated = [Try(host: 0, request: 1), Try(host: 1, request: 1), b]
    return [
      Scenario("one seat", seats: 1, tries: [a, b], moments: course, most: 2) {
        $0.saves = true
        $0.others = [109, 113]
      },
      Scenario("one seat, a host far ahead", seats: 1, tries: [a, b], moments: farAhead, most: 1) {
        $0.second = 140
      },
      Scenario("one seat, its clock goes back by 5 s", seats: 1, tries: [a, b], moments: littleBack, most: 2),
      Scenario("one seat, its clock goes back, its hosts' do not", seats: 1, tries: [a, b], moments: back, most: 2)
      {
        $0.second = 116
        $0.others = [115, 117]
      },
      Scenario("one seat, all clocks go back, its data stay", seats: 1, tries: [a, b], moments: allBack, most: 2) {
        $0.disasters = [.otherLineage, .bucketLost]
        $0.remembers = false
        $0.second = 105
      },
      Scenario("one seat, all clocks go back, hosts remember", seats: 1, tries: [a, b], moments: allBack, most: 2) {
        $0.second = 105
      },
      Scenario("one seat, kept ballots", seats: 1, tries: [a, a, b], moments: course, most: 1) {
        $0.keeps = true
        $0.crashes = 1
      },
      Scenario("one seat, a request that is repeated", seats: 1, tries: repeated, moments: course, most: 1) {
        $0.window = 8
      },
    ]
  }

  private static let farAhead = [
    Moment(0, hosts: [130, 96], seats: 96), Moment(44, hosts: [174, 140], seats: 140),
  ]
  private static let littleBack = [
    Moment(0, hosts: [101, 86], seats: 96), Moment(0, hosts: [101, 86], seats: 91),
    Moment(25, hosts: [126, 111], seats: 116),
  ]
  private static let back = [
    Moment(0, hosts: [106, 98], seats: 101), Moment(0, hosts: [106, 98], seats: 93),
    Moment(20, hosts: [126, 118], seats: 113),
  ]
  /// Of the seats the first two find the token too far ahead, until later.
  private static let apart = [
    Moment(0, hosts: [108, 94], seats: [96, 99, 102]), Moment(4, hosts: [112, 98], seats: [100, 103, 106]),
    Moment(17, hosts: [125, 111], seats: [113, 116, 119]),
  ]
  private static let allBack = [
    Moment(0, hosts: [101, 100], seats: 101), Moment(1, hosts: [80, 80], seats: 80),
    Moment(36, hosts: [115, 115], seats: 115),
  ]

  /// Host 2 tolerates nothing of the future, and so computes another digest.
  private static func twoPolicies(seats: Int, _ disasters: [Disaster], most: UInt8 = 1) -> Scenario {
    let what =
      disasters.count == Disaster.allCases.count ? "any" : disasters.map { "\($0)" }.joined(separator: ", ")
    let name = "\(seats) seat\(seats == 1 ? "" : "s"), two policies, disasters: \(what)"
    let moments = [Moment(0, hosts: [101, 96], seats: 96), Moment(15, hosts: [116, 111], seats: 111)]
    return Scenario(name, seats: seats, tries: [a, b], moments: moments, most: most) {
      $0.hosts[1].ahead = 0
      $0.hosts[1].fleet = 2
      $0.disasters = disasters
    }
  }

  /// An address that moves; the old process still votes when its last connection is as old as it may be.
  private static func moved(seats: Int, most: UInt8) -> Scenario {
    let moments = [
      Moment(0, hosts: [96, 91], seats: 91), Moment(6, hosts: [102, 97], seats: 97),
      Moment(22, hosts: [118, 113], seats: 113),
    ]
    return Scenario(
      "\(seats) seats, an address that moves, disasters: \(most)", seats: seats, tries: [a, b], moments: moments,
      most: most, isSymmetric: false
    ) {
      $0.moves = true
      $0.makesBuckets = seats == 3
      $0.second = 112
    }
  }

  /// An address that leads to two processes for good.
  private static func split(seats: Int, most: UInt8) -> Scenario {
    let moments = [Moment(0, hosts: [80, 80], seats: 80), Moment(20, hosts: [100, 100], seats: 100)]
    return Scenario(
      "\(seats) seats, one of them two processes for good, disasters: \(most)", seats: seats, tries: [a, b],
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

  /// Seats without an epoch, which an operator saw, and founds fresh.
  private static func founded(seats: Int, most: UInt8, _ disasters: [Disaster]) -> Scenario {
    let what = disasters == markedLosses ? "marked" : disasters.map { "\($0)" }.joined(separator: ", ")
    return Scenario(
      "\(seats) seat\(seats == 1 ? "" : "s"), founded fresh, disasters: \(most), \(what)", seats: seats,
      tries: [a, b], moments: course,
      most: most
    ) {
      $0.founds = true
      $0.disasters = disasters
    }
  }

  /// The last seat answers *new* to everyone, and for a while its clock shows a far day.
  static func lying(seats: Int, most: UInt8) -> Scenario {
    let moments = course.enumerated().map { index, moment in
      let honest = Array(repeating: moment.seats[0], count: seats - 1)
      return Moment(moment.real, hosts: moment.hosts, seats: honest + [index == 1 ? 220 : moment.seats[0]])
    }
    return Scenario(
      "\(seats) seats, one of them lies, disasters: \(most)", seats: seats, tries: [a, b], moments: moments,
      most: most
    ) {
      $0.hasLiar = true
      $0.far = 200
    }
  }

  /// An address that moves to another process and back, which all hosts follow at once.
  private static var thereAndBack: Scenario {
    let moments = [
      Moment(0, hosts: [80, 80], seats: 80), Moment(20, hosts: [100, 100], seats: 100),
      Moment(27, hosts: [107, 107], seats: 107),
    ]
    return Scenario(
      "3 seats, an address that moves there and back", seats: 3, tries: [a, b], moments: moments, most: 0,
      isSymmetric: false
    ) {
      ($0.moves, $0.returns, $0.connectionAge) = (true, true, 0)
      $0.second = 105
    }
  }

  /// Clocks that are far ahead for a while, or go far back.
  static var clocks: [Scenario] {
    [
      clockAhead("a host's clock is", hosts: [220, 96], seats: 101),
      clockAhead("a seat's clock is", hosts: [106, 96], seats: 220),
      clockAhead("a host's clock and the seat's are", hosts: [220, 96], seats: 220),
      Scenario(
        "one seat, its data are lost and all clocks go back by more than a minute", seats: 1, tries: [a, b],
        moments: farBack, most: 1
      ) {
        $0.second = 192
        $0.disasterMoments = [0]
      },
      Scenario(
        "one seat, its data are lost and all clocks go back by a minute, and both again", seats: 1, tries: [a, b],
        moments: [
          farBack[0], Moment(0, hosts: [135, 135], seats: 135), Moment(5, hosts: [125, 125], seats: 125),
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
  private static func clockAhead(_ whose: String, hosts: [Int], seats: Int) -> Scenario {
    let moments = [course[0], Moment(5, hosts: hosts, seats: seats), course[2]]
    return Scenario("one seat, \(whose) far ahead for a while", seats: 1, tries: [a, b], moments: moments, most: 2)
    {
      $0.far = 200
    }
  }

  private static let farBack = [
    Moment(0, hosts: [190, 190], seats: 190), Moment(0, hosts: [120, 120], seats: 120),
    Moment(65, hosts: [185, 185], seats: 185),
  ]

  /// Worlds in which no token may be granted twice.
  static func promised(long: Bool) -> [Scenario] {
    let repeated = [Try(host: 0, request: 1), Try(host: 1, request: 1), b]
    let worlds = [
      Scenario("one seat, three claims, late replies", seats: 1, tries: [a, b, b], moments: course, most: 2) {
        $0.delays = true
        $0.crashes = 1
      },
      Scenario("three seats, clocks apart", seats: 3, tries: [a, b], moments: apart, most: 1, isSymmetric: false) {
        $0.second = 115
        $0.others = [114]
      },
      Scenario("three seats, late replies", seats: 3, tries: [a, b], moments: still, most: 1) { $0.delays = true },
      Scenario("three seats, kept ballots and a disaster", seats: 3, tries: [a, a, b], moments: still, most: 1) {
        $0.keeps = true
      },
      Scenario("three seats, a request that is repeated", seats: 3, tries: repeated, moments: still, most: 1) {
        $0.window = 8
      },
      twoPolicies(seats: 3, Disaster.allCases),
      moved(seats: 3, most: 0),
      moved(seats: 4, most: 0),
      split(seats: 4, most: 0),
      lying(seats: 4, most: 1),
      founded(seats: 3, most: 1, markedLosses),
    ]
    // No flaw is found in these alone.
    let larger = [
      Scenario("three seats, two disasters", seats: 3, tries: [a, b], moments: course, most: 2),
      Scenario("three seats, three claims", seats: 3, tries: [a, b, b], moments: course, most: 1),
      Scenario("four seats", seats: 4, tries: [a, b], moments: course, most: 1),
      Scenario("three seats, three claims, two disasters", seats: 3, tries: [a, b, b], moments: course, most: 2),
      Scenario("three seats, three disasters", seats: 3, tries: [a, b], moments: course, most: 3),
      Scenario("three seats, saved at any time", seats: 3, tries: [a, b], moments: course, most: 1) {
        $0.saves = true
      },
      Scenario(
        "three seats, a request that is repeated, later", seats: 3, tries: repeated, moments: course, most: 1
      ) {
        $0.window = 8
      },
      moved(seats: 3, most: 1),
      Scenario("four seats, two disasters", seats: 4, tries: [a, b], moments: course, most: 2),
      split(seats: 4, most: 1),
      Scenario("five seats", seats: 5, tries: [a, b], moments: course, most: 1),
    ]
    return small + clocks + worlds + (long ? larger : [])
  }

  /// Worlds in which a token is granted twice: `FleetProtocol` does not promise otherwise.
  static var notPromised: [Scenario] {
    [
      Scenario(
        "one seat and all clocks that its birth knows go back", seats: 1, tries: [a, b], moments: allBack, most: 1
      ) {
        $0.remembers = false
        $0.second = 105
      },
      Scenario(
        "one seat, all clocks go back by more than a minute, then its data are lost", seats: 1, tries: [a, b],
        moments: farBack, most: 1
      ) { $0.second = 192 },
      split(seats: 3, most: 0),
      lying(seats: 3, most: 0),
      thereAndBack,
      founded(seats: 1, most: 1, [.flushed]),
      twoPolicies(seats: 1, [.restartEmpty]),
    ]
  }
}
