internal import CommandLineOptions
internal import MediaToken

/// The options that make a policy.
enum PolicyOptions {
  static let unknownFields = Option.value(
    "unknown-fields", "report|reject", "what to do with signed fields of other names (default report)")
  static let allowMVPD = Option.value(
    "allow-mvpd", "ID", repeatable: true, "accept this provider and no other that is not allowed")
  static let denyMVPD = Option.value("deny-mvpd", "ID", repeatable: true, "refuse this provider")

  static let all = PolicyTimes.all + [unknownFields, allowMVPD, denyMVPD]

  /// - Throws: a usage error for a value that cannot be meant.
  static func policy(_ arguments: Arguments) throws(ToolError) -> Policy {
    let allowed = arguments.texts(allowMVPD)
    let mvpds = MVPDList(allowing: allowed.isEmpty ? nil : allowed, denying: arguments.texts(denyMVPD))
    let times = try PolicyTimes(arguments)
    let unknown = try arguments.word(unknownFields, of: Policy.UnknownFields.self) ?? Policy.standard.unknownFields
    return try times.policy(arguments, unknownFields: unknown, mvpds: mvpds)
  }
}
