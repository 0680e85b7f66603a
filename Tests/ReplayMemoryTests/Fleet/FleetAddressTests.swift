import Testing

@testable import MediaToken

@Suite struct FleetAddressTests {
  @Test func `a fleet is read as it is written`() throws {
    let text = "prod-1@a.example:6379,[::1]:6380,/run/redis/node3.sock"
    let fleet = try FleetAddress(redis: text)
    #expect(fleet.name == "prod-1")
    #expect(fleet.nodes == ["a.example:6379", "[::1]:6380", "/run/redis/node3.sock"])
    #expect(fleet.votesNeeded == 2)
    #expect(fleet.description == "redis:\(text)")
  }

  @Test(arguments: [
    ("", Problem.fleetName), ("@a:1", .fleetName), ("Prod@a:1", .fleetName), ("a:1,b:1,c:1", .fleetName),
    (String(repeating: "a", count: 33) + "@a:1", .fleetName), ("prod@", .nodeAddress(1)),
    ("prod@a", .nodeAddress(1)),
    ("prod@a:0", .nodeAddress(1)), ("prod@a:65536", .nodeAddress(1)), ("prod@a:01", .nodeAddress(1)),
    ("prod@a:+1", .nodeAddress(1)),
    ("prod@user:secret@a:6379", .nodeAddress(1)), ("prod@a:1,,b:1", .nodeAddress(2)),
    ("prod@a:1,b:1,c:1?x=1", .nodeAddress(3)),
    ("prod@[a:1", .nodeAddress(1)), ("prod@[]:1", .nodeAddress(1)),
    ("prod@a:1,/" + String(repeating: "b", count: 107), .nodeAddress(2)),
    ("prod@a:1,b:1", .nodeCount(2)), ("prod@a:1,b:1,c:1,d:1,e:1,f:1,g:1,h:1", .nodeCount(8)),
    ("prod@a:1,b:1,A:1", .sameNode(1, 3)), ("prod@/s,/t,/s", .sameNode(1, 3)),
  ]) func `what is not in the form is refused, and nothing of it is repeated`(
    text: String, problem: Problem
  ) {
    #expect(throws: problem) { try FleetAddress(redis: text) }
    #expect(!problem.description.contains("secret"))
  }

  @Test(arguments: [("a:1", 1), ("a:1,b:1,c:1", 2), ("a:1,b:1,c:1,d:1", 3), ("a:1,b:1,c:1,d:1,e:1", 3)])
  func `more than half of the nodes decide`(nodes: String, votes: Int) throws {
    #expect(try FleetAddress(redis: "f@" + nodes).votesNeeded == votes)
  }

  @Test func `a database is read as it is written, and is one node`() throws {
    let text = "prod-1@db1.example,[::1]:6432,/run/postgresql:5433/tokens_1"
    let fleet = try #require(try FleetAddress(scheme: "postgres", text))
    #expect(fleet.name == "prod-1")
    #expect(fleet.nodes == ["db1.example,[::1]:6432,/run/postgresql:5433/tokens_1"])
    #expect(fleet.votesNeeded == 1)
    #expect(fleet.description == "postgres:\(text)")
    let address = try PostgresAddress(text)
    #expect(address.members.map(\.host) == ["db1.example", "::1", "/run/postgresql"])
    #expect(address.members.map(\.port) == [5432, 6432, 5433])
    #expect(address.members.map(\.socketPath) == [nil, nil, "/run/postgresql/.s.PGSQL.5433"])
    #expect(address.database == "tokens_1" && !address.isLocal)
    #expect(try PostgresAddress("a@/run/postgresql/b").isLocal)
  }

  @Test(arguments: [
    ("db/tokens", Problem.fleetName), ("Prod@db/tokens", .fleetName), ("prod@db", .databaseName),
    ("prod@db/", .databaseName), ("prod@db/a?b", .databaseName), ("prod@db/a b", .databaseName),
    ("prod@db/" + String(repeating: "a", count: 64), .databaseName), ("prod@/tokens", .memberAddress(1)),
    ("prod@user:secret@db/tokens", .memberAddress(1)), ("prod@db:0/tokens", .memberAddress(1)),
    ("prod@db,,b/tokens", .memberAddress(2)),
    ("prod@db,DB:5432/tokens", .sameNode(1, 2)), ("prod@/run:secret/tokens", .memberAddress(1)),
    ("prod@/" + String(repeating: "b", count: 100) + "/tokens", .memberAddress(1)),
    ("prod@/a?b/tokens", .memberAddress(1)),
  ]) func `what is not a database's address is refused, and nothing of it is repeated`(
    text: String, problem: Problem
  ) {
    #expect(throws: problem) { try PostgresAddress(text) }
    #expect(!problem.description.contains("secret"))
  }
}
