package import Synchronization

/// Figures of connections and broken requests, to be shown. No number is read together with another.
package final class ServerCounters: Sendable {
  package init() {}

  /// Connections that were let in.
  package let accepted = Atomic<Int>(0)
  /// Connections that were closed unread, because their peer is not allowed.
  package let openConnections = Atomic<Int>(0)
  package let openOverTCP = Atomic<Int>(0)
  /// Accepting had to wait this often, because the system has no descriptor or memory.
  package let acceptPauses = Atomic<Int>(0)
  /// Connections that were closed without an answer because a request took longer than its deadline.
  package let deadlineKills = Atomic<Int>(0)
  /// Connections that were closed because there were too many, or requests and answers under way took too much memory, and their
  /// caller had most.
  package let crowdedOut = Atomic<Int>(0)
  package let malformed = Atomic<Int>(0)
}

extension Atomic<Int> {
  /// Relaxed, because nothing else is concluded from it.
  package var value: Int { load(ordering: .relaxed) }

  package func count() { _ = wrappingAdd(1, ordering: .relaxed) }
}
