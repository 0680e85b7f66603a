import MediaTokenSystem
import Testing

@testable import MediaToken

/// How much a desk takes, what its callers give up, and when those who ask are woken.
@Suite struct DeskBoundsTests {
  private let start = DeskTable.start

  // MARK: withdrawing

  @Test func `giving up is not dearer where much waits, and leaves the line to the others`() throws {
    let table = try DeskTable(deadline: 1000)
    var (adding, givingUp) = (UInt64(0), UInt64(0))
    for round in 0..<2 as Range<UInt64> {
      let claims = (0..<16_000).map { (claim(round << 32 | $0), ClaimCaller.user(UInt32($0 % 400))) }
      let begin = MonotonicTime.now
      let first = table.add(claims)
      let added = MonotonicTime.now
      #expect(table.state.claims.count == 16_000)
      // Every tenth stays.
      for number in first..<first + 16_000 where number % 10 != 0 {
        if !table.withdraw(number) { Issue.record("\(number) was sent") }
      }
      adding += added - begin
      givingUp += MonotonicTime.now - added
      #expect(table.state.claims.count == 1_600)
      let asked = table.take(1).flatMap(\.numbers)
      #expect(Set(asked) == Set(stride(from: first, to: first + 16_000, by: 10)) && asked.count == 1_600)
      #expect(!table.state.hasClaimsToAsk)
      table.expire(at: start + 1000 * millisecond)
      #expect(table.takeEnds().count == 1_600)
    }
    // It is cheaper than coming. A walk over the line for each would be dearer by far.
    #expect(givingUp < 4 * adding)
  }

  @Test func `one that has joined, waits or was sent is given up by its place`() throws {
    let table = try DeskTable()
    table.add([claim(1), claim(1), claim(1)])
    #expect(table.withdraw(1) && !table.withdraw(1), "it has joined")
    #expect(table.withdraw(0), "it waits, and the last one takes its place")
    #expect(table.take(1).map(\.numbers) == [[2]])
    #expect(!table.withdraw(2) && !table.withdraw(3), "sent, and never added")
    #expect(table.takeEnds() == [:] && table.state.undecided == 1)
  }

  @Test func `a kept ballot is kept again by a claim that is given up`() throws {
    let table = try DeskTable()
    table.add([claim(1)])
    let ballot = table.ballot(0)
    _ = table.take(1)
    table.expire(at: start + 50 * millisecond)
    let again = table.add([claim(1)], at: start + 60 * millisecond)
    #expect(table.ballot(again) == ballot && table.state.keptBallots == 0)
    #expect(table.withdraw(again, at: start + 60 * millisecond))
    #expect(table.state.keptBallots == 1)
    let last = table.add([claim(1)], at: start + 70 * millisecond)
    #expect(table.ballot(last) == ballot)
  }

  // MARK: how much it takes

  @Test func `a caller may have as many claims as are left for all others`() throws {
    let table = try DeskTable()
    var next: UInt64 = 0
    func taken(of caller: ClaimCaller, _ count: Int = 16_500) -> Int {
      let first = table.add((0..<UInt64(count)).map { claim(next + $0) }, of: caller)
      next += UInt64(count)
      let refused = table.takeEnds()
      #expect(refused.values.allSatisfy { $0 == unavailable })
      return (first..<first + UInt64(count)).count { refused[$0] == nil }
    }
    #expect(taken(of: .user(1)) == 8_192)
    #expect(taken(of: .user(2)) == 4_096)
    #expect(taken(of: .tasks) == 2_048)
    #expect(taken(of: .user(1)) == 0)
    #expect(table.state.claims.count == 14_336)
    #expect(taken(of: .tcp, 10) == 10)
  }

