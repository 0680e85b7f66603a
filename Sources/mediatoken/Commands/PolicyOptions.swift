internal import CommandLineOptions
internal import MediaToken

/// The options that make a policy.
enum PolicyOptions {
  static let maxTTL = Option.value(
    "max-ttl", "MS", "the longest life that is granted, in milliseconds (default 3600000)")
  static let futureTolerance = Option.value(
    "future-tolerance", "MS", "how far ahead of the clock a token may be issued (default 60000)")
  static let expiryTolerance = Option.value(
    "expiry-tolerance", "MS", "how long after its end a token is still accepted (default 0)")
  static let unknownFields = Option.value(
    "unknown-fields", "report|reject", "what to do with signed fields of other names (default report)")
  static let allowMVPD = Option.value(
    "allow-mvpd", "ID", repeatable: true, "accept this provider and no other that is not allowed")
  static let denyMVPD = Option.value("deny-mvpd", "ID", repeatable: true, "refuse this provider")

  static let all = [maxTTL, futureTolerance, expiryTolerance, unknownFields, allowMVPD, denyMVPD]

  /// - Throws: a usage error for a value that cannot be meant.
  static func policy(_ arguments: Arguments) throws(ToolError) -> Policy {
    let standard = Policy.standard
    let span = Limits.policySpanMilliseconds
    let allowed = arguments.texts(allowMVPD)
    let mvpds = MVPDList(allowing: allowed.isEmpty ? nil : allowed, denying: arguments.texts(denyMVPD))
    let maxTTL = try arguments.number(maxTTL, in: 1...span) ?? standard.maxTTLMilliseconds
    let future = try arguments.number(futureTolerance, in: 0...span) ?? standard.futureToleranceMilliseconds
    let expiry = try arguments.number(expiryTolerance, in: 0...span) ?? standard.expiryToleranceMilliseconds
    let unknown = try arguments.word(unknownFields, of: Policy.UnknownFields.self) ?? standard.unknownFields
    do throws(PolicyError) {
      return try Policy(
        maxTTLMilliseconds: maxTTL, futureToleranceMilliseconds: future, expiryToleranceMilliseconds: expiry,
        unknownFields: unknown, mvpds: mvpds)
    } catch {
      throw arguments.usage(error.description)
    }
  }
}
