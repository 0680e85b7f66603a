package import MediaTokenSystem

/// One thread's way to one seat of a fleet: the seam below which the kind of store is known, and above which it is not.
///
/// None of its methods waits. Its connections are watched by the poller that it was made with, under its own number; the
/// caller that waits there calls ``work(at:isReady:_:)`` when one of them is ready or ``nextDeadline`` has come.
package protocol Seat: AnyObject {
  /// From 1, as in the fleet's address.
  var number: Int { get }

  /// True if a batch may be sent now: the handshake is done, the seat is ours, is not slow, and its address was looked up
  /// so recently that it can't have been given to another process.
  func isUsable(at time: UInt64) -> Bool

  /// True if a batch could be sent if one that was sent before were answered, or the next connection were there: claims
  /// wait for that, until their deadline.
  func isBusy(at time: UInt64) -> Bool

  /// True if there is a connection, or one is being made: if the seat can't be asked now, it may be soon.
  var isConnected: Bool { get }

  /// The time of the next work even if nothing is ready, in ``MonotonicTime``; nil: never.
  var nextDeadline: UInt64? { get }

  /// Sends a batch in one piece. Only while ``isUsable(at:)``. The number comes back with the reply; every batch has
  /// another.
  func ask(_ batch: ClaimBatch, number: UInt64, at time: UInt64)

  /// Reads what came, tends the connections, and delivers the replies to batches, in any order. A batch has one reply at
  /// most: one that is lost has none. `isReady`: a connection of this seat is ready.
  func work(at time: UInt64, isReady: Bool, _ hear: (SeatReply) -> Void)

  /// Batches that wait have no reply.
  func close()
}

extension Seat {
  /// Most kinds of seats take a batch while others wait for their answers.
  package func isBusy(at time: UInt64) -> Bool { false }
}

/// A seat's reply to a batch.
package struct SeatReply: Sendable, Hashable {
  package let batch: UInt64
  /// One for each claim, in order; nil if the seat has no answer for the whole batch.
  package let answers: [SeatAnswer]?
}

/// A kind of store whose processes can be seats.
package protocol SeatEngine: Sendable {
  /// The ways to a seat that the callers that wait may have together.
  var mostBlockingCallers: Int { get }

  /// A way to one seat for the calling thread. The record is told what is seen of the seat; the poller watches the
  /// connections, each under the seat's number.
  func makeSeat(_ record: SeatRecord, watchedBy poller: Poller) -> any Seat
}

extension SeatEngine {
  /// As many as there are callers.
  package var mostBlockingCallers: Int { .max }
}
