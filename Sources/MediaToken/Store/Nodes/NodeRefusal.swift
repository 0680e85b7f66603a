package import MediaTokenSystem

/// The reason why a process that answers is not used as a node. A node that is only down is not refused.
package enum NodeRefusal: Sendable, Hashable {
  /// It copies another process.
  case replica
  /// It is a node of a cluster.
  case clusterNode
  /// It is the process that another entry of the list leads to.
  case sameProcess(asNode: Int)
  /// It is another node of this fleet.
  case otherNode
  /// It belongs to another fleet, or to this one with other nodes or another policy.
  case otherFleet
  /// It was told that all hosts have left this fleet, which is ours.
  case retired
  /// It is older than the scripts need.
  case version(String)
  /// It refuses our user or password, or a command that the user may not use; its words.
  case denied(StoreWords)
  /// It answers, and takes no writes; its words to the last one.
  case takesNoWrites(StoreWords)
  /// Its clock is too far from ours for it to be given an epoch, or to be asked.
  case clock(offsetSeconds: Int64)
  /// Before its data were lost it showed a time so much later than now, and began no epoch for this host.
  case clockWasAhead(seconds: Int64)
  /// It is a standby, as are all other nodes that can be reached.
  case standby
  /// Its transactions would not see what others have committed.
  case isolation
  /// It answers before what it has committed is on its disk.
  case notDurable
  /// It has a schema for this fleet only of the version before this one.
  case formerSchema
  /// It has no schema for this fleet, or one of another version.
  case noSchema
  /// It does not speak the store's protocol.
  case protocolUnknown
  /// Users other than root, us and its own can put another socket in the place of its socket.
  case exchangeableSocket(DistrustedPlace)

  /// A database whose transactions are read-only.
  static let readOnly = NodeRefusal.takesNoWrites(StoreWords("transaction_read_only is on"))

  /// True if a program must not start with such a node. A clock may be set while it runs, a disk be given room, a standby
  /// be promoted, and a retired fleet is seen as a whole; all else is a wrong address, wrong settings or a wrong process, and the other
  /// nodes would hide it until one of them fails.
  var forbidsStart: Bool {
    switch self {
    case .clock, .clockWasAhead, .takesNoWrites, .standby, .retired: false
    default: true
    }
  }

  /// `isKnown`: the node had an epoch when it was seen last.
  func state(isKnown: Bool) -> NodeState {
    switch self {
    // Clocks can be set: this is the right process, without an epoch so far.
    case .clock, .clockWasAhead: isKnown ? .refused : .uninitialised
    case .takesNoWrites, .standby: .down
    case .retired: .retired
    default: .refused
    }
  }
}

extension NodeRefusal: CustomStringConvertible {
  /// The fault, then the cure; it follows the node's number and address.
  package var description: String {
    switch self {
    case .replica:
      "it is a replica, which may forget what another process acknowledged; make it a master of its own (REPLICAOF NO ONE), and give nodes no replicas"
    case .clusterNode: "it is a node of a cluster, where data move; start it with cluster-enabled no"
    case .sameProcess(let node):
      "it is the same process as node \(node), which would vote twice; start another process, and name its address"
    case .otherNode:
      "it is another node of this fleet; write the same nodes in the same order on all hosts, one process for each"
    case .otherFleet:
      "it belongs to another fleet, or to this one with other nodes or times; write the same address, maxTTL, tolerances and grace on all hosts, and initialise a fleet with a new name to change them"
    case .retired:
      "it is retired, as hosts have left its fleet for another one; configure that one's address alone, or initialise a fleet with a new name"
    case .version(let version):
      "its version is \(DisplayText.escaped(version, limit: 40)); use Redis 6.0, Valkey 7.2 or PostgreSQL 13, or a later one"
    case .denied(let words):
      "it refuses the user, the password or a command: \(words); compare the credentials file with the node's ACL, or the database's roles and its pg_hba.conf"
    case .takesNoWrites(let words):
      "it takes no writes: \(words); repair what it names, and it is used again by itself"
    case .clock(let offset):
      "its clock is \(offset.magnitude) s \(offset < 0 ? "behind" : "ahead of") this host's, and more than 5 s is too much for a node; set both clocks"
    case .clockWasAhead(let seconds):
      "before it lost its data its clock was \(seconds) s ahead of what it shows now, so that this process begins no epoch there; if the clocks are right, run mediatoken replay init, or restart this process"
    case .standby:
      "it is a standby, which may lack what the primary has acknowledged; name the primary, or wait until one is promoted"
    case .isolation:
      "its transactions are not read committed; let no pooler or setting change default_transaction_isolation of the role"
    case .notDurable: "it runs with fsync off, and may forget what it has acknowledged; set fsync on"
    case .formerSchema:
      "its schema is of an earlier version, and this version does not know its used tokens; end all hosts, run mediatoken replay schema --replay ADDRESS | psql with the options of the hosts, and then start hosts of this version alone"
    case .noSchema:
      "it has no schema for this fleet, or one of another version; make it with mediatoken replay schema"
    case .protocolUnknown:
      "its answers are not those of Redis, Valkey or PostgreSQL; check the address"
    case .exchangeableSocket(let place): "its socket may be exchanged: \(place)"
    }
  }
}

extension Problem {
  static func retired(_ fleet: FleetAddress) -> Problem {
    Problem(fleet.description, NodeRefusal.retired.description)
  }

  /// A node that must not be asked.
  static func node(_ number: Int, address: String, _ refusal: NodeRefusal) -> Problem {
    Problem("node \(number) (\(address))", refusal.description)
  }
}
