/// Why a replay memory can't be used: always a fault in the configuration or of the machine, never a verdict on a token.
package enum ReplayMemoryError: Error, Sendable, Hashable {
  /// A text that is no ``ReplayAddress``.
  case address(ReplayAddress.Problem)
  /// A shared table's.
  case table(ReplayTableError)
  /// A fleet's, or that of one of its seats.
  case fleet(FleetError)
}

extension ReplayMemoryError: CustomStringConvertible {
  /// Which memory, what is wrong with it, and what to do.
  package var description: String {
    switch self {
    case .address(let problem): problem.description
    case .table(let error): error.description
    case .fleet(let error): error.description
    }
  }
}
