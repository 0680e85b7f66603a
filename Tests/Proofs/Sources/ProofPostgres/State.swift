/// Everything there is at one moment: two servers of one cluster, a copy of the files of one, the name that leads to one of them,
/// and the claims. Bytes only, so that two states are the same when their bytes are.
struct State: BitwiseCopyable {
  var servers = (Server(), Server())
  var copy = Copy()
  var time: UInt8 = 0
  /// Where the name leads, where it led, and when it was moved, plus one; 0: it was not.
  var route: UInt8 = 0
  var routeBefore: UInt8 = 0
  var moved: UInt8 = 0
  var nextTimeline: UInt8 = 2
  var disastersLeft: UInt8 = 0
  /// A bit for each claim that has its answer, and for each that was granted.
  var answered: UInt8 = 0
  var granted: UInt8 = 0

  var fingerprint: UInt64 { ProofPostgres.fingerprint(of: self) }

  subscript(server: Int) -> Server {
    get { server == 0 ? servers.0 : servers.1 }
    set { if server == 0 { servers.0 = newValue } else { servers.1 = newValue } }
  }
}

/// A PostgreSQL server with its data.
struct Server: BitwiseCopyable {
  var isThere = false
  var isPrimary = false
  var timeline: UInt8 = 1
  /// How far its clock is off.
  var clock: Int8 = 0
  /// Since when there may be connections to it; only in worlds in which clocks are set.
  var connectionsSince: UInt8 = 0
  var data = NodeData()
}

/// Of the files, or a dump of the schema.
struct Copy: BitwiseCopyable {
  var isThere = false
  var timeline: UInt8 = 0
  /// When it was made; only in worlds in which clocks are set, because in others the data say when they were maintained.
  var time: UInt8 = 0
  var data = NodeData()

  /// What a restore of the schema puts back: rows that it writes itself.
  var dump: NodeData {
    var dump = data
    dump.isMarked = false
    return dump
  }
}

/// What the schema holds, as far as it concerns the token.
struct NodeData: BitwiseCopyable, Hashable {
  /// The row of `epoch`.
  var hasEpoch = false
  var timeline: UInt8 = 0
  var since: UInt8 = 0
  var high: Int8 = 0
  var seen: UInt8 = 0
  /// Whether the row was written by who may: not by a restore.
  var isMarked = false
  /// The slot of the token's minute: its marker, and the ballot that the token has there; 0: none.
  var hasMarker = false
  var ballot: UInt8 = 0
}
