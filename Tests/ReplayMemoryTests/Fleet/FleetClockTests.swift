import MediaTokenSystem
import Testing

@testable import MediaToken

@Suite struct FleetClockTests {
  /// The host's clock, which a test sets.
  private let host = Monitor(Int64(1000))
  private let clock: FleetClock

  init() {
    let host = host
    clock = FleetClock { Instant(millisecondsSinceEpoch: host.current * 1000) }
  }

  private static func epoch(_ from: Int64, _ process: String = "a") -> EpochMark {
    EpochMark(process: process, from: from)
  }

  /// What happens at one node, and to its host.
  enum Step: Sendable {
    /// The host's clock is set.
    case host(Int64)
    /// The node answers claims, under the epoch with this floor.
    case answers(Int64, epoch: Int64)
    /// It shows that this is its epoch. By how much it was ahead, if that is forgotten.
    case shows(Int64, epoch: Int64, forgets: Int64? = nil)
    /// The same address leads to another process, whose epoch has the same floor.
    case otherProcess(Int64, epoch: Int64)
  }

  private func take(_ steps: [Step], node: Int) {
    for step in steps {
      switch step {
      case .host(let second): host.exchange(for: second)
      case .answers(let second, let from):
        clock.note(second: second, ofNode: node, in: Self.epoch(from), askedAgo: 0)
      case .shows(let second, let from, let forgets):
        let shown = clock.note(second: second, ofNode: node, showing: Self.epoch(from), askedAgo: 0)
        #expect(shown.setBack == forgets)
      case .otherProcess(let second, let from):
        _ = clock.note(second: second, ofNode: node, showing: Self.epoch(from, "b"), askedAgo: 0)
      }
    }
  }

  @Test(
    arguments: [
      // The host's clock alone, however long it was ahead.
      (
        "a host that was ahead", [.shows(1000, epoch: 5), .host(90_000), .answers(1003, epoch: 5), .host(1010)],
        1010
      ),
      ("a host that is just not near enough", [.host(1006), .shows(1000, epoch: 5), .host(990)], 1000),
      ("a host that is near enough", [.host(1005), .shows(1000, epoch: 5), .host(990)], 1005),
      (
        "a host that is near, and claims",
        [.host(1004), .shows(1000, epoch: 5), .host(1008), .answers(1004, epoch: 5), .host(990)], 1008
      ),
      ("a node ahead", [.shows(1060, epoch: 5)], 1060),
      // A minute counts, more is forgotten while the node has its data.
      ("a node back by a minute", [.shows(1060, epoch: 5), .shows(1000, epoch: 5)], 1060),
      ("a node back by more", [.shows(1061, epoch: 5), .shows(1000, epoch: 5, forgets: 61)], 1000),
      (
        "a node back by more in answers to claims",
        [.shows(1000, epoch: 5), .answers(90_000, epoch: 5), .answers(1000, epoch: 5)], 90_000
      ),
      (
        "that is forgotten once the epoch is shown",
        [.shows(1000, epoch: 5), .answers(90_000, epoch: 5), .shows(1001, epoch: 5, forgets: 88_999)], 1001
      ),
      (
        "host and node together",
        [.host(90_000), .shows(90_002, epoch: 5), .host(1000), .shows(1000, epoch: 5, forgets: 89_002)], 1000
      ),
      // What another epoch has shown stays.
      ("a lost epoch", [.shows(90_000, epoch: 5), .shows(1000, epoch: 1072)], 90_000),
      (
        "a lost epoch, later", [.shows(90_000, epoch: 5), .shows(1000, epoch: 1072), .shows(1001, epoch: 1072)],
        90_000
      ),
      (
        "another process",
        [.shows(90_000, epoch: 5), .otherProcess(1000, epoch: 5), .otherProcess(1001, epoch: 5)], 90_000
      ),
      (
        "a late answer of a lost epoch",
        [.shows(1000, epoch: 5), .shows(1000, epoch: 1072), .answers(90_000, epoch: 5), .shows(1001, epoch: 1072)],
        90_000
      ),
      (
        "the epoch after a loss",
        [.shows(2000, epoch: 5), .shows(90_000, epoch: 2072), .shows(1000, epoch: 2072, forgets: 89_000)], 2000
      ),
    ] as [(String, [Step], Int64)])
  func `the highest second of a node is what it showed and the host's clock confirmed`(
    what: String, steps: [Step], highest: Int64
  ) {
    take(steps, node: 2)
    #expect(clock.highestSecond(ofNode: 2) == highest)
    // Other nodes know nothing of it.
    for other in [1, 3, 4, 5, 6, 7] {
      #expect(clock.highestSecond(ofNode: other) == FleetClock.secondRoundedUp(clock.now()))
    }
  }

  @Test func `a start is given no less than the host's clock, rounded up`() {
    let clock = FleetClock { Instant(millisecondsSinceEpoch: 5_001) }
    #expect((1...7).map { clock.highestSecond(ofNode: $0) } == Array(repeating: 6, count: 7))
  }

  @Test(
    arguments: [
      (1006, 0, NodeRefusal.clock(offsetSeconds: 6)), (994, 0, .clock(offsetSeconds: -6)),
      (1000, 0, .clockWasAhead(seconds: 500)),
      // The later one of both clocks.
      (1003, 0, .clockWasAhead(seconds: 497)), (997, 0, .clockWasAhead(seconds: 500)),
      // On its way for ten seconds, it may have been in time.
      (994, 10, .clockWasAhead(seconds: 500)),
    ] as [(Int64, UInt64, NodeRefusal)])
  func `why a node began no epoch`(second: Int64, elapsed: UInt64, refusal: NodeRefusal) {
    _ = clock.note(second: 1500, ofNode: 1, showing: Self.epoch(5), askedAgo: 0)
    #expect(clock.startRefusal(at: second, ofNode: 1, askedAgo: elapsed * 1_000_000_000) == refusal)
  }

  @Test func `a start that was on its way for too long is no sign of wrong clocks`() {
    _ = clock.note(second: 1060, ofNode: 1, showing: Self.epoch(5), askedAgo: 0)
    #expect(clock.startRefusal(at: 1000, ofNode: 1, askedAgo: 0) == nil)
    #expect(clock.startRefusal(at: 994, ofNode: 2, askedAgo: 10_000_000_000) == nil)
  }

  @Test func `a node's clock is off by what the time since it was asked does not explain`() {
    let clock = FleetClock { Instant(millisecondsSinceEpoch: 100_900) }
    #expect([99, 100, 101, 120].map { clock.offset(of: $0, askedAgo: 0) } == [-1, 0, 1, 20])
    #expect([96, 97, 100, 101].map { clock.offset(of: $0, askedAgo: 3_000_000_000) } == [-1, 0, 0, 1])
    #expect(clock.offset(of: 1, askedAgo: .max) == 0)
  }
}
