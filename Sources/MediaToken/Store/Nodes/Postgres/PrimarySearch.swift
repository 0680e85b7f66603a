internal import MediaTokenSystem

/// Finds the primary among the nodes of a cluster: its last place first, the others in the order in which they are written.
/// Nodes, and the addresses of each, are tried next to one another (``StaggeredRace``): one that hangs holds up none. All
/// of it waits.
struct PrimarySearch: Sendable {
  private let engine: PostgresEngine
  private let timeout: Timeout

  /// A node, from 0, and the number of its address.
  struct Place: Sendable, Hashable {
    let node: Int
    let address: String?
  }

  /// The timeout is for all of it. 3 s are for a cluster of which nodes hang: the connection that is to be renewed is old
  /// by then.
  init(_ engine: PostgresEngine, within timeout: Timeout = Timeout(milliseconds: 3000)) {
    (self.engine, self.timeout) = (engine, timeout)
  }

  /// Calls `body` with the primary, and with the next one if there `body` meets an error that another node could mend. The
  /// connection is closed unless it is kept. Throws as ``StaggeredRace/run(_:)`` does.
  func withPrimary<Value>(
    keepsConnection: Bool = false, _ body: (PostgresHandshake) throws(SeatError) -> Value
  ) throws(SeatError) -> Value {
    let known = engine.primary.current?.node
    var nodes = Array(engine.fleet.nodes.indices)
    nodes.sort { ($0 == known ? 0 : 1, $0) < ($1 == known ? 0 : 1, $1) }
    var last: SeatError?
    while !nodes.isEmpty {
      let (number, (handshake, place)) = try find(among: nodes, otherwise: last)
      var isKept = false
      defer { if !isKept { handshake.caller.connection.finish() } }
      do throws(SeatError) {
        let value = try body(handshake)
        engine.primary.change { $0 = place }
        isKept = keepsConnection
        return value
      } catch {
        if error.isFinal { throw error }
        last = error
        nodes.remove(at: number)
      }
    }
    throw last ?? .refused(.standby)
  }

  /// The error is thrown if all are standbys.
  private func find(
    among nodes: [Int], otherwise error: SeatError?
  ) throws(SeatError) -> (number: Int, value: (PostgresHandshake, Place)) {
    do throws(SeatError) {
      return try race { $0.0 }.run(nodes.count) { (number) throws(SeatError) in try reach(nodes[number]) }
    } catch let found {
      throw found.isOfStandby ? error ?? found : found
    }
  }

  private func reach(_ number: Int) throws(SeatError) -> (PostgresHandshake, Place) {
    let node = engine.fleet.nodes[number]
    guard node.socketPath == nil else { return (try greet(node, at: nil), Place(node: number, address: nil)) }
    var addresses = engine.names.addresses(of: node.host, port: node.port, within: timeout)
    guard !addresses.isEmpty else { throw .nameless }
    let known = engine.primary.current
    if let first = addresses.firstIndex(where: { Place(node: number, address: $0.number) == known }) {
      addresses.swapAt(0, first)
    }
    let found = try race { $0 }.run(addresses.count) { [addresses] (index) throws(SeatError) in
      try greet(node, at: addresses[index])
    }
    return (found.value, Place(node: number, address: addresses[found.number].number))
  }

  private func greet(
    _ node: PostgresAddress.Node, at address: SocketAddress?
  ) throws(SeatError) -> PostgresHandshake {
    let caller = try DatabaseCaller(engine, node, at: address, within: timeout)
    do throws(SeatError) {
      return try PostgresHandshake(engine, caller)
    } catch {
      caller.connection.finish()
      throw error
    }
  }

  /// Connections that come too late are closed.
  private func race<Found: Sendable>(
    _ handshake: @escaping @Sendable (Found) -> PostgresHandshake
  ) -> StaggeredRace<Found> {
    StaggeredRace { handshake($0).caller.connection.finish() }
  }
}
