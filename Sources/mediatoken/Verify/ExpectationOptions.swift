internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenSystem

/// The options for the token's requestor and resource, and for the time.
struct ExpectationOptions: Sendable {
  let requestor: ExpectedRequestor
  let resource: ExpectedResource
  /// Nil is the system's clock.
  let instant: Instant?

  static let requestorID = Option(
    "requestor", .text(.requestor), "the requestor that the token must be for")
  static let anyRequestor = Flag("any-requestor", "accept a token for any requestor")
  static let resource = Option(
    ChoiceNames.resource.option, .exactResource, "the resource that the token must be for, byte for byte")
  static let resourceDocument = Option(
    ChoiceNames.resourceDocument.option, .resourceDocument,
    "a Media RSS document that the token's must be the same as, however it is spelled")
  static let resourceChannel = Option(
    ChoiceNames.resourceChannel.option, .resourceChannel,
    "the channel that the token must be for: this id, or a document whose channel has it as its title")
  static let anyResource = Flag("any-resource", "accept a token for any resource")
  static let at = Option(
    "at", .instant, described: "now",
    "check as of this time: ISO 8601 with an offset, or milliseconds since 1970")

  static let all: [any CommandOption] = [
    requestorID, anyRequestor, resource, resourceDocument, resourceChannel, anyResource, at,
  ]

  /// At most one of them may be given.
  static let resources = [resource, resourceDocument, resourceChannel]

  /// It is a usage error unless keys, and exactly one option for the requestor and one for the resource, were given;
  /// the error names all that is missing.
  init(_ arguments: Arguments) throws(Problem) {
    var needed: [[any CommandOption]] = [
      [TrustOptions.keys, ConfigurationOption.config], [Self.requestorID, Self.anyRequestor],
      Self.resources + [Self.anyResource],
    ]
    // A configuration says what is served.
    if arguments.has(ConfigurationOption.config) { needed = [[Self.requestorID], Self.resources] }
    let missing = needed.filter { options in !options.contains { arguments.has($0) } }
    guard missing.isEmpty else {
      let names = missing.map { $0.map(\.usage).joined(separator: " or ") }
      throw arguments.usage("missing: \(names.joined(separator: "; "))")
    }
    requestor = try Self.requestor(arguments) ?? .anyRequestor
    resource = try Self.resource(arguments) ?? .anyResource
    instant = try arguments[Self.at]
  }

  /// Nil if no option says it.
  static func requestor(_ arguments: Arguments) throws(Problem) -> ExpectedRequestor? {
    try checkOne(of: [requestorID, anyRequestor], arguments)
    if arguments.has(anyRequestor) { return .anyRequestor }
    return try arguments[requestorID].map { .exactly($0) }
  }

  /// Nil if no option says it.
  static func resource(_ arguments: Arguments) throws(Problem) -> ExpectedResource? {
    try checkOne(of: resources + [anyResource], arguments)
    if arguments.has(anyResource) { return .anyResource }
    for option in resources { if let value = try arguments[option] { return value } }
    return nil
  }

  /// Several are a usage error.
  private static func checkOne(of options: [any CommandOption], _ arguments: Arguments) throws(Problem) {
    let given = options.filter { arguments.has($0) }
    guard given.count > 1 else { return }
    throw arguments.usage("\(given[0].usage) and \(given[1].usage) are both given; give one")
  }
}

extension Form<Instant> {
  /// ISO 8601 with an offset, or milliseconds since 1970.
  static var instant: Form {
    text(.instant, isNot: "ISO 8601 with an offset (2026-11-20T12:00:00Z) or milliseconds since 1970") {
      Instant(written: $0)
    }
  }
}
