internal import MediaTokenSystem

/// A method that a route may let through (RFC 9110 section 9.3, RFC 5789). TRACE, CONNECT and methods that are not here are let
/// through by no route.
enum ViewerMethod: String, Sendable, Hashable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"

  /// What media needs, and nothing that changes anything.
  static let ordinary: Set<ViewerMethod> = [.get, .head]

  /// The method of these bytes, exactly: methods are case-sensitive (RFC 9110 section 9.1).
  init?(_ bytes: Span<UInt8>) {
    for method in Self.allCases {
      let name = method.rawValue
      guard bytes.hasSameBytes(as: name.utf8Span.span) else { continue }
      self = method
      return
    }
    return nil
  }

  /// What has to be done with a token before the method is let through.
  enum Price {
    /// It is used.
    case use
    /// It is verified and stays unused: the answer to a HEAD has no body (RFC 9110 section 9.3.2), so nothing plays.
    case look
    /// No token is asked for: an OPTIONS is about a resource and not for it, and a browser sends none with it.
    case nothing
  }

  /// Whatever may bring a body costs a use.
  var price: Price {
    switch self {
    case .head: .look
    case .options: .nothing
    case .get, .post, .put, .patch, .delete: .use
    }
  }
}
