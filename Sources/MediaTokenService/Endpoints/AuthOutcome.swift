internal import MediaToken

/// The answer of `/v1/auth` to a proxy.
enum AuthOutcome {
  /// The route needs no token.
  case unprotected
  /// The route needs one, and lists a method that needs none.
  case letThrough
  case decided(TokenOutcome)
  /// 401: the viewer sent no token.
  case noToken
  case refused(RequestError)
}
