import MediaTokenSystem
import Testing

@testable import MediaToken

@Suite struct SeatHealthTests {
  private let health: FleetHealth
  private var seats: [SeatRecord] { health.records }
  private static let second: UInt64 = 1_000_000_000

  init() throws { health = FleetHealth(try FleetAddress(redis: "test@a:1,b:1,c:1")) }

  private static func handshake(_ process: String, from: Int64 = 0, isBorn: Bool = false) -> HandshakeResult {
    HandshakeResult(from: from, clockOffsetSeconds: 1, isBorn: isBorn, process: process, timeline: nil)
  }

  private func open(_ seat: Int, from: Int64 = 0, isBorn: Bool = false) {
    #expect(seats[seat - 1].connectionOpened(Self.handshake("process \(seat)", from: from, isBorn: isBorn)) == nil)
  }

  private func state(_ seat: Int, at second: Int64 = 0) -> SeatState { seats[seat - 1].reading(at: second).state }

  // MARK: states

  @Test func `a seat is down until a connection is open, and again when all are closed`() {
    #expect(state(1) == .down)
    open(1)
    open(1)
    #expect(state(1) == .voting)
    seats[0].connectionClosed()
    #expect(state(1) == .voting)
    seats[0].connectionClosed()
    #expect(state(1) == .down)
    #expect(state(2) == .down)
  }

  @Test func `a seat is young until its floor has come`() {
    open(1, from: 100)
    #expect(state(1, at: 99) == .young)
    #expect(state(1, at: 100) == .voting)
    seats[0].learned(Self.handshake("process 1", from: 200, isBorn: true))
    #expect(state(1, at: 199) == .young)
    #expect(seats[0].reading(at: 0).vouchesFrom == 200)
    #expect(seats[0].reading(at: 0).clockOffsetSeconds == 1)
  }

  @Test
  func `how long a database was left alone is known from its first attendance in an epoch on, by its own clock`() {
    func attended(at second: Int64) -> Int64? { seats[0].reading(at: second).attendedSeconds }
    open(1)
    #expect(attended(at: 100) == nil)
    seats[0].attended(at: 99)
    // Its clock is a second ahead.
    #expect(attended(at: 100) == 2)
    #expect(attended(at: 130) == 32)
    #expect(attended(at: 90) == 0)
    open(1)
    #expect(attended(at: 130) == 32)
    open(1, from: 200, isBorn: true)
    #expect(attended(at: 130) == nil)
    #expect(seats[0].reading(at: nil).attendedSeconds == nil)
  }

  @Test func `a seat that may not be asked is refused until a connection is good`() {
    seats[0].refused(.replica)
    #expect(state(1) == .refused)
    open(1)
    #expect(state(1) == .voting)
    seats[0].refused(.otherFleet)
    #expect(state(1) == .refused)
    seats[0].connectionClosed()
    #expect(state(1) == .refused)
  }

  @Test func `a seat whose clock is off is not born, or refused if it was`() {
    seats[0].refused(.clock(offsetSeconds: -7))
    #expect(state(1) == .unborn && seats[0].reading(at: 0).clockOffsetSeconds == -7)
    open(1)
    #expect(state(1) == .voting && seats[0].reading(at: 0).clockOffsetSeconds == 1)
    seats[0].refused(.clock(offsetSeconds: 7))
    #expect(state(1) == .refused && seats[0].reading(at: 0).clockOffsetSeconds == 7)
  }

  @Test func `one process is not two seats`() {
    #expect(seats[0].connectionOpened(Self.handshake("same")) == nil)
    #expect(seats[1].connectionOpened(Self.handshake("same")) == .sameProcess(asSeat: 1))
    #expect(state(2) == .refused)
    // Its own second connection is not another seat's.
    #expect(seats[0].connectionOpened(Self.handshake("same")) == nil)
    seats[0].connectionClosed()
    #expect(seats[1].connectionOpened(Self.handshake("same")) == .sameProcess(asSeat: 1))
    // When no connection of the one leads there any more, the other may.
    seats[0].connectionClosed()
    #expect(seats[1].connectionOpened(Self.handshake("same")) == nil)
    #expect(state(2) == .voting)
  }

