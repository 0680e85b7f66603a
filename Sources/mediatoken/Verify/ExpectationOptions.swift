internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenSystem

/// The options that say what a token must be for, and when.
struct ExpectationOptions: Sendable {
  let requestor: ExpectedRequestor
  let resource: ExpectedResource
  /// The instant to check at; nil is the system's clock.
  let instant: Instant?

  static let requestorID = Option(
    "requestor", .text(.requestor), "the requestor that the token must be for")
  static let anyRequestor = Flag("any-requestor", "accept a token for any requestor")
  static let resource = Option(
    "resource", .exactResource, "the resource that the token must be for, byte for byte")
  static let resourceDocument = Option(
    "resource-document", .resourceDocument,
    "a Media RSS document that the token's must be the same as, however it is spelled")
  static let resourceChannel = Option(
    "resource-channel", .resourceChannel,
    "the channel that the token must be for: this id, or a document whose channel has it as its title")
  static let anyResource = Flag("any-resource", "accept a token for any resource")
  static let at = Option(
    "at", .instant, described: "now",
    "check as of this time: ISO 8601 with an offset, or milliseconds since 1970")

  static let all: [any CommandOption] = [
    requestorID, anyRequestor, resource, resourceDocument, resourceChannel, anyResource, at,
  ]

  /// The options for a resource, of which one may be given.
  static let resources = [resource, resourceDocument, resourceChannel]

  init(requestor: ExpectedRequestor, resource: ExpectedResource, instant: Instant?) {
    self.requestor = requestor
    self.resource = resource
    self.instant = instant
  }

  /// - Throws: a usage error unless keys, and exactly one option for the requestor and one for the resource, were given; it
  ///   names all that is missing.
  init(_ arguments: Arguments) throws(ToolError) {
    let needed: [[any CommandOption]] = [
      [SharedOptions.keys], [Self.requestorID, Self.anyRequestor], Self.resources + [Self.anyResource],
    ]
    let missing = needed.filter { options in !options.contains { arguments.has($0) } }
    guard missing.isEmpty else {
      let names = missing.map { $0.map(\.usage).joined(separator: " or ") }
      throw arguments.usage("missing: \(names.joined(separator: "; "))")
    }
    let requestor = try Self.either(Self.requestorID, Self.anyRequestor, arguments)
    self.requestor = requestor.map { .exactly($0) } ?? .anyRequestor
    let given = try Self.resource(arguments)
    if let given, arguments.has(Self.anyResource) {
      throw arguments.usage("\(given.option.usage) and \(Self.anyResource.usage) are both given; give one")
    }
    resource = given?.value ?? .anyResource
    instant = try arguments[Self.at]
  }

  /// What is expected of the resource, and by which option; nil if none says it.
  static func resource(
    _ arguments: Arguments
  ) throws(ToolError) -> (option: Option<ExpectedResource?>, value: ExpectedResource)? {
    var found: (option: Option<ExpectedResource?>, value: ExpectedResource)?
    for option in resources {
      guard let value = try arguments[option] else { continue }
      if let found {
        throw arguments.usage("\(found.option.usage) and \(option.usage) are both given; give one")
      }
      found = (option, value)
    }
    return found
  }

  /// The value of the first option; nil without it, because then the second was given.
  private static func either(
    _ exact: Option<String?>, _ any: Flag, _ arguments: Arguments
  ) throws(ToolError) -> String? {
    let text = try arguments[exact]
    guard text == nil || !arguments.has(any) else {
      throw arguments.usage("\(exact.usage) and \(any.usage) are both given; give one")
    }
    return text
  }
}

extension ValueForm where Value == ExpectedResource {
  /// The exact text of a resource.
  fileprivate static var exactResource: Self { form(.exact, .resource, "a resource") }

  /// A document.
  fileprivate static var resourceDocument: Self { form(.document, .text, "a Media RSS document") }

  /// The id of a channel.
  fileprivate static var resourceChannel: Self { form(.channel, .resource, "a channel's id") }

  private static func form(_ form: ResourceForm, _ kind: ValueKind, _ what: String) -> Self {
    Self(kind) { (given) throws(ToolError) in
      try rethrow(ExpectedResource(ExactText(given.text), as: form)) { (error: ResourceDocumentError) in
        error.fault.map { VerifyCommand.noVerdict($0.answer) } ?? given.isNot(what, cure: "\(error)")
      }
    }
  }
}

extension ValueForm where Value == Instant {
  /// A moment: ISO 8601 with an offset, or milliseconds since 1970.
  static var instant: Self {
    Self(.instant) { (given) throws(ToolError) in
      guard let instant = Instant(written: given.text) else {
        throw given.isNot("ISO 8601 with an offset (2026-11-20T12:00:00Z) or milliseconds since 1970")
      }
      return instant
    }
  }
}
