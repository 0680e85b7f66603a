import MediaTokenSystem
import Testing

@testable import MediaToken

/// The state of a desk by tables: what a node is asked, and what each claim ends with.
@Suite struct DeskStateTests {
  private let start = DeskTable.start

  // MARK: what is asked

  @Test func `one identity is asked about once, and the others take what follows`() throws {
    let table = try DeskTable()
    table.add([claim(1), claim(1), claim(2), claim(1)])
    let taken = (1...3).map { table.take($0) }
    for node in taken { #expect(node.map(\.numbers) == [[0, 2]]) }
    table.hear(.new, to: taken[0], from: 1)
    #expect(table.takeEnds() == [:])
    table.hear(.new, to: taken[1], from: 2)
    #expect(table.takeEnds() == [0: firstUse, 1: used, 2: firstUse, 3: used])
    table.hear(.new, to: taken[2], from: 3)
    #expect(table.takeEnds() == [:] && table.state.undecided == 0)
  }

  @Test func `after a fault the next one is asked, with the ballot that nodes may have`() throws {
    let table = try DeskTable()
    table.add([claim(1), claim(1), claim(1)])
    for asked in 0..<3 as Range<UInt64> {
      let ballot = table.ballot(asked)
      let taken = (1...3).map { table.take($0) }
      for node in taken { #expect(node.map(\.numbers) == [[asked]] && node[0].batch.claims[0].ballot == ballot) }
      for node in 1...3 { table.hear(nil, to: taken[node - 1], from: node) }
      #expect(table.takeEnds() == [asked: unavailable])
      #expect(asked == 2 || table.ballot(asked + 1) == ballot)
    }
    #expect(table.state.keptBallots == 1 && table.state.claims.count == 0)
  }

  @Test func `no node is asked while fewer than must agree can be, but about what was asked already`() throws {
    let table = try DeskTable()
    table.add([claim(1)])
    #expect(table.take(1).map(\.numbers) == [[0]])
    table.see(3, isUsable: false)
    table.see(2, isUsable: false, isBusy: true)
    table.add([claim(2)])
    #expect(table.take(1).isEmpty && table.state.hasClaimsToAsk)
    table.see(2, isUsable: true)
    #expect(table.take(2).map(\.numbers) == [[0, 1]])
    #expect(table.take(1).map(\.numbers) == [[1]] && table.take(3).map(\.numbers) == [[0, 1]])
  }

  @Test func `callers take turns, and those of one second go together`() throws {
    let table = try DeskTable()
    let busy = (0..<200 as Range<UInt64>).map { number in
      (claim(number, issued: 1_700_000_000 + Int64(number % 3)), ClaimCaller.user(1))
    }
    table.add(busy + [(claim(900), .tasks), (claim(901), .tcp)])
    let batches = table.take(1)
    #expect(batches.map(\.numbers.count) == [64, 64, 64, 10])
    #expect(batches[0].numbers.contains(200) && batches[0].numbers.contains(201))
    for batch in batches {
      let seconds = batch.batch.claims.map(\.issueSecond)
      #expect(seconds == seconds.sorted())
    }
    #expect(Set(batches.flatMap(\.numbers)) == Set(0...201))
  }

  @Test func `a node that lags finds in the log what is still open, in its order`() throws {
    let table = try DeskTable()
    var taken: [[TakenClaims]] = [[], []]
    for turn in 0..<5 as Range<UInt64> {
      table.add((0..<60).map { claim(turn * 60 + $0) })
      for node in 1...2 { taken[node - 1] += table.take(node) }
    }
    #expect(taken.map { $0.map(\.numbers.count) } == Array(repeating: Array(repeating: 60, count: 5), count: 2))
    // The two nodes decide the first two batches and the fourth.
    for turn in [0, 1, 3] { for node in 1...2 { table.hear(.new, to: [taken[node - 1][turn]], from: node) } }
    #expect(table.takeEnds().values.filter { $0 == firstUse }.count == 180)
    let late = table.take(3)
    #expect(late.map(\.numbers.count) == [64, 56])
    #expect(late.flatMap(\.numbers) == Array(120..<180) + Array(240..<300))
    #expect((1...3).allSatisfy { table.take($0).isEmpty })
    table.hear(.new, to: late, from: 3)
    for turn in [2, 4] { table.hear(.new, to: [taken[0][turn]], from: 1) }
    #expect(table.takeEnds().values.filter { $0 == firstUse }.count == 120)
    #expect(table.state.undecided == 0)
  }

  // MARK: lost connections

  @Test func `what is given back is asked again on the same node, with the same ballot`() throws {
    let table = try DeskTable()
    table.add([claim(1), claim(2)])
    let taken = (1...3).map { table.take($0)[0] }
    table.hear(.new, to: [taken[1]], from: 2)
    table.state.giveBack(taken[0], of: 1)
    table.hear(nil, to: [taken[2]], from: 3)
    #expect(table.takeEnds() == [:], "the first one may still be asked")
    let again = table.take(1)
    #expect(again.map { Set($0.numbers) } == [[0, 1]] && Set(again[0].batch.claims) == Set(taken[0].batch.claims))
    #expect(table.take(2).isEmpty && table.take(3).isEmpty)
    table.hear(.new, to: again, from: 1)
    #expect(table.takeEnds() == [0: firstUse, 1: firstUse])
  }

  @Test func `a claim that was given back ends when its node, asked again, has no answer either`() throws {
    let table = try DeskTable(nodes: 1)
    table.add([claim(1)])
    table.state.giveBack(table.take(1)[0], of: 1)
    table.hear(nil, to: table.take(1), from: 1)
    #expect(table.takeEnds() == [0: unavailable])
  }

  @Test func `what a node has answered is not given back`() throws {
    let table = try DeskTable()
    table.add([claim(1)])
    let taken = table.take(1)
    table.hear(.ahead, to: taken, from: 1)
    table.state.giveBack(taken[0], of: 1)
    #expect(table.take(1).isEmpty)
  }

  @Test func `what is given back after its deadline, or after its end, is asked no more`() throws {
    let table = try DeskTable()
    table.add([claim(1)])
    let late = table.take(1)
    table.expire(at: start + 50 * millisecond)
    #expect(table.takeEnds() == [0: unavailable])
    table.state.giveBack(late[0], of: 1)
    #expect(table.take(1, at: start + 50 * millisecond).isEmpty)
    table.add([claim(2)])
    let taken = (1...3).map { table.take($0) }
    table.state.giveBack(taken[0][0], of: 1)
    for node in 2...3 { table.hear(.new, to: taken[node - 1], from: node) }
    #expect(table.takeEnds() == [1: firstUse])
    #expect(table.take(1).isEmpty && table.state.claims.count == 0)
  }

  @Test func `a claim whose deadline has passed is not asked, also if no one has ended it yet`() throws {
    let table = try DeskTable()
    table.add([claim(1)])
    #expect(table.take(1, at: start + 50 * millisecond).isEmpty)
    table.expire(at: start + 50 * millisecond)
    #expect(table.takeEnds() == [0: unavailable] && table.state.keptBallots == 0)
  }
}
