internal import MediaTokenSystem

/// The way of a ``NodeLoop`` to one node of a fleet: below this seam the kind of store is known.
///
/// None of its methods waits. Its connections are watched by the poller that it was made with, under its own number; the
/// caller that waits there calls ``work(at:isReady:_:)`` when one of them is ready or ``nextDeadline`` has come.
package protocol Node: AnyObject {
  /// From 1, as in the fleet's address.
  var number: Int { get }

  /// True if a batch may be sent now: the handshake is done, the node is ours, is not slow, and its address was looked up
  /// so recently that it can't have been given to another process.
  func isUsable(at time: UInt64) -> Bool

  /// True if a batch could be sent if one that was sent before were answered, or the next connection were there: claims
  /// wait for that, until their deadline.
  func isBusy(at time: UInt64) -> Bool

  /// True if there is a connection, or one is being made: if the node can't be asked now, it may be soon.
  var isConnected: Bool { get }

  /// The time of the next work even if nothing is ready, in ``MonotonicTime``; nil: never.
  var nextDeadline: UInt64? { get }

  /// The time when it was heard last, or was asked after that, if a batch waits for its answer; else nil.
  var silentSince: UInt64? { get }

  /// Sends claims in one piece. Only while ``isUsable(at:)``.
  func ask(_ claims: TakenClaims, at time: UInt64)

  /// Reads what came, maintains the connections, and delivers the ends of batches, in any order: each has one. `isReady`: a
  /// connection of this node is ready.
  func work(at time: UInt64, isReady: Bool, _ hear: (NodeReply) -> Void)

  /// Batches that wait have no reply.
  func close()
}

extension Node {
  /// Most kinds of nodes take a batch while others wait for their answers.
  package func isBusy(at time: UInt64) -> Bool { false }
}

/// The end of a batch that a node was sent.
package struct NodeReply {
  package let claims: TakenClaims
  package let end: End

  package enum End {
    /// One for each claim, in order.
    case answered([NodeAnswer])
    /// The node has no answer for the whole batch.
    case unanswered
    /// The connection was lost: it is not known whether the node has taken the claims.
    case lost
  }
}

/// A kind of store whose processes can be nodes.
protocol NodeEngine: Sendable {
  /// The threads that ask the nodes, one record for each; they are not started yet.
  func makeAskers(_ records: [NodeRecord]) throws(SystemError) -> any NodeAskers
}
