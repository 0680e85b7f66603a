/// The outcome that a claim of a good token that was just issued would have.
public enum ReplayMemoryCondition: Sendable, Hashable {
  /// Its first use.
  case usable
  /// A refusal, because it was issued before this moment, from which on the memory can vouch for tokens: the memory is new,
  /// or it may have lost something when the machine went down.
  case warming(until: UnixTime)
  /// A fault: the memory has seen a clock that is this many seconds ahead of ours, which is more than it tolerates.
  case clockBehind(seconds: Int64)
  /// A fault: the memory has no room, or none for many tokens.
  case full
  /// A fault for as long as fewer nodes of a fleet can be asked than must agree.
  case nodesMissing(usable: Int, needed: Int)
  /// The same, because the names of nodes are not resolved.
  case nodesNameless(usable: Int, needed: Int)
  /// A fault that may pass by itself.
  case unavailable
  /// A fault for good: the memory was deleted or replaced while it was in use, or its disk failed.
  case retired
}

/// One measurement of a replay memory. A memory gives those that it has.
package enum ReplayMemoryReading: Sendable, Hashable {
  /// The live tokens that it remembers; estimated if it is large.
  case entries(Int)
  /// The live tokens that it is rated for.
  case capacity(Int)
  /// The lead in seconds of the highest clock of all its users over ours; nil if it is retired and has no clock any
  /// more.
  case clockLeadSeconds(Int64?)
  /// A fleet's nodes, and the time that they take to answer.
  case fleet(FleetReading)
}
