package import MediaTokenSystem

/// The reason why a fleet can't be used: always a fault in the configuration or of the machine, never a verdict on a token.
/// Seats that are down are not such a fault.
package enum FleetError: Error, Sendable, Hashable {
  case address(FleetAddress.Problem)
  /// A seat that must not be asked: its number from 1, and its address as it is written.
  case seat(Int, address: String, SeatRefusal)
  case localTable(ReplayTableError)
  /// The credentials file can't be used.
  case credentials(Problem)
  /// libpq, which speaks to databases, can't be loaded; the loader's words.
  case libpq(String)
  /// A variable of the environment that libpq would follow whatever it is told.
  case environment(String)
  case deadline(found: Int)
  case grace(found: Int)
  /// A grace where the seats are not a database.
  case graceOfNodes
  /// A policy other than the one that the fleet was opened with: the setting, and both values in milliseconds.
  case policy(String, expected: Int64, found: Int64)
  case system(String, SystemError)
  case fault(Fault)
}

extension FleetError: CustomStringConvertible {
  /// The fault, and the cure.
  package var description: String {
    switch self {
    case .address(let problem): problem.description
    case .seat(let number, let address, let refusal): "seat \(number) (\(address)): \(refusal)"
    case .localTable(let error): error.description
    case .credentials(let problem): problem.description
    case .libpq(let failure):
      "libpq can't be loaded: \(DisplayText.escaped(failure)); install it (Debian: libpq5)"
    case .environment(let variable):
      "\(DisplayText.escaped(variable)) is set in the environment, and would change where a database is looked for or how it is logged in to; unset it, and put users and passwords into the credentials file"
    case .deadline(let found):
      "expected a deadline of \(Setting.deadline.range.lowerBound) to \(Setting.deadline.range.upperBound) ms, found \(found)"
    case .grace(let found):
      "expected a grace of \(Setting.grace.range.lowerBound) to \(Setting.grace.range.upperBound) s, found \(found)"
    case .graceOfNodes: "a grace is given, and only a database has one; leave it out with redis:"
    case .policy(let setting, let expected, let found):
      "expected a \(setting) of \(expected) ms, for which the fleet was opened, found \(found); other times mean another fleet, and all hosts move to it together"
    case .system(let call, let error): "\(call) failed: \(error)"
    case .fault(let fault): "the fleet's digest could not be computed: \(fault.answer.wireName)"
    }
  }
}
