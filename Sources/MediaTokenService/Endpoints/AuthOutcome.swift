internal import MediaToken
internal import MediaTokenFormats

/// The answer of `/v1/auth` to a proxy.
enum AuthOutcome {
  /// The route needs no token.
  case unprotected
  /// The route needs one, and lists a method that needs none.
  case letThrough
  case decided(Result<AuthToken, Refusal>)
  /// 401: the viewer sent no token.
  case noToken
  case refused(RequestError)
}

/// The outcome of a token at `/v1/auth` that no step refused.
enum AuthToken: Sendable {
  /// It was spent on this request, and brings what the route hands over.
  case valid(VerifiedToken, HandedOver?)
  /// The request plays nothing, so it was not spent.
  case notSpent(NotSpentToken)
  /// The answer's headers have no room for what they must say, so it was not spent.
  case tooLong(NotSpentToken)
}

extension AuthToken: DecidedToken {
  func count(in counters: Counters, of state: ServingState) {
    switch self {
    case .valid(let token, _): token.count(in: counters, of: state)
    case .notSpent, .tooLong: counters.add(.notSpent)
    }
  }

  func writeLogMembers(to writer: inout JSONWriter, of state: ServingState) {
    switch self {
    case .valid(let token, _): token.writeLogMembers(to: &writer, of: state)
    case .notSpent(let token): token.writeLogMembers(to: &writer)
    case .tooLong(let token):
      token.writeLogMembers(to: &writer)
      writer.member("error", RequestError.headerTooLong.name)
    }
  }
}