  // MARK: condition

  @Test func `a fleet is usable while as many seats vouch for a token of now as must agree`() {
    #expect(health.condition(at: 0) == .seatsMissing(usable: 0, needed: 2))
    open(1)
    #expect(health.condition(at: 0) == .seatsMissing(usable: 1, needed: 2))
    open(2, from: 100)
    #expect(health.condition(at: 99) == .young(until: Instant(millisecondsSinceEpoch: 100_000)))
    #expect(health.condition(at: 100) == .usable)
    // One young seat among voting ones takes nothing away.
    open(3)
    #expect(health.condition(at: 99) == .usable)
    seats[0].refused(.replica)
    #expect(health.condition(at: 99) == .young(until: Instant(millisecondsSinceEpoch: 100_000)))
    seats[2].connectionClosed()
    #expect(health.condition(at: 100) == .seatsMissing(usable: 1, needed: 2))
  }

  @Test func `names that are not resolved are the reason, if with their seats there might be enough`() {
    open(1)
    seats[1].named(false)
    #expect(health.condition(at: 0) == .seatsNameless(usable: 1, needed: 2))
    #expect(news(0) == [.nameless])
    // A seat that is refused would not count, whatever its name leads to.
    seats[1].refused(.replica)
    #expect(health.condition(at: 0) == .seatsMissing(usable: 1, needed: 2))
    seats[2].named(false)
    seats[2].named(false)
    #expect(health.condition(at: 0) == .seatsNameless(usable: 1, needed: 2))
    seats[0].connectionClosed()
    #expect(health.condition(at: 0) == .seatsMissing(usable: 0, needed: 2))
    open(1)
    seats[2].named(true)
    #expect(health.condition(at: 0) == .seatsMissing(usable: 1, needed: 2))
    // A connection that is young lives on while the name service is away.
    open(3)
    seats[2].named(false)
    #expect(health.condition(at: 0) == .usable)
  }