  @Test func `a claim that is refused has a number, so that those after it have theirs`() throws {
    let fleet = try ScriptedFleet(nodes: 3, deadline: 1000)
    let time = MonotonicTime.now
    for node in fleet.nodes { node.isBusy = true }
    fleet.turn(at: time)
    for number in 0..<8_192 as Range<UInt64> { fleet.door.add(claim(number), number: number, of: .user(1)) }
    fleet.door.add(claim(9_000), number: 9_000, of: .user(1))
    fleet.door.add(claim(9_001), number: 9_001, of: .user(2))
    fleet.door.add(claim(9_002), number: 9_002, of: .user(3))
    fleet.door.send(at: time)
    #expect(fleet.door.answers() == [9_000: unavailable])
    #expect(fleet.door.withdraw(9_001))
    for number in 0..<8_192 as Range<UInt64> { #expect(fleet.door.withdraw(number)) }
    for node in fleet.nodes { node.isBusy = false }
    fleet.turn(at: time)
    #expect(fleet.answers(at: time) == [9_002: firstUse])
  }

  @Test func `a claim whose caller has left is not taken`() throws {
    let table = try DeskTable()
    var ballots = BallotSource()
    var ends: [ClaimEnd] = []
    let new = try ballots.newClaim(claim(1), named: 0, of: .tasks, in: table.fleet)
    _ = table.state.add([new], of: ClosedDoor(), at: start, &ends)
    #expect(ends.isEmpty && table.state.undecided == 0 && table.take(1).isEmpty)
  }

  @Test func `claims whose deadlines follow closely are looked at together`() throws {
    let table = try DeskTable()
    for number: UInt64 in 0..<3 { table.add([claim(number)], at: start + number * millisecond / 4) }
    table.expire(at: start + 50 * millisecond)
    #expect(table.takeEnds() == [0: unavailable] && table.state.soonestDeadline == start + 51 * millisecond)
    table.expire(at: start + 51 * millisecond)
    #expect(table.takeEnds() == [1: unavailable, 2: unavailable] && table.state.soonestDeadline == .max)
  }

  // MARK: the local table's last word

  private func settling() throws -> (DeskTable, TestFolder) {
    let folder = try TestFolder()
    let table = try DeskTable(localTable: FleetOptions.LocalTable(path: folder.path("table"), capacity: 100))
    table.add([claim(1)])
    table.add([claim(1), claim(1)], at: start + 20 * millisecond)
    let taken = (1...2).map { table.take($0) }
    for node in 1...2 { table.hear(.new, to: taken[node - 1], from: node) }
    #expect(table.unsettled == [0] && table.takeEnds() == [0: firstUse])
    return (table, folder)
  }

  @Test func `a claim that the nodes have decided waits for the table's word, past its deadline`() throws {
    let (table, folder) = try settling()
    defer { withExtendedLifetime(folder) {} }
    table.expire(at: start + 50 * millisecond)
    #expect(table.takeEnds() == [:] && table.state.claims.count == 3)
    #expect(!table.withdraw(0))
    // Those that have joined have their own deadlines.
    #expect(table.withdraw(1))
    table.expire(at: start + 70 * millisecond)
    #expect(table.takeEnds() == [2: unavailable])
    #expect(table.state.soonestDeadline == .max)
    table.settle(0, firstUse)
    #expect(table.takeEnds() == [:] && table.state.undecided == 0)
  }

  @Test func `those that have joined take what follows from the table's word`() throws {
    let (table, folder) = try settling()
    defer { withExtendedLifetime(folder) {} }
    table.settle(0, used)
    #expect(table.takeEnds() == [1: used, 2: used] && table.state.undecided == 0)
  }

  @Test func `after a fault of the table the next is asked, with the same ballot`() throws {
    let (table, folder) = try settling()
    defer { withExtendedLifetime(folder) {} }
    let ballot = table.ballot(0)
    table.settle(0, .failure(.replayMemoryFull), at: start + 25 * millisecond)
    #expect(table.takeEnds() == [:])
    let taken = (1...2).map { table.take($0, at: start + 25 * millisecond) }
    #expect(taken.map { $0.map(\.numbers) } == [[[1]], [[1]]] && table.ballot(1) == ballot)
    if let ballot { for node in 1...2 { table.hear(.present(ballot), to: taken[node - 1], from: node) } }
    #expect(table.unsettled == [1] && table.takeEnds() == [1: firstUse])
    table.settle(1, firstUse)
    #expect(table.takeEnds() == [2: used])
  }

  // MARK: closing

  @Test func `closing ends what waits, and takes nothing more`() throws {
    let (table, folder) = try settling()
    defer { withExtendedLifetime(folder) {} }
    table.add([claim(2), claim(3), claim(2)])
    _ = table.take(3)
    table.add([claim(4)])
    table.close()
    let ends = table.takeEnds()
    #expect(ends == Dictionary(uniqueKeysWithValues: (1...6).map { ($0, unavailable) }))
    #expect((1...3).allSatisfy { table.take($0).isEmpty })
    table.add([claim(5)])
    #expect(table.takeEnds() == [7: unavailable])
    // What the table says is still heard.
    table.settle(0, firstUse)
    #expect(table.state.claims.count == 0)
  }

  // MARK: waking

  @Test func `those who ask are woken once for claims, and again after they have rested`() throws {
    let table = try DeskTable()
    func reasons() -> [Bool] {
      let reasons = table.state.takeReasonsToWake()
      return [reasons.claims, reasons.alarm]
    }
    #expect(reasons() == [false, false])
    table.add([claim(1)])
    #expect(reasons() == [true, true] && reasons() == [false, false])
    table.add([claim(2)], at: start + 5)
    #expect(reasons() == [false, false])
    _ = table.take(1)
    table.state.rest()
    #expect(reasons() == [false, false], "nothing is in the line")
    table.add([claim(3)], at: start + 6)
    #expect(reasons() == [true, false])
    // Deadlines are looked at later than the next one.
    table.state.setAlarm(start + 60 * millisecond)
    #expect(reasons() == [false, true])
  }
}
