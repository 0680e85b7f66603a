/// A fleet's figures, for metrics and health checks.
package struct FleetReading: Sendable, Hashable {
  /// Which of the two it is while its host moves; nil: the only one.
  package var side: JointTally.Side?
  package let votesNeeded: Int
  /// The seconds in which no host may have maintained it, if it is a database; nil for other nodes.
  package let graceSeconds: Int64?
  /// In the order of the address.
  package let nodes: [NodeReading]
  /// The claims that wait for their answers in this process, or are kept for another try after a fault.
  package let undecidedClaims: Int
  /// The durations of asking, in the bounds of ``askBoundsSeconds`` and beyond the last; each claim once.
  package let askCounts: [UInt64]
  /// The sum of all these times, in seconds.
  package let askSeconds: Double

  /// The upper bounds of ``askCounts``, in seconds.
  package static let askBoundsSeconds = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1,
  ]
}

package struct NodeReading: Sendable, Hashable {
  /// From 1, as in the fleet's address.
  package let number: Int
  /// As it is written.
  package let address: String
  package let state: NodeState
  /// True if it answers, and has refused a write.
  package let refusesWrites: Bool
  /// The second since the epoch from which on it vouches for tokens; nil until it was connected to.
  package let vouchesFrom: Int64?
  /// The time by which its clock was ahead of ours when that was seen last, in whole seconds; nil until then.
  package let clockOffsetSeconds: Int64?
  /// The timeline of a database's data; nil until it was connected to, and for other nodes.
  package let timeline: Int64?
  /// The time in which no host has maintained a database, as far as this process knows; nil until it has maintained it itself.
  package let maintainedSeconds: Int64?
  package let batches: BatchReading
  /// The starts that this process saw.
  package let starts: UInt64
  /// The times that this process saw its clock come back from a time far ahead.
  package let clockSetBacks: UInt64
  /// The times that it had to be dialled again after a connection was lost; not the renewals.
  package let reconnects: UInt64
  package let replies: [NodeReplyKind: UInt64]
  /// Nil until the database was connected to, and for other nodes.
  package var database: DatabaseIdentity?
}

/// The database that is a fleet's node: hosts that name different ones are two fleets, and a token plays once in each.
package struct DatabaseIdentity: Sendable, Hashable {
  package let fleet: String
  /// PostgreSQL's `system_identifier`, which all nodes of a cluster have; nil if the role may not see it.
  package let cluster: String?
  /// Its number (OID) in the cluster.
  package let database: String
}

package enum NodeState: String, Sendable, Hashable, CaseIterable {
  /// It votes for tokens that are issued now.
  case voting
  /// It answers, and votes for no token that is issued before its floor, which is still ahead.
  case warming
  /// It answers, and has no epoch yet.
  case uninitialised
  /// It does not answer.
  case down
  /// It answers, and is not to be asked.
  case refused
  /// It answers that all hosts have left its fleet.
  case retired
}

package enum NodeReplyKind: String, Sendable, Hashable, CaseIterable {
  case new, ours, other, forgotten, ahead, error, late
}

/// An event of a node, for the log.
package enum NodeEvent: Sendable, Hashable {
  case lost
  case back
  /// It has a new epoch and vouches for tokens issued from this second on.
  case started(from: Int64)
  /// The name service has no address for it, or does not answer.
  case nameless
  /// Its clock is so many seconds behind what it showed before, which no longer counts.
  case clockSetBack(seconds: Int64)
  /// It must not be asked; the reason and the cure.
  case refused(String)
  /// It is this database, and was not before, or no database was known.
  case identified(DatabaseIdentity)
}
