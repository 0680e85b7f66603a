internal import MediaTokenSystem

/// Which process each seat of a fleet leads to, as far as this process has seen: one process must not be two seats.
package final class SeatProcesses: Sendable {
  private let processes: Monitor<[Int: String]>

  package init() { processes = Monitor([:]) }

  /// Remembers which process a seat leads to, unless another seat leads to it.
  ///
  /// - Returns: that other seat, if there is one.
  func take(_ process: String, forSeat number: Int) -> Int? {
    processes.change { processes in
      if let other = processes.filter({ $0.key != number && $0.value == process }).keys.min() { return other }
      processes[number] = process
      return nil
    }
  }

  /// The seat leads to none now.
  func leave(seat number: Int) { processes.change { $0[number] = nil } }
}
