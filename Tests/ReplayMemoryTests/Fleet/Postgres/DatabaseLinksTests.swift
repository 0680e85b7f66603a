import MediaTokenSystem
import Testing

@testable import MediaToken

/// Which thread of a process has a connection to its database, and what each does next, by tables. Times are in seconds.
@Suite struct DatabaseLinksTests {
  // MARK: connecting

  @Test func `one thread dials, and the others sleep until it is connected`() {
    let table = LinksTable()
    #expect(table.view(1) == "")
    #expect(table.works(1) == ["dial", "sleeps", "sleeps", "sleeps", "sleeps"])
    #expect(table.view(1) == "busy, connected")
    table.open(0, 1)
    #expect(table.view(1) == "usable, connected")
    #expect(table.works(1) == ["maintain"] + Array(repeating: "sleeps until 4.0", count: 4))
    #expect(table.view(1) == "busy, connected, silent since 1.0")
    table.heard(0, 1)
    #expect(table.view(1) == "usable, connected")
  }

  @Test func `claims that find all connections asked have another one made, up to four`() {
    let table = LinksTable.connected()
    for count in 1..<4 {
      let time = 10.1 * Double(count) / Double(count)
      for thread in 0..<count { table.asks(thread, time) }
      #expect(table.claims(time) == count, "the first thread that has none is rung")
      #expect(table.work(count, time) == "dial")
      #expect(table.claims(time) == nil, "one is made at a time")
      table.open(count, time)
      #expect(table.work(count, time) == "ask")
    }
    for thread in 0..<4 { table.asks(thread, 10.2) }
    #expect(table.claims(10.2) == nil)
    #expect(table.work(4, 10.2) == "sleeps until 13.1")
  }

  @Test func `of threads that have nothing to do one is rung for claims`() {
    let table = LinksTable.connected(count: 3)
    table.asks(0, 10.5)
    #expect(table.claims(10.5) == 1)
    #expect(table.claims(10.5) == nil, "it has not come yet")
    #expect(table.work(1, 10.5) == "ask")
    table.asks(1, 10.5)
    #expect(table.claims(10.5) == 2)
    #expect(table.work(2, 10.5) == "ask")
    #expect(table.work(2, 10.5) == "sleeps until 11.0", "there are no claims")
  }

  @Test func `a thread that was answered looks for claims again`() {
    let table = LinksTable.connected()
    table.asks(0, 10.1)
    #expect(table.claims(10.1) == 1)
    table.heard(0, 10.2)
    #expect(table.work(0, 10.2) == "ask")
  }

  @Test func `one that only maintains the epoch is waited for, if that does not take long`() {
    let table = LinksTable.connected()
    #expect(table.work(0, 11) == "maintain")
    #expect(table.claims(11.1) == nil && table.claims(11.249) == nil)
    #expect(table.claims(11.25) == 1)
    #expect(table.work(1, 11.25) == "dial")
    table.heard(0, 11.26)
    #expect(table.work(0, 11.26) == "ask")
  }

  // MARK: renewing

  @Test(arguments: [(0, 13), (0.5, 13.75), (1, 14.5)])
  func `a connection is renewed at an age of 3 to 4.5 seconds, and the oldest goes`(chance: Double, renewal: Double)
  {
    let table = LinksTable.connected(chance: chance)
    table.heard(0, renewal - 0.01)
    #expect(table.work(1, renewal - 0.001) == "sleeps until \(renewal)")
    #expect(table.work(1, renewal) == "dial" && table.work(2, renewal) == "sleeps")
    #expect(table.work(0, renewal) != "drop", "it is asked until the next one is there")
    table.open(1, renewal)
    #expect(table.work(1, renewal) != "drop" && table.work(0, renewal) == "drop")
    #expect(table.close(0) && !table.close(0))
    #expect(table.work(0, renewal) == "sleeps until \(renewal + 3)")
    #expect(table.view(renewal) == "usable, connected")
  }

  @Test func `of four connections the oldest is dropped, and the others stay while one is warming`() {
    let table = LinksTable.connected(count: 4)
    for (turn, oldest) in [0, 1, 2, 3].enumerated() {
      let time = 13.3 + 3 * Double(turn)
      let free = turn == 0 ? 4 : oldest - 1
      #expect(table.work(free, time) == "dial")
      table.open(free, time)
      let dropped = (0..<5).filter { table.work($0, time) == "drop" }
      #expect(dropped == [oldest])
      #expect(table.close(oldest))
      let others = (0..<5).filter { $0 != oldest }.map { table.work($0, time) }
      #expect(!others.contains("drop") && !others.contains("dial"))
    }
  }

  @Test func `a connection that has asked much is renewed at once`() {
    let table = LinksTable.connected(count: 2)
    #expect(table.wear(1) && !table.wear(1), "a thread is woken for it once")
    #expect(table.work(2, 10.5) == "dial")
    table.open(2, 10.5)
    #expect(table.work(1, 10.5) == "drop" && table.work(0, 10.5) != "drop")
  }

  @Test func `without a warming connection none is asked`() {
    let table = LinksTable.connected(count: 3)
    #expect(table.work(4, 13.2) == "dial")
    // It does not succeed. The youngest is from 10.2.
    #expect(table.view(15.19).hasPrefix("usable"))
    #expect(table.view(15.2) == "busy, connected")
    #expect(table.claims(15.2) == nil)
    #expect((0..<3).map { table.work($0, 15.2) } == ["drop", "drop", "drop"])
    #expect((0..<3).allSatisfy { table.close($0) })
    table.fail(15.2)
    #expect(!table.close(4))
    #expect(table.view(15.2) == "")
  }

