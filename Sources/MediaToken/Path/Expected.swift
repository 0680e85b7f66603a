internal import MediaTokenSystem

/// The requestor that the caller serves. There is no default: "any" is a choice with a name.
public enum ExpectedRequestor: Sendable, Hashable {
  /// The token's `requestorID` must have exactly these UTF-8 bytes. An empty text matches no token.
  case exactly(ExactText)
  /// Every requestor that a token can be issued for. Only for tools, and for callers that compare
  /// ``VerifiedToken/requestorID`` themselves.
  case anyRequestor
  /// No token: the caller does not serve the requestor that it was asked about. A forged or expired token is still refused as
  /// that, every other one with `INVALID_REQUESTOR_ID` and ``Refusal/Reason/unservedRequestor``, and no token is spent.
  case noMatch

  /// The same as ``exactly(_:)-swift.enum.case``, for text that is at hand as a `String`.
  public static func exactly(_ text: String) -> ExpectedRequestor { .exactly(ExactText(text)) }
}

/// The resource that is about to be played. There is no default: "any" is a choice with a name.
public enum ExpectedResource: Sendable, Hashable {
  /// The token's decoded `resourceID` must have exactly these UTF-8 bytes. An empty text matches no token.
  case exactly(ExactText)
  /// The token's resource must be a document that says the same as this one, however either is spelled. A plain id is never
  /// the same as a document.
  indirect case sameDocument(ResourceDocument)
  /// The token's resource must be this channel's: its plain id, or a document whose channel has this title, whatever it names
  /// below that.
  case channel(ChannelID)
  /// Every resource that a token can be issued for. Only for tools, and for callers that compare
  /// ``VerifiedToken/resourceID`` themselves.
  case anyResource
  /// No token: the caller does not play the resource that it was asked about. A forged or expired token is still refused as
  /// that, every other one with `INVALID_RESOURCE_ID`, and no token is spent.
  case noMatch

  /// The same as ``exactly(_:)-swift.enum.case``, for text that is at hand as a `String`.
  public static func exactly(_ text: String) -> ExpectedResource { .exactly(ExactText(text)) }

  /// The same as ``sameDocument(_:)``, for a document that is at hand as text.
  ///
  /// - Throws: ``ResourceDocumentError`` if it is not one.
  public static func sameDocument(as text: String) throws(ResourceDocumentError) -> ExpectedResource {
    .sameDocument(try ResourceDocument(text))
  }

  /// The same as ``channel(_:)-swift.enum.case``, for an id that is at hand as text.
  ///
  /// - Throws: ``ResourceDocumentError`` for an empty id, and for one that is written as a document.
  public static func channel(_ id: String) throws(ResourceDocumentError) -> ExpectedResource {
    .channel(try ChannelID(id))
  }
}

/// The meaning of a text that names the expected resource.
package enum ResourceForm: Sendable, Hashable {
  /// The very text of the token's resource.
  case exact
  /// A Media RSS document, which the token's must be the same as.
  case document
  /// The id of the token's channel.
  case channel
}

extension ExpectedResource {
  package init(_ text: ExactText, as form: ResourceForm) throws(ResourceDocumentError) {
    switch form {
    case .exact: self = .exactly(text)
    case .document: self = try .sameDocument(as: text.text)
    case .channel: self = try .channel(text.text)
    }
  }

  /// The resource of the only one of three texts; nil if all are missing. `several`: the error for more than one, of
  /// which none is ever chosen.
  package static func oneOf(
    exact: String?, document: String?, channel: String?, several: @autoclosure () -> Problem
  ) throws(Problem) -> ExpectedResource? {
    let texts = [(exact, ResourceForm.exact), (document, .document), (channel, .channel)]
    let given = texts.compactMap { text, form in text.map { ($0, form) } }
    guard let (text, form) = given.first else { return nil }
    guard given.count == 1 else { throw several() }
    return try rethrow(ExpectedResource(ExactText(text), as: form)) { (error: ResourceDocumentError) in
      Problem("the expected resource cannot be used: \(error)", code: error.fault?.answer.wireName)
    }
  }
}

/// A literal is as written-out as ``exactly(_:)-swift.enum.case``.
extension ExpectedRequestor: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self = .exactly(text) }
}

/// A literal is as written-out as ``exactly(_:)-swift.enum.case``.
extension ExpectedResource: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self = .exactly(text) }
}
