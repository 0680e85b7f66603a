import MediaToken
import Testing

@Suite struct FleetAddressTests {
  @Test func `a fleet is read as it is written`() throws {
    let text = "prod-1@a.example:6379,[::1]:6380,/run/redis/seat3.sock"
    let fleet = try FleetAddress(text)
    #expect(fleet.name == "prod-1")
    #expect(fleet.seats.map(\.text.text) == ["a.example:6379", "[::1]:6380", "/run/redis/seat3.sock"])
    #expect(fleet.votesNeeded == 2)
    #expect(fleet.description == text)
  }

  @Test(arguments: [
    ("", FleetAddress.Problem.name), ("@a:1", .name), ("Prod@a:1", .name), ("a:1,b:1,c:1", .name),
    (String(repeating: "a", count: 33) + "@a:1", .name), ("prod@", .seat(1)), ("prod@a", .seat(1)),
    ("prod@a:0", .seat(1)), ("prod@a:65536", .seat(1)), ("prod@a:01", .seat(1)), ("prod@a:+1", .seat(1)),
    ("prod@user:secret@a:6379", .seat(1)), ("prod@a:1,,b:1", .seat(2)), ("prod@a:1,b:1,c:1?x=1", .seat(3)),
    ("prod@[a:1", .seat(1)), ("prod@[]:1", .seat(1)), ("prod@a:1,/" + String(repeating: "b", count: 107), .seat(2)),
    ("prod@a:1,b:1", .count(2)), ("prod@a:1,b:1,c:1,d:1,e:1,f:1,g:1,h:1", .count(8)),
    ("prod@a:1,b:1,A:1", .sameSeat(1, 3)), ("prod@/s,/t,/s", .sameSeat(1, 3)),
  ]) func `what is not in the form is refused, and nothing of it is repeated`(
    text: String, problem: FleetAddress.Problem
  ) {
    #expect(throws: FleetError.address(problem)) { try FleetAddress(text) }
    #expect(!problem.description.contains("secret"))
  }

  @Test(arguments: [("a:1", 1), ("a:1,b:1,c:1", 2), ("a:1,b:1,c:1,d:1", 3), ("a:1,b:1,c:1,d:1,e:1", 3)])
  func `more than half of the seats decide`(seats: String, votes: Int) throws {
    #expect(try FleetAddress("f@" + seats).votesNeeded == votes)
  }
}
