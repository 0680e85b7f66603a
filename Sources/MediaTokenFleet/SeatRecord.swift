internal import MediaTokenSystem
internal import Synchronization

/// What all threads of this process know of one seat, and what they have counted.
package final class SeatRecord: Sendable {
  /// From 1, as in the fleet's address.
  package let number: Int
  package let address: SeatAddress
  private let processes: SeatProcesses
  private let known: Monitor<Known>

  /// What a greeting has found.
  package struct Greeting: Sendable, Hashable {
    /// From which second on this incarnation of the seat vouches for tokens.
    package let from: Int64
    /// The highest second in which something was spent, as far as the seat knows.
    package let high: Int64
    /// How far the seat's clock is ahead of ours.
    package let clockOffsetSeconds: Int64
    /// Whether the tenure was made by this greeting.
    package let isBorn: Bool
    /// What distinguishes its process from every other.
    package let process: String

    package init(from: Int64, high: Int64, clockOffsetSeconds: Int64, isBorn: Bool, process: String) {
      (self.from, self.high, self.clockOffsetSeconds) = (from, high, clockOffsetSeconds)
      (self.isBorn, self.process) = (isBorn, process)
    }
  }

  private struct Known: Sendable {
    var greeting: Greeting?
    var refusal: SeatRefusal?
    var lanes = 0
    var reconnects: UInt64 = 0
  }

  /// - Parameter processes: shared by the records of one fleet.
  package init(number: Int, address: SeatAddress, _ processes: SeatProcesses = SeatProcesses()) {
    (self.number, self.address, self.processes) = (number, address, processes)
    known = Monitor(Known())
  }

  /// A lane was greeted and may be used.
  ///
  /// - Returns: not nil if it must not be used, as another seat leads to the same process.
  package func laneOpened(_ greeting: Greeting) -> SeatRefusal? {
    if let other = processes.take(greeting.process, forSeat: number) { return .sameProcess(asSeat: other) }
    known.change { known in
      known.greeting = greeting
      known.refusal = nil
      known.lanes += 1
    }
    return nil
  }

  /// A lane has found a new tenure.
  package func learned(_ greeting: Greeting) { known.change { $0.greeting = greeting } }

  /// A lane that was opened is closed, or has grown old; once for each.
  package func laneClosed() {
    let remaining = known.change { known in
      known.lanes -= 1
      return known.lanes
    }
    if remaining == 0 { processes.leave(seat: number) }
  }

  /// A connection that was lost is dialled anew.
  package func reconnecting() { known.change { $0.reconnects += 1 } }

  /// The seat must not be asked.
  package func refused(_ refusal: SeatRefusal) { known.change { $0.refusal = refusal } }
}

/// Why a process that answers is not used as a seat. A seat that is only down is none of these.
package enum SeatRefusal: Sendable, Hashable {
  /// It copies another process.
  case replica
  /// It is a node of a cluster.
  case clusterNode
  /// It is the process that another entry of the list leads to.
  case sameProcess(asSeat: Int)
  /// It is another seat of this fleet.
  case otherSeat
  /// It belongs to another fleet, or to this one with other seats or another policy.
  case otherFleet
  /// It is older than what the scripts need.
  case version(String)
  /// It refuses our user or password, or what the user may do.
  case credentials
  /// Its clock is too far from ours for it to be born.
  case clock(offsetSeconds: Int64)
  /// It does not speak the store's protocol.
  case protocolUnknown
}
