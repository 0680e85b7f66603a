package import MediaToken

/// The times of a policy, as options name them.
package struct PolicyTimes {
  package static let maxTTL = Option.value(
    "max-ttl", "MS", "the longest life that is granted, in milliseconds (default 3600000)")
  package static let futureTolerance = Option.value(
    "future-tolerance", "MS", "how far ahead of the clock a token may be issued (default 60000)")
  package static let expiryTolerance = Option.value(
    "expiry-tolerance", "MS", "how long after its end a token is still accepted (default 0)")

  package static let all = [maxTTL, futureTolerance, expiryTolerance]

  private let maxTTL: Int64
  private let futureTolerance: Int64
  private let expiryTolerance: Int64

  /// - Throws: a usage error for what is no number, or too large.
  package init(_ arguments: Arguments) throws(ToolError) {
    let (standard, span) = (Policy.standard, Limits.policySpanMilliseconds)
    maxTTL = try arguments.number(Self.maxTTL, in: 1...span) ?? standard.maxTTLMilliseconds
    futureTolerance =
      try arguments.number(Self.futureTolerance, in: 0...span) ?? standard.futureToleranceMilliseconds
    expiryTolerance =
      try arguments.number(Self.expiryTolerance, in: 0...span) ?? standard.expiryToleranceMilliseconds
  }

  /// A policy with these times.
  ///
  /// - Throws: a usage error for times that cannot be meant together.
  package func policy(
    _ arguments: Arguments, unknownFields: Policy.UnknownFields = Policy.standard.unknownFields,
    mvpds: MVPDList = Policy.standard.mvpds
  ) throws(ToolError) -> Policy {
    do throws(PolicyError) {
      return try Policy(
        maxTTLMilliseconds: maxTTL, futureToleranceMilliseconds: futureTolerance,
        expiryToleranceMilliseconds: expiryTolerance, unknownFields: unknownFields, mvpds: mvpds)
    } catch {
      throw arguments.usage(error.description)
    }
  }
}
