/// A replay memory that enforces one use, and that a long-running program must look after: it is maintained once a second,
/// it can fail, and a forked child must open it for itself.
package protocol MaintainedReplayMemory: ReplayMemory {
  /// What the memory was made for: a policy that is looser in any of these accepts tokens that the memory has forgotten.
  var tolerances: ReplayTolerances { get }

  /// The first setting of a policy that this memory does not cover; nil if it covers the policy.
  func excess(of policy: Policy) -> ReplayTolerances.Excess?

  /// Does the work that is due, so that no claim has to wait for it. Call it about once a second, at the kernel's time.
  ///
  /// - Throws: ``Refusal/Fault/replayMemoryUnavailable`` while the memory can't be maintained, which ``condition(at:)`` may explain.
  func maintain(at now: Instant) throws(Fault)

  /// Whether a claim of a token that is issued and presented at `now` would be its first use, as far as that is known
  /// without claiming. For health checks: it waits for nothing, and takes some microseconds.
  func condition(at now: Instant) -> ReplayMemoryCondition

  /// The figures of the memory, for metrics; this may take a millisecond.
  func readings(at now: Instant) -> [ReplayMemoryReading]

  /// What happened to the seats that it asks, for the log: each event once, and at most one per second for each seat.
  func takeSeatEvents() -> [SeatNews]

  /// Why seats can't be asked, as far as that is known, each with its number and with what it said; nil if all can be, or the memory has no seats.
  var seatTroubles: String? { get }

  /// Reads users and passwords again, where the memory asks seats that require them; the next connections use them.
  ///
  /// - Throws: ``ReplayMemoryError`` if they can't be read; those that were read last stay in use.
  func readCredentialsAgain() throws(ReplayMemoryError)

  /// The same memory for this process, which was forked from the one that opened it.
  ///
  /// - Parameter policy: what the memory must still cover.
  /// - Throws: ``ReplayMemoryError`` if it can't be opened again.
  func reopenedAfterFork(policy: Policy) throws(ReplayMemoryError) -> Self
}

extension MaintainedReplayMemory {
  package func excess(of policy: Policy) -> ReplayTolerances.Excess? { tolerances.excess(of: policy) }

  /// Returns no events: most memories have no seats.
  package func takeSeatEvents() -> [SeatNews] { [] }

  /// Returns nil: most memories have no seats.
  package var seatTroubles: String? { nil }

  /// Does nothing: most memories use no credentials.
  package func readCredentialsAgain() throws(ReplayMemoryError) {}
}

/// What a claim of a good token that was just issued would meet.
public enum ReplayMemoryCondition: Sendable, Hashable {
  /// Its first use.
  case usable
  /// A refusal, because it was issued before this moment, from which on the memory can vouch for tokens: the memory is new,
  /// or it may have lost something when the machine went down.
  case young(until: UnixTime)
  /// A fault: the memory has seen a clock that is this many seconds ahead of ours, which is more than it tolerates.
  case clockBehind(seconds: Int64)
  /// A fault: the memory has no room, or none for many tokens.
  case full
  /// A fault for as long as fewer seats of a fleet can be asked than must agree.
  case seatsMissing(usable: Int, needed: Int)
  /// The same, because the names of seats are not resolved.
  case seatsNameless(usable: Int, needed: Int)
  /// A fault that may pass by itself.
  case unavailable
  /// A fault for good: the memory was deleted or replaced while it was in use, or its disk failed.
  case retired
}

/// One measurement of a replay memory. A memory gives those that it has.
package enum ReplayMemoryReading: Sendable, Hashable {
  /// How many live tokens it remembers; estimated if it is large.
  case entries(Int)
  /// How many live tokens it is rated for.
  case capacity(Int)
  /// How many seconds the highest clock of all its users is ahead of ours; nil if it is retired and has no clock any more.
  case clockLeadSeconds(Int64?)
  /// For a fleet: its seats, and how long they take to answer.
  case fleet(FleetReading)
}
