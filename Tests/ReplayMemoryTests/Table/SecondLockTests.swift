import Foundation
import Testing

@testable import MediaToken

/// A table in addition to another replay memory, which vouches for the tokens and is asked first.
@Suite struct SecondLockTests {
  let fixture: TableFixture
  var now: Int64 { fixture.now }

  init() throws { fixture = try TableFixture() }

  private func open(capacity: Int? = 100, retryWindow: Int64 = 0) throws(Problem) -> SharedReplayTable {
    let table = try SharedReplayTable(
      secondLockAt: fixture.path, capacity: capacity, policy: .standard,
      retryWindowMilliseconds: retryWindow * 1000)
    fixture.note(table)
    return table
  }

  @Test func `a look finds what was used, and changes nothing`() throws {
    let table = try open()
    for _ in 0..<3 { #expect(!table.isUsed(claim(1, issued: now, now: now))) }
    #expect(try table.spend(claim(1, issued: now, now: now)) == .firstUse)
    #expect(table.isUsed(claim(1, issued: now, now: now)))
    #expect(!table.isUsed(claim(2, issued: now, now: now)))
    // A look from the future ages nothing.
    #expect(!table.isUsed(claim(2, issued: now + 1000, now: now + 1000)))
    #expect(table.clockLeadSeconds(at: Instant(millisecondsSinceEpoch: now * 1000)) == 0)
  }

  @Test func `a look takes a repeated request for no use`() throws {
    let table = try open(retryWindow: 2)
    let request = UseRequest(id: "r")
    #expect(try table.spend(claim(1, issued: now, now: now, request: request)) == .firstUse)
    #expect(!table.isUsed(claim(1, issued: now, now: now + 1, request: request)))
    #expect(table.isUsed(claim(1, issued: now, now: now + 2, request: request)))
    #expect(table.isUsed(claim(1, issued: now, now: now, request: UseRequest(id: "s"))))
    #expect(table.isUsed(claim(1, issued: now, now: now)))
  }

  @Test func `a look sees every part of a table that grew`() throws {
    let table = try open()
    #expect(try table.spend(claim(1, issued: now, now: now)) == .firstUse)
    try SharedReplayTable.grow(at: fixture.path, toCapacity: 1000)
    #expect(table.isUsed(claim(1, issued: now, now: now)))
    #expect(try table.spend(claim(2, issued: now, now: now)) == .firstUse)
    #expect(table.isUsed(claim(2, issued: now, now: now)))
  }

  @Test func `a retired table says nothing`() throws {
    let table = try open()
    #expect(try table.spend(claim(1, issued: now, now: now)) == .firstUse)
    table.retire()
    #expect(!table.isUsed(claim(1, issued: now, now: now)))
  }

  @Test func `it is made to vouch for all tokens, even next to a table that remembers some`() throws {
    // Of now as the table that was opened last sees it.
    func token() -> UseClaim { claim(1, issued: now, now: now) }
    do {
      let former = try open()
      #expect(try former.spend(token()) == .firstUse)
    }
    try fixture.move(fixture.path, to: fixture.path + ".old")
    // By itself a table must not: it would let the token in again.
    #expect(throws: Problem.self) { try self.fixture.create() }
    let table = try open()
    #expect(table.vouchesFrom.millisecondsSinceEpoch == 0)
    #expect(try table.spend(token()) == .firstUse)
    // The one that is there is opened as it is.
    #expect(try open().isUsed(token()))
    #expect(try open(capacity: nil).isUsed(token()))
  }

  @Test func `without a capacity it must be there, and with one it must be as large`() throws {
    #expect(throws: Problem.self) { try open(capacity: nil) }
    _ = try open(capacity: 10)
    #expect(throws: TableProblem.capacity(expected: 11, found: 10).of(table: fixture.path)) {
      try open(capacity: 11)
    }
  }
}