  @Test func `a seat that takes no writes is down for a reason, and no program has to end for it`() {
    for number in 1...3 { open(number) }
    #expect(health.troubles == nil && health.condition(at: 0) == .usable)
    seats[0].refused(.takesNoWrites(StoreWords("MISCONF x")))
    seats[1].reconnecting(StoreWords("LOADING y"))
    seats[1].connectionClosed()
    #expect(state(1) == .down && state(2) == .down && health.wrongSeat == nil)
    #expect(health.condition(at: 0) == .seatsMissing(usable: 1, needed: 2))
    #expect(
      health.troubles
        == "seat 1: it takes no writes: MISCONF x; repair what it names, and it is used again by itself; seat 2: it answers with an error: LOADING y"
    )
    open(1)
    open(2)
    #expect(health.troubles == nil && health.condition(at: 0) == .usable)
  }

  @Test func `a standby is down, and no program has to end for it`() {
    seats[0].refused(.standby)
    #expect(state(1) == .down && health.wrongSeat == nil)
  }

  @Test func `the first wrong seat is named, and a clock that is off is not wrong`() throws {
    seats[0].refused(.clock(offsetSeconds: 9))
    #expect(health.wrongSeat == nil)
    seats[2].refused(.clusterNode)
    seats[1].refused(.denied(StoreWords("words")))
    let wrong = try #require(health.wrongSeat)
    #expect(wrong.record.number == 2)
    #expect(wrong.refusal == .denied(StoreWords("words")))
  }

  @Test func `a standby is down, with which a program may start`() {
    seats[0].refused(.standby)
    #expect(health.wrongSeat == nil && seats[0].reading(at: 0).state == .down)
    let shown = SeatDescription(SeatPlace(number: 1, address: "db"), .refused(.standby))
    #expect(shown.state == .down && shown.reason == SeatRefusal.standby.description)
  }

  @Test func `every seat is tried when it was connected to, refused or lost once`() {
    /// Whether waiting for that ends before its time.
    func waitsInVain(_ milliseconds: UInt64) -> Bool {
      let begin = MonotonicTime.now
      health.waitUntilTried(atMostMilliseconds: milliseconds)
      return MonotonicTime.now - begin >= milliseconds * 1_000_000
    }
    #expect(waitsInVain(20))
    open(1)
    seats[1].refused(.replica)
    #expect(waitsInVain(20))
    seats[2].reconnecting()
    #expect(!waitsInVain(600_000))
    #expect(seats[2].reading(at: 0).reconnects == 1)
  }

  // MARK: events

  private func news(_ seconds: UInt64) -> [SeatEvent] { health.takeNews(at: seconds * Self.second).map(\.event) }

  @Test func `what happens to a seat is told once, one event a second`() {
    open(1, from: 7, isBorn: true)
    #expect(health.takeNews(at: 0) == [SeatNews(seat: 1, address: "a:1", event: .born(from: 7))])
    seats[0].connectionClosed()
    open(1, from: 7)
    #expect(health.takeNews(at: Self.second - 1).isEmpty)
    #expect(news(1) == [.lost])
    #expect(news(1) == [])
    #expect(news(2) == [.back])
    #expect(news(3) == [])
  }

  @Test func `a first connection is no news, and one of several that closes neither`() {
    open(1)
    open(1)
    seats[0].connectionClosed()
    #expect(news(0) == [])
  }

  @Test func `of a seat that flutters each kind of event is told once`() {
    open(1)
    for floor in 1...50 as ClosedRange<Int64> {
      seats[0].connectionClosed()
      open(1, from: floor, isBorn: true)
      seats[0].refused(.otherSeat)
    }
    let told = (0..<10).flatMap { news($0) }
    #expect(told.count == 4)
    #expect(told.contains(.born(from: 50)))
  }

  @Test func `a refusal is told with its cure, once, and again if it is another`() {
    for _ in 0..<3 { seats[1].refused(.replica) }
    #expect(news(0) == [.refused(SeatRefusal.replica.description)])
    #expect(news(1) == [])
    seats[1].refused(.clusterNode)
    #expect(news(2) == [.refused(SeatRefusal.clusterNode.description)])
  }

  @Test func `a birth by another host is news too`() {
    open(1, from: 7)
    #expect(news(0) == [])
    open(1, from: 80)
    #expect(news(1) == [.born(from: 80)])
    #expect(seats[0].reading(at: 0).births == 0)
  }

  @Test func `births that this process made are counted`() {
    open(1, from: 7, isBorn: true)
    seats[0].learned(Self.handshake("process 1", from: 80, isBorn: true))
    seats[0].learned(Self.handshake("process 1", from: 80))
    #expect(seats[0].reading(at: 0).births == 2)
  }

  // MARK: words

  @Test(arguments: [
    SeatRefusal.replica, .clusterNode, .sameProcess(asSeat: 2), .otherSeat, .otherFleet, .version("5.0.7"),
    .denied(StoreWords("words")), .clock(offsetSeconds: -61), .formerSchema, .protocolUnknown,
  ])
  func `a refusal says what is so, and then what to do`(refusal: SeatRefusal) {
    let text = refusal.description
    #expect(text.hasPrefix("it"))
    #expect(text.contains("; ") && !text.hasSuffix("."))
    let error = Problem.seat(2, address: "b:1", refusal).description
    #expect(error == "seat 2 (b:1): \(text)")
  }

  @Test func `a clock that is off is said with its direction`() {
    #expect(SeatRefusal.clock(offsetSeconds: -61).description.contains("61 s behind"))
    #expect(SeatRefusal.clock(offsetSeconds: 61).description.contains("61 s ahead of"))
  }

  // MARK: durations

  @Test func `durations are counted in their buckets, each bound inside`() {
    let durations = AskDurations()
    durations.count(1, after: 100_000)
    durations.count(2, after: 100_001)
    durations.count(3, after: 1_000_000_000)
    durations.count(4, after: 1_000_000_001)
    #expect(durations.totals.counts == [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4])
    #expect(FleetReading.askBoundsSeconds.count == 12)
  }
}
