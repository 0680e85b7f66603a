import Glibc
import MediaTokenSystem
import Testing

@testable import MediaToken
@testable import MediaTokenHTTP
@testable import MediaTokenService

/// What operators see of a fleet: `/readyz`, metrics and log.
@Suite struct FleetObservingTests {
  private static func node(
    _ number: Int, _ state: NodeState, from second: Int64? = nil, _ replies: [NodeReplyKind: UInt64] = [:]
  ) -> NodeReading {
    NodeReading(
      number: number, address: "host-\(number):6379", state: state, refusesWrites: number == 2, vouchesFrom: second,
      clockOffsetSeconds: second.map { _ in Int64(-number) }, timeline: nil, maintainedSeconds: nil,
      batches: BatchReading(), starts: UInt64(number), clockSetBacks: UInt64(2 * number),
      reconnects: UInt64(10 * number), replies: replies)
  }

  private func page(_ readings: FleetReading...) throws -> String {
    let fixture = try LaterFixture()
    fixture.memory.script.change { $0.readings = readings.map { .fleet($0) } }
    let client = try fixture.connect()
    client.get("/metrics")
    return try #require(client.answer()).body
  }

  @Test func everyNodeHasItsSamplesAndAnUnknownTimeHasNone() throws {
    let reading = FleetReading(
      votesNeeded: 2, graceSeconds: nil,
      nodes: [
        Self.node(1, .voting, from: 1_700_000_000, [.new: 5, .late: 2]),
        Self.node(2, .warming, from: 1_700_000_066),
        Self.node(3, .down),
      ],
      undecidedClaims: 4, askCounts: [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 1], askSeconds: 1.5)
    let page = try page(reading)
    for line in [
      "mediatoken_fleet_nodes 3", "mediatoken_fleet_votes_needed 2",
      #"mediatoken_fleet_node_state{node="1",state="voting"} 1"#,
      #"mediatoken_fleet_node_state{node="1",state="down"} 0"#,
      #"mediatoken_fleet_node_state{node="2",state="warming"} 1"#,
      #"mediatoken_fleet_node_state{node="3",state="down"} 1"#,
      #"mediatoken_fleet_node_state{node="3",state="voting"} 0"#,
      #"mediatoken_fleet_node_vouches_from_seconds{node="1"} 1700000000"#,
      #"mediatoken_fleet_node_vouches_from_seconds{node="2"} 1700000066"#,
      #"mediatoken_fleet_node_clock_offset_seconds{node="2"} -2"#, #"mediatoken_fleet_starts_total{node="3"} 3"#,
      #"mediatoken_fleet_clock_set_back_total{node="3"} 6"#,
      #"mediatoken_fleet_node_refuses_writes{node="2"} 1"#, #"mediatoken_fleet_node_refuses_writes{node="3"} 0"#,
      #"mediatoken_fleet_reconnects_total{node="2"} 20"#,
      #"mediatoken_fleet_replies_total{node="1",reply="new"} 5"#,
      #"mediatoken_fleet_replies_total{node="1",reply="late"} 2"#,
      #"mediatoken_fleet_replies_total{node="1",reply="forgotten"} 0"#,
      #"mediatoken_fleet_ask_duration_seconds_bucket{le="0.0001"} 1"#,
      #"mediatoken_fleet_ask_duration_seconds_bucket{le="1.0"} 6"#,
      #"mediatoken_fleet_ask_duration_seconds_bucket{le="+Inf"} 7"#,
      "mediatoken_fleet_ask_duration_seconds_sum 1.5",
      "mediatoken_fleet_ask_duration_seconds_count 7", "mediatoken_fleet_undecided_claims 4",
    ] { #expect(page.contains("\n\(line)\n"), "\(line)") }
    #expect(!page.contains(#"vouches_from_seconds{node="3"}"#) && !page.contains(#"offset_seconds{node="3"}"#))
    #expect(!page.contains("host-1"), "an address is no label")
    // Five states and seven kinds of replies for each of three nodes.
    #expect(page.split(separator: "\n").filter { $0.hasPrefix("mediatoken_fleet_node_state{") }.count == 18)
    #expect(page.split(separator: "\n").filter { $0.hasPrefix("mediatoken_fleet_replies_total{") }.count == 21)
  }

  @Test func whileAHostMovesALabelTellsTheFleetsApart() throws {
    let readings = [(JointTally.Side.from, 3), (.to, 4)].map { side, count in
      FleetReading(
        side: side, votesNeeded: count / 2 + 1, graceSeconds: nil,
        nodes: (1...count).map { Self.node($0, .voting) },
        undecidedClaims: 0, askCounts: Array(repeating: 0, count: 13), askSeconds: 0)
    }
    let page = try page(readings[0], readings[1])
    for line in [
      #"mediatoken_fleet_nodes{moving="from"} 3"#, #"mediatoken_fleet_nodes{moving="to"} 4"#,
      #"mediatoken_fleet_node_state{moving="from",node="1",state="voting"} 1"#,
      #"mediatoken_fleet_ask_duration_seconds_bucket{moving="to",le="+Inf"} 0"#,
    ] { #expect(page.contains("\n\(line)\n"), "\(line)") }
    let types = page.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
    #expect(Set(types).count == types.count, "each family is there once")
  }

  @Test func aDatabaseHasSamplesOfItsOwn() throws {
    var batches = BatchReading()
    for (result, claims) in [(ClaimBatchResult.ok, 1), (.ok, 3), (.warned, 4), (.error, 64)] {
      batches.count(result, claims: claims)
    }
    let node = NodeReading(
      number: 1, address: "db/tokens", state: .voting, refusesWrites: false, vouchesFrom: 7, clockOffsetSeconds: 0,
      timeline: 17,
      maintainedSeconds: 3, batches: batches, starts: 1, clockSetBacks: 0, reconnects: 0, replies: [:],
      database: DatabaseIdentity(fleet: "prod", cluster: "7000000000000000001", database: "16384"))
    func page(grace: Int64?) throws -> String {
      try self.page(
        FleetReading(
          votesNeeded: 1, graceSeconds: grace, nodes: [node], undecidedClaims: 0,
          askCounts: [UInt64](repeating: 0, count: 13), askSeconds: 0))
    }
    let database = try page(grace: 45)
    let lines = [
      "mediatoken_fleet_grace_seconds 45", #"mediatoken_fleet_node_timeline{node="1"} 17"#,
      #"mediatoken_fleet_node_database_info{node="1",fleet="prod",cluster="7000000000000000001",database="16384"} 1"#,
      #"mediatoken_fleet_node_maintained_seconds{node="1"} 3"#, #"mediatoken_fleet_batches_total{result="ok"} 2"#,
      #"mediatoken_fleet_batches_total{result="warned"} 1"#, #"mediatoken_fleet_batches_total{result="error"} 1"#,
      #"mediatoken_fleet_claims_per_batch_bucket{le="1"} 1"#,
      #"mediatoken_fleet_claims_per_batch_bucket{le="2"} 1"#,
      #"mediatoken_fleet_claims_per_batch_bucket{le="4"} 3"#,
      #"mediatoken_fleet_claims_per_batch_bucket{le="64"} 4"#,
      #"mediatoken_fleet_claims_per_batch_bucket{le="+Inf"} 4"#, "mediatoken_fleet_claims_per_batch_sum 72",
      "mediatoken_fleet_claims_per_batch_count 4",
    ]
    for line in lines { #expect(database.contains("\n\(line)\n"), "\(line)") }
    let nodes = try page(grace: nil)
    for line in lines { #expect(!nodes.contains(line.prefix { $0 != "{" && $0 != " " }), "\(line)") }
  }

  @Test func thereIsNothingOfAFleetWhereThereIsNone() throws {
    #expect(!(try ServiceFixture().ask("GET", "/metrics").body.contains("mediatoken_fleet")))
  }

  @Test func conditionOfAFleetIsTheReason() throws {
    let fixture = try LaterFixture()
    let client = try fixture.connect()
    for (condition, reason) in [
      (ReplayMemoryCondition.nodesMissing(usable: 1, needed: 2), "nodes-missing"),
      (.nodesNameless(usable: 1, needed: 2), "name"), (.warming(until: .now), "replay-memory-new"), (.usable, nil),
    ] {
      fixture.memory.script.change { ($0.condition, $0.nodeTroubles) = (condition, "node 1: MISCONF x") }
      client.get("/readyz")
      let answer = try #require(client.answer())
      #expect(answer.body.contains("must agree: node 1: MISCONF x") == (reason == "nodes-missing"))
      #expect(answer.status == (reason == nil ? 200 : 503))
      if let reason { #expect(answer.body.contains(#""reason":"\#(reason)""#)) }
      client.get("/metrics")
      let metrics = try #require(client.answer()).body
      #expect(
        metrics.contains(#"mediatoken_not_ready{reason="nodes-missing"} \#(reason == "nodes-missing" ? 1 : 0)"#))
    }
  }

  @Test(arguments: [
    (NodeEvent.lost, #""level":"warning","event":"node-lost","node":2,"address":"b:6379""#, "does not answer"),
    (.nameless, #""level":"warning","event":"node-name","node":2,"address":"b:6379""#, "no address is found"),
    (.back, #""level":"info","event":"node-back","node":2,"address":"b:6379""#, "answers again"),
    (
      .started(from: 1_700_000_066),
      #""event":"node-started","node":2,"address":"b:6379","from":"2023-11-14T22:14:26"#,
      "is new"
    ),
    (
      .clockSetBack(seconds: 86_400), #""level":"warning","event":"node-clock","node":2,"address":"b:6379""#,
      "86400 s less than before"
    ),
    (
      .refused("it is a replica"), #""level":"error","event":"node-refused","node":2"#,
      #""message":"it is a replica""#
    ),
  ])
  func eventOfANodeIsOneLine(event: NodeEvent, members: String, message: String) throws {
    var ends: [Int32] = [0, 0]
    #expect(unsafe pipe(&ends) == 0)
    let log = try Log(descriptor: ends[1])
    log.write(NodeNews(node: 2, address: "b:6379", event: event))
    log.flush()
    log.close()
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(ends[0], &bytes, bytes.count)
    let line = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    #expect(line.contains(members) && line.contains(message))
    #expect(line.split(separator: "\n").count == 1)
    for end in ends { close(end) }
  }
}

@Suite("The metrics' pages")
struct MetricsPagesTests {
  @Test func `a reader gets a page that was begun after it asked, and pages rest`() throws {
    let service = try ServiceFixture().handler.service
    let pages = service.pages
    let early = MonotonicTime.now
    func page(since asked: UInt64) -> [UInt8] {
      while true {
        if let page = pages.page(of: service, since: asked).page { return page }
        WorkerThread.sleep(milliseconds: 1)
      }
    }
    let first = page(since: early)
    pages.rest(until: .max)
    #expect(pages.page(of: service, since: early).page == first, "it is the same")
    let (none, next) = pages.page(of: service, since: MonotonicTime.now)
    #expect(none == nil && next == .max)
    pages.rest(until: 0)
    #expect(!page(since: MonotonicTime.now).isEmpty)
  }
}
