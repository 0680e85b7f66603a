import Testing

@testable import MediaToken

@Suite struct BreakerTests {
  private static func set(_ seats: Int...) -> SeatSet {
    var set = SeatSet()
    for seat in seats { set.insert(seat) }
    return set
  }

  @Test func `a set of seats has what was put in, in order`() {
    let set = Self.set(7, 1, 3, 3)
    #expect(Array(set) == [1, 3, 7])
    #expect(set.count == 3)
    #expect(set.contains(7) && !set.contains(2))
    #expect(Array(SeatSet()).isEmpty)
  }

  @Test func `a seat is suspect after three batches without an answer, and not before`() {
    var breaker = Breaker()
    let all = Self.set(1, 2, 3)
    for silences in 0...4 {
      let wait = breaker.wait(asking: all, needed: 2, deadline: 50 * millisecond, at: 1)
      // The first batch that could wait for 5 ms is a probe.
      #expect(wait == 50 * millisecond || silences > 3)
      breaker.note(asked: all, answered: Self.set(1))
    }
    #expect(breaker.wait(asking: all, needed: 2, deadline: 50 * millisecond, at: 2) == 5 * millisecond)
    #expect(breaker.wait(asking: all, needed: 1, deadline: 50 * millisecond, at: 2) == 50 * millisecond)
  }

  @Test func `one answer clears a seat`() {
    var breaker = Breaker()
    let all = Self.set(1, 2, 3)
    for _ in 0..<5 { breaker.note(asked: all, answered: SeatSet()) }
    breaker.note(asked: all, answered: Self.set(1, 2))
    #expect(breaker.wait(asking: all, needed: 2, deadline: 50 * millisecond, at: 1) == 50 * millisecond)
  }

  @Test func `seats that are not asked are not trusted to answer`() {
    var breaker = Breaker()
    for _ in 0..<3 { breaker.note(asked: Self.set(1), answered: SeatSet()) }
    _ = breaker.wait(asking: Self.set(1, 2), needed: 2, deadline: 50 * millisecond, at: 1)
    #expect(breaker.wait(asking: Self.set(1, 2), needed: 2, deadline: 50 * millisecond, at: 2) == 5 * millisecond)
    #expect(breaker.wait(asking: Self.set(2, 3), needed: 2, deadline: 50 * millisecond, at: 2) == 50 * millisecond)
  }

  @Test func `one batch in 100 ms waits fully`() {
    var breaker = Breaker()
    let all = Self.set(1, 2, 3)
    for _ in 0..<3 { breaker.note(asked: all, answered: SeatSet()) }
    let waits = [0, 1, 99, 100, 101, 199, 200].map { time in
      breaker.wait(asking: all, needed: 2, deadline: 50 * millisecond, at: UInt64(time) * millisecond) / millisecond
    }
    #expect(waits == [50, 5, 5, 50, 5, 5, 50])
  }

  @Test func `a deadline below 5 ms would stay as it is`() {
    var breaker = Breaker()
    for _ in 0..<3 { breaker.note(asked: Self.set(1), answered: SeatSet()) }
    for time in 0...1 as ClosedRange<UInt64> {
      #expect(breaker.wait(asking: Self.set(1), needed: 1, deadline: 3, at: time) == 3)
    }
  }

  @Test func `claims of a dead fleet wait 5 ms, and one in 100 ms finds out that it lives again`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    for seat in fleet.seats { seat.manner = .waits }
    var time: UInt64 = 0
    func waited(_ number: UInt64) -> UInt64 {
      fleet.send([claim(number)], at: time)
      let start = time
      while fleet.answers(at: time).isEmpty { time += millisecond }
      return (time - start) / millisecond
    }
    #expect((0..<3).map { waited($0) } == [50, 50, 50])
    #expect((3..<6).map { waited($0) } == [50, 5, 5])
    time += 40 * millisecond
    for seat in fleet.seats { seat.manner = .answers }
    #expect((6..<8).map { waited($0) } == [0, 0])
    for seat in fleet.seats.dropFirst() { seat.manner = .waits }
    #expect(waited(8) == 50)
  }
}
