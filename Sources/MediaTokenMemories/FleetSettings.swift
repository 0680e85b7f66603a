public import MediaTokenFleet

/// What a fleet is opened with besides its address and the times of a policy.
public struct FleetSettings: Sendable, Hashable {
  /// The file with the users and passwords of the seats; nil: they ask for none.
  public var credentialsFile: String?
  /// For how long a claim waits for the seats, in ``FleetOptions/deadlines``.
  public var deadlineMilliseconds: Int
  /// A table of this host that refuses what was used here already, and is a second lock.
  public var localTable: FleetOptions.LocalTable?

  /// Settings with these values.
  public init(
    credentialsFile: String? = nil, deadlineMilliseconds: Int = FleetOptions.usualDeadlineMilliseconds,
    localTable: FleetOptions.LocalTable? = nil
  ) {
    (self.credentialsFile, self.deadlineMilliseconds) = (credentialsFile, deadlineMilliseconds)
    self.localTable = localTable
  }

  /// No credentials, no local table, and the usual deadline.
  public static let standard = FleetSettings()
}
