/// Why the inspector does not look at a request.
enum InspectorRefusal: Int, CaseIterable, Sendable {
  /// 403: `Host` is not the inspector's own address: a name that another site has made lead here.
  case foreignHost
  /// 403: another site's page asks.
  case foreignSite
  /// 404: everything that the other listeners serve, too.
  case notFound
  /// 405.
  case methodNotAllowed
  /// 400: a file has no query.
  case query

  var status: UInt16 {
    switch self {
    case .foreignHost, .foreignSite: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .query: 400
    }
  }

  /// For programs.
  var name: String {
    switch self {
    case .foreignHost: "foreign-host"
    case .foreignSite: "foreign-site"
    case .notFound: "not-found"
    case .methodNotAllowed: "method-not-allowed"
    case .query: "bad-parameter"
    }
  }

  /// For people.
  var detail: String {
    switch self {
    case .foreignHost:
      "the header Host is not the inspector's own address; open it by that, as localhost, 127.0.0.1 or [::1] with its port"
    case .foreignSite: "another site asks, as Origin or Sec-Fetch-Site says; type the inspector's address"
    case .notFound: "the path is not /, /inspector.css, /inspector.js or /v1/explain"
    case .methodNotAllowed: "the path takes the methods in the header Allow, and not this one"
    case .query: "there is a query, which the path does not take"
    }
  }
}
