/// The meaning of a database's error, by its code (SQLSTATE; PostgreSQL, appendix A). `MT…` are the schema's own.
enum ServerState: Hashable {
  /// The data have no epoch, or had it for other data.
  case noEpoch
  case refused(NodeRefusal)
  /// Its clock is too far from ours for a start.
  case clock
  /// It has an epoch, although the operator vouched that it never had one.
  case hasEpoch
  /// This member is not the primary, or is ending or starting: another may be.
  case otherMember
  /// The same question may be answered if it is asked once more.
  case again
  /// It has no answer now.
  case none

  static let otherFleet = "MT002"

  /// The words come with the code.
  init(_ code: String, _ words: String) {
    switch code {
    case "MT001": self = .noEpoch
    case Self.otherFleet: self = .refused(.otherFleet)
    case "MT003": self = .clock
    case "MT004": self = .hasEpoch
    case "MT005": self = .refused(.isolation)
    case "MT006": self = .refused(.notDurable)
    // read_only_sql_transaction.
    case "25006": self = .refused(.takesNoWrites(StoreWords("SQLSTATE \(code): \(words)")))
    // The words of a server that is ending, has crashed or is starting.
    case "MT007", "57P01", "57P02", "57P03": self = .otherMember
    // serialization_failure, deadlock_detected, lock_not_available, query_canceled.
    case "40001", "40P01", "55P03", "57014": self = .again
    // insufficient_privilege.
    case "42501": self = .refused(.denied(StoreWords(words)))
    // The database, the schema, a table or a function is not there.
    case "3D000", "3F000", "42P01", "42883": self = .refused(.noSchema)
    // Classes: refused log-ins, and a lack of memory, disk or connections.
    case _ where code.hasPrefix("28"): self = .refused(.denied(StoreWords(words)))
    case _ where code.hasPrefix("53"): self = .again
    default: self = .none
    }
  }
}
