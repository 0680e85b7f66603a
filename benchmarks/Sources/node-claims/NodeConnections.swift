import BenchmarkTokens
import MediaToken
import MediaTokenSystem

/// Connections of one thread to one node, each in place of a host that knows nothing of the others.
final class NodeConnections {
  private let poller: Poller
  private let nodes: [any Node]
  private let batch: Int
  private let ages: Range<Int64>
  private var events: [Poller.Event] = []
  /// The connections that were answered, and what was said that is no first use.
  private var answered: [Int] = []
  private var worst = NodeAnswer.new

  /// - Parameters:
  ///   - path: the node's UNIX socket.
  ///   - count: how many connections.
  ///   - batch: how many claims a connection sends at once.
  ///   - ages: how many seconds ago the tokens were issued, by chance.
  init(to path: String, count: Int, batch: Int, ages: Range<Int64> = 0..<1) throws {
    // Tokens of 7 minutes, as Adobe's: what the memory of a node is reckoned with.
    let policy = FleetPolicy(try Policy(maxTTLMilliseconds: 420_000, futureToleranceMilliseconds: 0))
    let address = try RedisAddress("bench@\(path)")
    let engine = RedisEngine(
      fleet: address, policy: policy, digest: try FleetDigest(of: .redis(address), policy), clock: FleetClock(),
      credentials: Monitor(.none))
    let poller = try Poller()
    (self.batch, self.ages) = (batch, ages)
    self.poller = poller
    nodes = (0..<count).map { _ in
      engine.makeNode(NodeRecord(number: 1, address: path), watchedBy: poller)
    }
  }

  /// Waits until the node votes for tokens of now.
  func awaitItsFloor() {
    let end = MonotonicTime.now + 30_000_000_000
    repeat {
      guard MonotonicTime.now < end else { fail("expected a node that votes within 30 s") }
      turn(milliseconds: 100)
    } while !ask(nodes.count * batch)
  }

  /// So many new tokens. Each must be a first use.
  func spend(_ count: Int) {
    guard ask(count) else { fail("expected first uses, found \(worst)") }
  }

  /// Asks about new tokens. A connection asks again as soon as it is answered.
  ///
  /// - Returns: whether each was a first use.
  private func ask(_ count: Int) -> Bool {
    worst = .new
    var left = count
    var waiting = 0
    for node in nodes where left > 0 {
      send(on: node)
      left -= batch
      waiting += batch
    }
    var end = MonotonicTime.now + 30_000_000_000
    while waiting > 0 {
      guard MonotonicTime.now < end else { fail("expected an answer within 30 s") }
      turn(milliseconds: 100)
      while let connection = answered.popLast() {
        end = MonotonicTime.now + 30_000_000_000
        waiting -= batch
        guard left > 0 else { continue }
        send(on: nodes[connection])
        left -= batch
        waiting += batch
      }
    }
    return worst == .new
  }

  private func send(on node: any Node) {
    let end = MonotonicTime.now + 5_000_000_000
    while !node.isUsable(at: MonotonicTime.now) {
      guard MonotonicTime.now < end else { fail("expected a node that answers within 5 s") }
      turn(milliseconds: 1)
    }
    let now = milliseconds()
    var claims = ClaimBatch()
    for _ in 0..<batch {
      let issued = Instant(millisecondsSinceEpoch: now - Int64.random(in: ages) * 1000)
      let ballot = Ballot(.random(), second: UInt32(now / 1000))
      claims.add(ClaimBatch.Claim(randomClaim(at: issued).identity, issueTime: issued, ballot: ballot))
    }
    let taken = TakenClaims(numbers: Array(0..<UInt64(batch)), batch: claims, deadline: .max)
    node.ask(taken, at: MonotonicTime.now)
  }

  /// Waits until something is ready, and hears what there is.
  private func turn(milliseconds: Int32) {
    _ = poller.wait(milliseconds: milliseconds, &events)
    for index in nodes.indices {
      nodes[index].work(at: MonotonicTime.now, isReady: !events.isEmpty) { reply in
        guard case .answered(let heard) = reply.end else { fail("expected an answer to each batch") }
        if let other = heard.first(where: { $0 != .new }) { worst = other }
        answered.append(index)
      }
    }
  }
}
