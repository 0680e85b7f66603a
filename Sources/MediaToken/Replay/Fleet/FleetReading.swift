/// What is to be measured of a fleet, for metrics and health checks.
package struct FleetReading: Sendable, Hashable {
  /// How many votes decide.
  package let votesNeeded: Int
  /// For how many seconds no host may have attended it, if it is a database; nil for other seats.
  package let graceSeconds: Int64?
  /// One for each seat, in the order of the address.
  package let seats: [SeatReading]
  /// How many claims wait for their answers in this process, or are kept for another try after a fault.
  package let undecidedClaims: Int
  /// How long the asking took, in the bounds of ``askBoundsSeconds`` and beyond the last; each claim once.
  package let askCounts: [UInt64]
  /// The sum of all these times, in seconds.
  package let askSeconds: Double

  /// The upper bounds of ``askCounts``, in seconds.
  package static let askBoundsSeconds = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1,
  ]
}

/// What this process knows of one seat.
package struct SeatReading: Sendable, Hashable {
  /// From 1, as in the fleet's address.
  package let number: Int
  /// As it is written.
  package let address: String
  package let state: SeatState
  /// Whether it answers, and has refused a write.
  package let refusesWrites: Bool
  /// From which second since the epoch on it vouches for tokens; nil until it was connected to.
  package let vouchesFrom: Int64?
  /// How far its clock was ahead of ours when that was seen last, in whole seconds; nil until then.
  package let clockOffsetSeconds: Int64?
  /// The timeline of a database's data; nil until it was connected to, and for other seats.
  package let timeline: Int64?
  /// For how long no host has attended a database, as far as this process knows; nil until it has attended it itself.
  package let attendedSeconds: Int64?
  /// The batches that a database was sent.
  package let batches: BatchReading
  /// How many of its births this process saw.
  package let births: UInt64
  /// How often this process saw its clock come back from a time far ahead.
  package let clockSetBacks: UInt64
  /// How often it had to be dialled again after a connection was lost; not the renewals.
  package let reconnects: UInt64
  /// How many answers of each kind it gave.
  package let replies: [SeatReplyKind: UInt64]
  /// Which database it is; nil until it was connected to, and for other seats.
  package var database: DatabaseIdentity?
}

/// Which database is a fleet's seat: hosts that name different ones are two fleets, and a token plays once in each.
package struct DatabaseIdentity: Sendable, Hashable {
  package let fleet: String
  /// PostgreSQL's `system_identifier`, which all nodes of a cluster have; nil if the role may not see it.
  package let cluster: String?
  /// Its number (OID) in the cluster.
  package let database: String
}

/// The state of a seat.
package enum SeatState: String, Sendable, Hashable, CaseIterable {
  /// It votes for tokens that are issued now.
  case voting
  /// It answers, and votes for no token that is issued before its floor, which is still ahead.
  case young
  /// It answers, and has no epoch yet.
  case unborn
  /// It does not answer.
  case down
  /// It answers, and is not to be asked.
  case refused
}

/// The kinds of answers that are counted.
package enum SeatReplyKind: String, Sendable, Hashable, CaseIterable {
  case new, ours, other, forgotten, ahead, error, late
}

/// Something happened to a seat, for the log.
package enum SeatEvent: Sendable, Hashable {
  /// It no longer answers.
  case lost
  /// It answers again.
  case back
  /// It has a new epoch and vouches for tokens issued from this second on.
  case born(from: Int64)
  /// The name service has no address for it, or does not answer.
  case nameless
  /// Its clock is so many seconds behind what it showed before, which no longer counts.
  case clockSetBack(seconds: Int64)
  /// It must not be asked: why, and what to do.
  case refused(String)
  /// It is this database, and was not before, or no database was known.
  case identified(DatabaseIdentity)
}
