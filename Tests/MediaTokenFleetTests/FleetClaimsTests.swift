import MediaTokenSystem
import Testing

@testable import MediaToken
@testable import MediaTokenFleet

@Suite struct FleetClaimsTests {
  @Test(arguments: [1, 3, 4, 5, 6, 7])
  func `a token is used once, whatever the number of seats`(seats: Int) throws {
    let fleet = try ScriptedFleet(seats: seats)
    #expect(fleet.answer(claim(1)) == firstUse)
    #expect(fleet.answer(claim(1)) == used)
    #expect(fleet.answer(claim(2)) == firstUse)
  }

  @Test func `what is undecided at the deadline is a fault`() throws {
    let fleet = try ScriptedFleet(seats: 3)
    for seat in fleet.seats.dropFirst() { seat.manner = .waits }
    fleet.send([claim(1)])
    #expect(fleet.answers(at: 49 * millisecond) == [:])
    #expect(fleet.answers(at: 50 * millisecond) == [0: unavailable])
  }
}
