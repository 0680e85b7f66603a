package import Synchronization

/// What happened to connections and broken requests, to be shown. No number is read together with another.
package final class ServerCounters: Sendable {
  package init() {}

  /// Connections that were let in.
  package let accepted = Atomic<Int>(0)
  /// Connections that were closed unread, because their peer is not allowed.
  package let refusedPeers = Atomic<Int>(0)
  /// Connections that are open now.
  package let openConnections = Atomic<Int>(0)
  /// Those of them that came over TCP.
  package let openOverTCP = Atomic<Int>(0)
  /// How often accepting had to wait, because the system has no descriptor or memory.
  package let acceptPauses = Atomic<Int>(0)
  /// Connections that were closed without an answer because a request took longer than its deadline.
  package let deadlineKills = Atomic<Int>(0)
  /// Connections that were closed because there were too many, or requests and answers under way took too much memory, and their
  /// caller had most.
  package let crowdedOut = Atomic<Int>(0)
  /// Requests whose head was refused.
  package let malformed = Atomic<Int>(0)
}

extension Atomic<Int> {
  /// The value now. Relaxed, because nothing else is concluded from it.
  package var value: Int { load(ordering: .relaxed) }

  /// Counts one more.
  package func count() { _ = wrappingAdd(1, ordering: .relaxed) }
}
