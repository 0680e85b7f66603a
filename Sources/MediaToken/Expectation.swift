/// The requestor that the caller serves. There is no default: "any" is a choice with a name.
public enum ExpectedRequestor: Sendable, Hashable {
  /// The token's `requestorID` must have exactly these UTF-8 bytes. An empty text matches no token.
  case exactly(String)
  /// Whoever the token was issued for. Only for tools and for callers that compare it themselves.
  case anyRequestor
}

/// The resource that is about to be played. There is no default: "any" is a choice with a name.
public enum ExpectedResource: Sendable, Hashable {
  /// The token's decoded `resourceID` must have exactly these UTF-8 bytes. An empty text matches no token.
  case exactly(String)
  /// Whatever the token was issued for. Only for tools and for callers that compare it themselves.
  case anyResource
}
