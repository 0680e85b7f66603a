import Synchronization

/// What happened to connections and broken requests, for metrics. Each number stands for itself.
final class HTTPCounters: Sendable {
  /// Connections that were let in.
  let accepted = Atomic<Int>(0)
  /// Connections that were closed unread, because their peer is not allowed.
  let refusedPeers = Atomic<Int>(0)
  /// Connections that are open now.
  let openConnections = Atomic<Int>(0)
  /// Those of them that came over TCP.
  let openOverTCP = Atomic<Int>(0)
  /// How often accepting had to wait: at the connection limit, or because the system has no descriptor or memory.
  let acceptPauses = Atomic<Int>(0)
  /// Connections that were shut down because a request took longer than its deadline.
  let deadlineKills = Atomic<Int>(0)
  /// Requests that were refused as broken, by us or by the library.
  let malformed = Atomic<Int>(0)
}

extension Atomic<Int> {
  /// The value now. Nothing else is concluded from it.
  var value: Int { load(ordering: .relaxed) }

  /// Counts one more.
  func count() { _ = wrappingAdd(1, ordering: .relaxed) }
}
