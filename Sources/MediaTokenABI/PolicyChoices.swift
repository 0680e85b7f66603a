internal import CMediaToken
internal import MediaToken
internal import MediaTokenSystem

/// A `mediatoken_policy` in Swift's types.
struct PolicyChoices {
  let policy: Policy
  let retryWindowMilliseconds: Int64
  /// Nil if nothing was chosen for a fleet.
  let fleet: FleetSettings?

  /// The struct's sizes in bytes before there were fleets, and lists of proxies.
  private static let formerSizes = [80, 120]

  /// The most names in a list: more than there are providers.
  private static let mostNames = 65_536

  /// NULL stands for the defaults.
  ///
  /// - Throws: ``Failure/badArgument(_:)`` for a value that is out of its range, ``Failure/badSize(_:)``.
  init(_ given: UnsafePointer<mediatoken_policy>?) throws(Failure) {
    guard let given = unsafe given else {
      policy = .standard
      retryWindowMilliseconds = 0
      fleet = nil
      return
    }
    let choices = try unsafe GivenStruct.copy(given, "policy", formerSizes: Self.formerSizes)
    fleet = try unsafe Self.fleet(choices)
    retryWindowMilliseconds = try Self.checked(unsafe choices.retry_window_ms, .retryWindow)
    let unknownFields = try unsafe Self.unknownFields(choices.unknown_fields)
    let mvpds = try unsafe Self.mvpds(choices)
    policy = try rethrow(
      unsafe Policy(
        maxTTLMilliseconds: choices.max_ttl_ms, futureToleranceMilliseconds: choices.future_tolerance_ms,
        expiryToleranceMilliseconds: choices.expiry_tolerance_ms, unknownFields: unknownFields, mvpds: mvpds)
    ) { (error: Problem) in Failure.badArgument(error.description) }
  }

  private static func fleet(_ choices: mediatoken_policy) throws(Failure) -> FleetSettings? {
    let (credentials, table) = unsafe (choices.fleet_credentials, choices.local_table)
    let (deadline, grace) = unsafe (choices.fleet_deadline_ms, choices.fleet_grace_seconds)
    if deadline == 0, grace == 0, unsafe GivenText.isAbsent(credentials), unsafe GivenText.isAbsent(table) {
      return nil
    }
    var settings = FleetSettings.standard
    if deadline != 0 { settings.deadlineMilliseconds = Int(try checked(Int64(deadline), .deadline, ", or 0")) }
    if grace != 0 { settings.graceSeconds = Int(try checked(Int64(grace), .grace, ", or 0")) }
    if unsafe !GivenText.isAbsent(credentials) {
      settings.credentialsFile = try unsafe GivenText.text(credentials, "fleet_credentials")
    }
    if unsafe !GivenText.isAbsent(table) {
      settings.localTable = FleetOptions.LocalTable(path: try unsafe GivenText.text(table, "local_table"))
    }
    return settings
  }

  private static func checked(_ value: Int64, _ setting: Setting, _ or: String = "") throws(Failure) -> Int64 {
    try rethrow(setting.check(value, as: setting.member, or: or)) { (error: Problem) in
      Failure.badArgument(error.description)
    }
    return value
  }

  private static func unknownFields(_ choice: UInt32) throws(Failure) -> Policy.UnknownFields {
    switch choice {
    case UInt32(MEDIATOKEN_UNKNOWN_FIELDS_REPORT): .report
    case UInt32(MEDIATOKEN_UNKNOWN_FIELDS_REJECT): .reject
    default: throw .badArgument("expected MEDIATOKEN_UNKNOWN_FIELDS_... in unknown_fields, found \(choice)")
    }
  }

  private static func mvpds(_ choices: mediatoken_policy) throws(Failure) -> MVPDList {
    let allowed = try unsafe names(choices.allowed_mvpds, choices.allowed_mvpd_count, "allowed_mvpds")
    let proxies = try unsafe names(
      choices.allowed_proxy_mvpds, choices.allowed_proxy_mvpd_count, "allowed_proxy_mvpds")
    let denied = try unsafe names(choices.denied_mvpds, choices.denied_mvpd_count, "denied_mvpds")
    return MVPDList(
      allowing: try unsafe listed(allowed, by: choices.mvpds, "mvpds"),
      allowingProxies: try unsafe listed(proxies, by: choices.proxy_mvpds, "proxy_mvpds"), denying: denied)
  }

  /// Nil where everything is allowed.
  private static func listed(
    _ names: [ExactText], by choice: UInt32, _ field: StaticString
  ) throws(Failure) -> [ExactText]? {
    switch choice {
    case UInt32(MEDIATOKEN_MVPDS_LISTED): return names
    case UInt32(MEDIATOKEN_MVPDS_ALL):
      guard names.isEmpty else {
        throw .badArgument(
          "allowed_\(field) are given with MEDIATOKEN_MVPDS_ALL; set \(field) to MEDIATOKEN_MVPDS_LISTED")
      }
      return nil
    default: throw .badArgument("expected MEDIATOKEN_MVPDS_... in \(field), found \(choice)")
    }
  }

  private static func names(
    _ start: UnsafePointer<mediatoken_text>?, _ count: Int, _ list: StaticString
  ) throws(Failure) -> [ExactText] {
    guard (0...mostNames).contains(count) else {
      throw .badArgument("there are more than \(mostNames) names in \(list)")
    }
    guard count > 0 else { return [] }
    guard let start = unsafe start else { throw .badArgument("\(list) is NULL, but its count is \(count)") }
    var names: [ExactText] = []
    // SAFETY: the caller says that there are this many, and keeps them until the call returns.
    for index in 0..<count { names.append(ExactText(try unsafe GivenText.name(start[index], list))) }
    return names
  }
}
