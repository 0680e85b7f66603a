/// A claim that a door brings to the desk.
struct NewClaim {
  let claim: UseClaim
  /// The door's name of it.
  let name: UInt64
  let caller: ClaimCaller
  /// For it alone, unless one of an earlier fault is kept.
  let ballot: Ballot
  /// Which of the fleets this one is that a joint host asks; nil: it asks no other one.
  var side: JointTally.Side?
}

/// A claim that has no answer yet.
struct OpenClaim {
  let claim: UseClaim
  let door: any ClaimDoor
  let name: UInt64
  let caller: ClaimCaller
  let side: JointTally.Side?
  /// The time when it came, and the end of its wait, both in ``MonotonicTime``.
  let since: UInt64
  var deadline: UInt64
  var place = Place.joined
  var origin: BallotOrigin
  var tally: Tally
  /// The nodes that were asked about it, and those that will say nothing more.
  var asked = NodeSet()
  var answered = NodeSet()
  /// The nodes whose connection was lost after it had been sent: they are asked again.
  var returned = NodeSet()

  enum Place {
    /// Another claim of its token asks.
    case joined
    /// To be sent.
    case waiting
    /// Sent to one node at least.
    case asked
    /// The nodes gave it the token, and the host's own table or another fleet has the last word.
    case settling
  }

  /// The origin of a claim's ballot.
  enum BallotOrigin {
    /// Random, made for this claim.
    case chance
    /// Random, made for an earlier claim of the token, which ended with a fault.
    case kept
    case request
  }

  /// True if no node has it, so that it can be given up.
  var isUnsent: Bool { place == .joined || place == .waiting }
}

/// The end of a claim, for the door that it came through.
struct ClaimEnd {
  let door: any ClaimDoor
  let name: UInt64
  let result: Result<UseOutcome, Fault>
  /// Set if the nodes gave it the token, and the host's own table or another fleet has the last word.
  var unsettled: Unsettled?
  var settler: (any ClaimSettler)?

  /// The claim, and its number at the desk.
  struct Unsettled {
    let number: UInt64
    let claim: UseClaim
  }

  /// The result: a first use of the fleet must be one of this host, too. On the door's thread, because the table's disk may be slow. To
  /// be called once for every end.
  func settled() -> Result<UseOutcome, Fault> { settler?.settle(self) ?? result }
}

/// What finds the last word of a claim, and tells the desk.
protocol ClaimSettler: Sendable {
  func settle(_ end: ClaimEnd) -> Result<UseOutcome, Fault>
}

/// The place where claims come from, and where their ends go.
protocol ClaimDoor: AnyObject, Sendable {
  /// The desk takes a claim under this number. It is called with the desk's lock held. False if its caller has left: then nothing is
  /// asked.
  func takes(_ name: UInt64, as number: UInt64) -> Bool

  /// An end, on any thread. It doesn't call the desk. False if its caller has left.
  func put(_ end: ClaimEnd) -> Bool

  /// All ends of this moment were put.
  func ring()
}

extension ClaimDoor {
  func takes(_ name: UInt64, as number: UInt64) -> Bool { true }
  func ring() {}
}

/// Claims as a node takes them: in one piece.
package struct TakenClaims: Sendable {
  /// Their numbers at the desk, in the order of the batch.
  let numbers: [UInt64]
  let batch: ClaimBatch
  /// The last one of their deadlines.
  let deadline: UInt64

  package init(numbers: [UInt64], batch: ClaimBatch, deadline: UInt64) {
    (self.numbers, self.batch, self.deadline) = (numbers, batch, deadline)
  }
}