  @Test(arguments: [("b 00000001", 5), ("a 00000002", 5), ("a 00000001", 6)] as [(String, Int64)])
  func `one that leads to other data ends all others`(process: String, from: Int64) {
    let table = LinksTable.connected(count: 3)
    table.asks(0, 13.1)
    table.asks(1, 13.1)
    #expect(table.work(3, 13.2) == "dial")
    table.open(3, 13.2, LinksTable.found(process, from: from))
    #expect(table.view(13.2) == "usable, connected", "what the others were asked no longer matters")
    table.heard(0, 13.3)
    table.heard(1, 13.3)
    #expect((0..<3).map { table.work($0, 13.3) } == ["drop", "drop", "drop"])
    #expect(table.work(3, 13.3) == "maintain")
    #expect((0..<3).allSatisfy { table.close($0) })
    // There are fewer than claims need: the next is made at once.
    let dials = (0..<5).map { table.work($0, 13.3) }
    #expect(dials.filter { $0 == "dial" }.count <= 1)
  }

  // MARK: faults

  @Test func `after a fault it is dialled again, each time later, until it succeeds`() {
    let table = LinksTable()
    var time = 1.0
    for wait in [0.05, 0.1, 0.2, 0.4, 0.8, 1, 1] {
      #expect(table.work(2, time) == "dial")
      table.fail(time, 0.5)
      #expect(!table.close(2))
      #expect(table.work(2, time) == LinksTable.sleeps(until: time + wait))
      #expect(table.view(time) == "")
      time += wait
    }
    #expect(table.work(3, time) == "dial")
    #expect(table.view(time) == "connected", "claims do not wait for one that has failed before")
    table.open(3, time)
    #expect(table.work(3, time) == "maintain")
    table.fail(time, 0.5)
    #expect(table.close(3))
    #expect(table.work(3, time) == LinksTable.sleeps(until: time + 0.05))
  }

  @Test func `one that is lost leaves the others, and claims have no more made meanwhile`() {
    let table = LinksTable.connected(count: 2)
    table.fail(11, 0.5)
    #expect(table.close(0))
    #expect(table.view(11) == "usable, connected")
    table.asks(1, 11)
    #expect(table.view(11) == "busy, connected, silent since 11.0")
    #expect(table.claims(11) == nil)
    #expect(table.work(0, 11) == "sleeps until 11.05" && table.work(0, 11.05) == "dial")
    table.open(0, 11.05)
    #expect(table.work(0, 11.05) == "ask", "claims have waited for it")
    #expect(table.work(0, 11.05) == "maintain", "it is due")
  }

  @Test func `a refusal ends all connections, and is looked at again after its pause`() {
    let table = LinksTable.connected(count: 3)
    table.links.refused(until: LinksTable.time(16))
    #expect(table.close(0))
    #expect((1..<3).map { table.work($0, 11) } == ["drop", "drop"])
    #expect(table.view(11) == "connected")
    #expect((1..<3).allSatisfy { table.close($0) })
    #expect(table.works(15.9) == Array(repeating: "sleeps until 16.0", count: 5))
    #expect(table.view(15.9) == "" && table.claims(15.9) == nil)
    #expect(table.work(4, 16) == "dial")
  }

  // MARK: maintaining, and ending

  @Test func `the epoch is maintained once a second by one of all`() {
    let table = LinksTable.connected(count: 2)
    for thread in 0..<2 { #expect(["ask", "sleeps until 11.0"].contains(table.work(thread, 10.5))) }
    #expect((0..<2).map { table.work($0, 11) } == ["maintain", "sleeps until 12.0"])
    table.heard(0, 11)
    #expect(table.work(0, 11) == "ask")
    #expect((0..<2).map { table.work($0, 12) } == ["maintain", "sleeps until 13.0"])
  }

  @Test func `claims without an end put it off by a second and no longer`() {
    let table = LinksTable.connected()
    for (time, work) in [(10.9, "ask"), (11.5, "ask"), (11.99, "ask"), (12, "maintain"), (12.1, "ask")] {
      _ = table.claims(time)
      #expect(table.work(0, time) == work)
      table.heard(0, time)
    }
  }

  @Test func `a connection leads to the data of its handshake`() {
    let table = LinksTable.connected()
    #expect(table.links.isSame(LinksTable.found(), of: 0) && !table.links.isSame(LinksTable.found(from: 6), of: 0))
    #expect(!table.links.isSame(LinksTable.found(), of: 1))
  }

  @Test func `all end when it is closed`() {
    let table = LinksTable.connected(count: 3)
    table.links.isClosed = true
    #expect(table.works(10.5) == Array(repeating: "end", count: 5))
  }

  // MARK: its view

  @Test func `a database is silent since it was asked, or heard on another connection after that`() {
    let table = LinksTable.connected(count: 2)
    table.asks(0, 10.5)
    #expect(
      table.view(10.6) == "usable, connected, silent since 10.5" || table.view(10.6).hasSuffix("silent since 10.5"))
    table.asks(1, 10.6)
    #expect(table.view(10.7) == "busy, connected, silent since 10.5")
    table.heard(1, 10.7)
    #expect(table.view(10.8) == "usable, busy, connected, silent since 10.7")
    table.heard(0, 10.8)
    #expect(table.view(10.8) == "usable, connected")
  }
}
