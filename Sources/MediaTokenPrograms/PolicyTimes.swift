package import MediaToken
package import MediaTokenCommandLine

/// The options for the times of a policy.
package enum PolicyTimes {
  private static let maxTTL = Option(
    "max-ttl", .number(Policy.maxTTLs, .milliseconds), default: Policy.standard.maxTTLMilliseconds,
    "the longest life that is granted, in milliseconds")
  private static let futureTolerance = Option(
    "future-tolerance", .number(Policy.tolerances, .milliseconds),
    default: Policy.standard.futureToleranceMilliseconds,
    "how far ahead of the clock a token may be issued")
  private static let expiryTolerance = Option(
    "expiry-tolerance", .number(Policy.tolerances, .milliseconds),
    default: Policy.standard.expiryToleranceMilliseconds, "how long after its end a token is still accepted")

  package static let all: [any CommandOption] = [maxTTL, futureTolerance, expiryTolerance]

  /// A policy with the times that were chosen.
  ///
  /// - Throws: a usage error for what is no number, or out of range.
  package static func policy(
    _ arguments: Arguments, unknownFields: Policy.UnknownFields = Policy.standard.unknownFields,
    mvpds: MVPDList = Policy.standard.mvpds
  ) throws(ToolError) -> Policy {
    let (life, future, expiry) = try (
      arguments[maxTTL], arguments[futureTolerance], arguments[expiryTolerance]
    )
    do throws(PolicyError) {
      return try Policy(
        maxTTLMilliseconds: life, futureToleranceMilliseconds: future, expiryToleranceMilliseconds: expiry,
        unknownFields: unknownFields, mvpds: mvpds)
    } catch {
      throw arguments.usage(error.description)
    }
  }
}
