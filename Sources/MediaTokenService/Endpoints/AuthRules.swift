/// ``AuthSettings`` as requests are held against them: bytes.
struct AuthRules: Sendable {
  let tokenHeader: [UInt8]?
  let queryParameter: [UInt8]?
  let uriHeader: [UInt8]?
  let requestorHeader: [UInt8]?
  let resourceHeader: [UInt8]?
  let observes: Bool
  /// The longest prefix first.
  private let routes: [Route]

  fileprivate struct Route: Sendable {
    let prefix: [UInt8]
    let access: Access
  }

  /// What a path needs.
  enum Access: Sendable, Hashable {
    case unprotected
    case protected(requestor: [UInt8]?, resource: [UInt8]?)
  }

  init(_ settings: AuthSettings) {
    func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
    tokenHeader = bytes(settings.tokenHeader)
    queryParameter = bytes(settings.queryParameter)
    uriHeader = bytes(settings.uriHeader)
    requestorHeader = bytes(settings.requestorHeader)
    resourceHeader = bytes(settings.resourceHeader)
    observes = settings.observe
    let routes = settings.routes.map { rule in
      let access: Access =
        switch rule.access {
        case .unprotected: .unprotected
        case .protected(let requestor, let resource):
          .protected(requestor: bytes(requestor), resource: bytes(resource))
        }
      return Route(prefix: Array(rule.prefix.utf8), access: access)
    }
    self.routes = routes.sorted { $0.prefix.count > $1.prefix.count }
  }

  /// What a decoded path needs: of all routes that cover it, the longest. Without any routes every path is protected alike;
  /// with some, a path that none covers has no access at all: nil.
  func access(to path: [UInt8]) -> Access? {
    if routes.isEmpty { return .protected(requestor: nil, resource: nil) }
    return routes.first { $0.covers(path) }?.access
  }
}

extension AuthRules.Route {
  /// A prefix covers itself and what lies below it, not what merely begins alike: `/live` covers `/live/one` and not
  /// `/liveness`.
  fileprivate func covers(_ path: [UInt8]) -> Bool {
    guard path.starts(with: prefix) else { return false }
    return path.count == prefix.count || prefix.last == UInt8(ascii: "/") || path[prefix.count] == UInt8(ascii: "/")
  }
}
