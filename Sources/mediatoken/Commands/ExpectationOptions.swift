internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenJSON

/// The options that say what a token must be for, and when.
struct ExpectationOptions: Sendable {
  let requestor: ExpectedRequestor
  let resource: ExpectedResource
  /// The instant to check at; nil is the system's clock.
  let instant: Instant?

  private static let requestorID = Option(
    "requestor", .text(.requestor), "the requestor that the token must be for")
  private static let anyRequestor = Flag("any-requestor", "accept a token for any requestor")
  private static let resourceID = Option(
    "resource", .text(.resource), "the resource that the token must be for, byte for byte")
  private static let anyResource = Flag("any-resource", "accept a token for any resource")
  static let at = Option(
    "at", .instant, described: "now",
    "check as of this time: ISO 8601 with an offset, or milliseconds since 1970")

  static let all: [any CommandOption] = [requestorID, anyRequestor, resourceID, anyResource, at]

  init(requestor: ExpectedRequestor, resource: ExpectedResource, instant: Instant?) {
    self.requestor = requestor
    self.resource = resource
    self.instant = instant
  }

  /// - Throws: a usage error unless exactly one of each pair was given.
  init(_ arguments: Arguments) throws(ToolError) {
    let requestor = try Self.either(Self.requestorID, Self.anyRequestor, arguments)
    self.requestor = requestor.map { .exactly($0) } ?? .anyRequestor
    let resource = try Self.either(Self.resourceID, Self.anyResource, arguments)
    self.resource = resource.map { .exactly($0) } ?? .anyResource
    instant = try arguments[Self.at]
  }

  /// The value of the first option, or nil if the second was given.
  private static func either(
    _ exact: Option<String?>, _ any: Flag, _ arguments: Arguments
  ) throws(ToolError) -> String? {
    switch (try arguments[exact], arguments.has(any)) {
    case (let text?, false): return text
    case (nil, true): return nil
    case (nil, false): throw arguments.usage("neither \(exact.usage) nor \(any.usage) is given; give one")
    case (_?, true): throw arguments.usage("\(exact.usage) and \(any.usage) are both given; give one")
    }
  }
}

extension ValueForm where Value == Instant {
  /// A moment: ISO 8601 with an offset, or milliseconds since 1970.
  static var instant: Self {
    Self(.instant) { (given) throws(ToolError) in
      guard let instant = Instant(written: given.text) else {
        throw given.expected("ISO 8601 with an offset (2026-11-20T12:00:00Z) or milliseconds since 1970")
      }
      return instant
    }
  }
}
