internal import MediaToken

/// ``AuthSettings`` in the form in which requests are checked: as bytes.
struct AuthRules: Sendable {
  let tokenHeader: [UInt8]?
  /// True if the token's header is `Authorization`, in which a scheme comes first.
  let isBearer: Bool
  let queryParameter: [UInt8]?
  let uriHeader: [UInt8]?
  let methodHeader: [UInt8]?
  let requestorHeader: [UInt8]?
  let resourceHeader: [UInt8]?
  let observes: Bool
  private let routes: RouteTree

  /// The rules below a path. An object, so that finding one copies none of its parts.
  final class Route: Sendable {
    let prefix: [UInt8]
    let access: RouteRule.Access
    let methods: Set<ViewerMethod>
    let handover: Handover?

    /// `name`: the setting in the configuration.
    fileprivate init(_ rule: RouteRule, named name: String, of file: String?) throws(Problem) {
      (prefix, access, methods) = (Array(rule.prefix.text.utf8), rule.access, rule.methods)
      let key = "\(name).handover"
      handover = try rule.handover.opened(key, of: file)
      if let taken = handover?.headBytes, taken > AuthHeaderLimits.handover {
        throw Problem.setting(
          key, of: file,
          "expected a credential that takes at most \(AuthHeaderLimits.handover) bytes of an answer's head, as a header and as cookies, found \(taken)",
          cure: "shorten path, keyID, host and domain"
        )
      }
    }

    fileprivate func allowsTheSame(as other: Route) -> Bool {
      access == other.access && methods == other.methods && handover?.settings == other.handover?.settings
    }
  }

  /// Throws for keys of hand-overs, and for those that leave an answer's head too little room. `file`: the
  /// configuration's.
  init(_ settings: AuthSettings, of file: String?) throws(Problem) {
    func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
    tokenHeader = bytes(settings.tokenHeader)
    isBearer = settings.tokenHeader == "authorization"
    queryParameter = bytes(settings.queryParameter)
    uriHeader = bytes(settings.uriHeader)
    methodHeader = bytes(settings.methodHeader)
    requestorHeader = bytes(settings.requestorHeader)
    resourceHeader = bytes(settings.resourceHeader)
    observes = settings.observe
    // Without any routes every path is protected alike.
    let rules =
      settings.routes.isEmpty
      ? [RouteRule(prefix: "/")] : settings.routes
    var routes = RouteTree()
    for (index, rule) in rules.enumerated() {
      routes.insert(try Route(rule, named: "auth.routes[\(index)]", of: file))
    }
    self.routes = routes
  }

  /// The route of a decoded path: of all that cover it, the longest.
  ///
  /// A file system may not tell `/LIVE` from `/live`, and we can't know. So a path that, with the case of ASCII letters
  /// ignored, lies under longer prefixes than its own must be allowed the same under each of them.
  ///
  /// - Throws: ``RequestError/noRoute`` if none covers it, ``RequestError/ambiguous(_:)`` if the case of letters
  ///   decides.
  func route(to path: [UInt8]) throws(RequestError) -> Route {
    let covering = routes.routes(covering: path)
    guard let route = covering.last(where: { path.starts(with: $0.prefix) }) else { throw .noRoute }
    guard covering.allSatisfy({ $0.prefix.count <= route.prefix.count || $0.allowsTheSame(as: route) }) else {
      throw .ambiguous(
        "another route covers the path if case is ignored; write it as its route is written")
    }
    return route
  }
}
