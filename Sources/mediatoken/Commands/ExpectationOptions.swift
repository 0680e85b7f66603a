internal import CommandLineOptions
internal import MediaToken
internal import MediaTokenJSON

/// The options that say what a token must be for, and when.
struct ExpectationOptions: Sendable {
  let requestor: ExpectedRequestor
  let resource: ExpectedResource
  /// The instant to check at; nil is the system's clock.
  let instant: Instant?

  static let requestorID = Option.value("requestor", "ID", "the requestor that the token must be for")
  static let anyRequestor = Option.flag("any-requestor", "accept a token for any requestor")
  static let resourceID = Option.value("resource", "ID", "the resource that the token must be for, byte for byte")
  static let anyResource = Option.flag("any-resource", "accept a token for any resource")
  static let at = Option.value(
    "at", "TIME", "check as of this time: ISO 8601 with an offset, or milliseconds since 1970 (default: now)")

  static let all = [requestorID, anyRequestor, resourceID, anyResource, at]

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
    instant = try Self.instant(Self.at, arguments)
  }

  /// The instant in an option's value, or nil if the option is absent.
  static func instant(_ option: Option, _ arguments: Arguments) throws(ToolError) -> Instant? {
    guard let text = arguments.text(option) else { return nil }
    guard let instant = Instant(written: text) else {
      throw arguments.usage(
        "expected ISO 8601 with an offset (2026-11-20T12:00:00Z) or milliseconds since 1970 in \(option.usage)")
    }
    return instant
  }

  /// The value of the first option, or nil if the second was given.
  private static func either(
    _ exact: Option, _ any: Option, _ arguments: Arguments
  ) throws(ToolError) -> String? {
    switch (arguments.text(exact), arguments.has(any)) {
    case (let text?, false): return text
    case (nil, true): return nil
    case (nil, false): throw arguments.usage("expected \(exact.usage) or \(any.usage), found neither")
    case (_?, true): throw arguments.usage("expected \(exact.usage) or \(any.usage), found both")
    }
  }
}
