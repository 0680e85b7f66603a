internal import MediaTokenSystem

/// Finds the primary among the members of a cluster: its last place first, the others in the order in which they are written.
/// Members, and the addresses of each, are tried next to one another (``StaggeredRace``): one that hangs holds up none. All
/// of it waits.
struct PrimarySearch: Sendable {
  private let engine: PostgresEngine
  private let timeout: Timeout

  /// A member, from 0, and the number of its address.
  struct Place: Sendable, Hashable {
    let member: Int
    let address: String?
  }

  /// The timeout is for all of it. 3 s are for a cluster of which members hang: the connection that is to be renewed is old
  /// by then.
  init(_ engine: PostgresEngine, within timeout: Timeout = Timeout(milliseconds: 3000)) {
    (self.engine, self.timeout) = (engine, timeout)
  }

  /// Calls `body` with the primary, and with the next one if there `body` meets an error that another member could mend. The
  /// connection is closed unless it is kept. Throws as ``StaggeredRace/run(_:)`` does.
  func withPrimary<Value>(
    keepsConnection: Bool = false, _ body: (PostgresHandshake) throws(NodeError) -> Value
  ) throws(NodeError) -> Value {
    let known = engine.primary.current?.member
    var members = Array(engine.fleet.members.indices)
    members.sort { ($0 == known ? 0 : 1, $0) < ($1 == known ? 0 : 1, $1) }
    var last: NodeError?
    while !members.isEmpty {
      let (number, (handshake, place)) = try find(among: members, otherwise: last)
      var isKept = false
      defer { if !isKept { handshake.caller.connection.finish() } }
      do throws(NodeError) {
        let value = try body(handshake)
        engine.primary.change { $0 = place }
        isKept = keepsConnection
        return value
      } catch {
        if error.isFinal { throw error }
        last = error
        members.remove(at: number)
      }
    }
    throw last ?? .refused(.standby)
  }

  /// The error is thrown if all are standbys.
  private func find(
    among members: [Int], otherwise error: NodeError?
  ) throws(NodeError) -> (number: Int, value: (PostgresHandshake, Place)) {
    do throws(NodeError) {
      return try race { $0.0 }.run(members.count) { (number) throws(NodeError) in try reach(members[number]) }
    } catch let found {
      throw found.isOfStandby ? error ?? found : found
    }
  }

  private func reach(_ number: Int) throws(NodeError) -> (PostgresHandshake, Place) {
    let member = engine.fleet.members[number]
    guard member.socketPath == nil else { return (try greet(member, at: nil), Place(member: number, address: nil)) }
    var addresses = SocketAddress.lookUp(member.host, port: member.port, isNumeric: true)
    if addresses.isEmpty {
      let found = Monitor<[SocketAddress]?>(nil)
      try rethrow(
        engine.names.begin(member.host, port: member.port) { addresses in found.change { $0 = addresses } },
        as: NodeError.unreachable)
      found.wait(atMostMilliseconds: timeout.left) { $0 != nil }
      addresses = found.current ?? []
    }
    guard !addresses.isEmpty else { throw .nameless }
    let known = engine.primary.current
    if let first = addresses.firstIndex(where: { Place(member: number, address: $0.number) == known }) {
      addresses.swapAt(0, first)
    }
    let found = try race { $0 }.run(addresses.count) { [addresses] (index) throws(NodeError) in
      try greet(member, at: addresses[index])
    }
    return (found.value, Place(member: number, address: addresses[found.number].number))
  }

  private func greet(
    _ member: PostgresAddress.Member, at address: SocketAddress?
  ) throws(NodeError) -> PostgresHandshake {
    let caller = try DatabaseCaller(engine, member, at: address, within: timeout)
    do throws(NodeError) {
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
