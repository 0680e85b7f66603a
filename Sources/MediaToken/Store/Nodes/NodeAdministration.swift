internal import MediaTokenSystem

/// A kind of store whose processes can be looked at and initialised by an operator. All of it waits, until a timeout, and
/// throws the reason why nothing is learnt from a node.
protocol NodeAdministration: Sendable {
  /// Nothing is changed.
  func describe(_ node: NodePlace, within timeout: Timeout) throws(NodeError) -> NodeDescription

  /// Gives a node an epoch, if it has none, and describes it then. `freshOwner` is the owner of the data that were
  /// described when the operator vouched that no token was ever used: the node then vouches for all, if the data are the
  /// same. Nil: the operator vouches for none.
  func initialise(
    _ node: NodePlace, freshOwner: String?, within timeout: Timeout
  ) throws(NodeError) -> NodeDescription

  /// Has a node with an epoch refuse all hosts from now on. What hosts may not tell it is the result: SQL for one who may; else nil.
  func retire(_ node: NodePlace, within timeout: Timeout) throws(NodeError) -> String?

  /// The answer to a first claim of a token; nil if the node has no epoch yet. Nothing is changed.
  func peek(at claim: ClaimBatch.Claim, on node: NodePlace, within timeout: Timeout) throws(NodeError)
    -> NodeAnswer?
}

/// The time that one call waits for nodes.
struct Timeout: Sendable {
  let milliseconds: Int
  /// In ``MonotonicTime``.
  let end: UInt64

  init(milliseconds: Int) {
    self.milliseconds = milliseconds
    end = MonotonicTime.now + UInt64(milliseconds) * 1_000_000
  }

  /// In milliseconds, begun ones too.
  var left: UInt64 {
    let now = MonotonicTime.now
    return now < end ? (end - now) / 1_000_000 + 1 : 0
  }
}

/// The place and the number of a node.
struct NodePlace: Sendable {
  /// From 1, as in the fleet's address.
  let number: Int
  /// As it is written.
  let address: String
}

/// A node as an operator looks at it.
package struct NodeDescription: Sendable, Hashable {
  /// From 1, as in the fleet's address.
  package let number: Int
  /// As it is written.
  package let address: String
  package var state: NodeState
  /// The reason why it is down or refused, or was not initialised, and the cure.
  package var reason: String?
  /// The second since the epoch from which on it vouches for tokens.
  package var from: Int64?
  /// The latest second in which it may have votes.
  package var high: Int64?
  /// The latest second of its own clock in which a host maintained it; only a database's.
  package var seen: Int64?
  /// The last second of its own clock in which it has its epoch, if no host maintains it until then; only a database's.
  package var lastsUntil: Int64?
  /// The standbys that a database's commits wait for; nil if the role may not see that.
  package var syncStandbys: Int64?
  /// The time by which its clock is ahead of this host's.
  package var clockOffsetMilliseconds: Int64?
  /// The time that asking it for the time took.
  package var roundTripMicroseconds: Int64?
  package var usedMemoryBytes: Int64?
  /// Its `maxmemory-policy`: its conduct when its memory is full.
  package var policy: String?
  package var version: String?
  /// Nil for nodes that are no database.
  package var database: DatabaseIdentity?
  /// Faults that should be corrected, and cost nothing but refused tokens.
  package var warnings: [String] = []
  /// It distinguishes its process from every other.
  var process: String?
  /// It distinguishes its data from those that it had or will have after a loss.
  var owner: String?
  /// True if it is refused for its clock alone.
  var isOnlyOff = false
  /// True if there is an epoch, be it for these data or for others.
  var hasEpoch = false

  /// The reason why a node with an epoch is not made to vouch for all tokens, and the cure.
  static let hasEpochReason =
    "it has an epoch, and tokens used under it would be accepted again; leave out the option for a fresh fleet, or initialise a fleet with a new name"

  init(number: Int, address: String, state: NodeState, reason: String? = nil) {
    (self.number, self.address, self.state, self.reason) = (number, address, state, reason)
  }

  /// A node of which nothing is learnt.
  init(_ node: NodePlace, _ error: NodeError) {
    if case .refused(let refusal) = error {
      self.init(number: node.number, address: node.address, refused: refusal)
    } else {
      self.init(
        number: node.number, address: node.address, state: error.isOfData ? .uninitialised : .down,
        reason: error.description)
    }
  }

  private init(number: Int, address: String, refused refusal: NodeRefusal) {
    // Clocks can be set: this is the right process, without an epoch so far.
    self.init(
      number: number, address: address, state: refusal.state(isKnown: false),
      reason: refusal.description)
  }
}

/// A node's knowledge of one token, without a claim.
package struct NodePeek: Sendable, Hashable {
  /// From 1, as in the fleet's address.
  package let number: Int
  /// As it is written.
  package let address: String
  /// The answer to a first claim; nil if it says nothing.
  package let answer: NodeAnswer?
  /// The reason why it says nothing.
  package let reason: String?
  /// It says that all hosts have left its fleet.
  package var isRetired = false
}
