internal import MediaToken

/// The endpoint for proxies in the configuration.
enum AuthSection {
  private static let keys = [
    "tokenHeader", "queryParameter", "uriHeader", "methodHeader", "requestorHeader", "resourceHeader", "routes",
    "observe",
  ]

  /// The headers in which proxies say what the viewer asked for, and how.
  private static let uriHeaders = ["x-original-uri", "x-forwarded-uri"]
  private static let methodHeaders = ["x-original-method", "x-forwarded-method"]

  /// What is written under `auth`, or nil if it is absent.
  static func auth(
    _ file: ConfigurationObject, _ tenants: [TenantSettings]
  ) throws(ConfigurationError) -> AuthSettings? {
    guard let object = try file.object("auth", keys: keys) else { return nil }
    var auth = AuthSettings()
    auth.tokenHeader = try header("tokenHeader", object)
    auth.uriHeader = try header("uriHeader", object)
    auth.methodHeader = try header("methodHeader", object)
    auth.requestorHeader = try header("requestorHeader", object)
    auth.resourceHeader = try header("resourceHeader", object)
    if let name = try object.string("queryParameter") {
      auth.queryParameter = try object.checked("queryParameter") { () throws(SettingProblem) in
        try SettingChecks.parameter(name)
      }
    }
    auth.observe = try object.boolean("observe") ?? false
    guard auth.tokenHeader != nil || auth.queryParameter != nil else {
      throw object.error("tokenHeader", "expected tokenHeader or queryParameter, which say where the token is")
    }
    if let name = auth.uriHeader, !uriHeaders.contains(name) {
      throw object.error("uriHeader", "expected X-Original-URI or X-Forwarded-Uri")
    }
    try checkMethodHeader(auth, object)
    try checkNames(auth, object)
    auth.routes = try routes(object, tenants)
    try checkDecided(auth, tenants, object)
    return auth
  }

  private static func header(_ key: String, _ object: ConfigurationObject) throws(ConfigurationError) -> String? {
    guard let name = try object.string(key) else { return nil }
    return try object.checked(key) { () throws(SettingProblem) in try SettingChecks.header(name) }
  }

  /// A proxy that says the URI in a header asks by GET, whatever the viewer does: without the other header every OPTIONS and
  /// every HEAD would use the token up. Which header it is must be written: one that the proxy does not overwrite is the
  /// viewer's, so none is ever assumed.
  private static func checkMethodHeader(
    _ auth: AuthSettings, _ object: ConfigurationObject
  ) throws(ConfigurationError) {
    guard let name = auth.methodHeader else {
      guard auth.uriHeader == nil else {
        throw object.error(
          "methodHeader",
          "expected X-Original-Method or X-Forwarded-Method beside uriHeader, and the proxy to set it to the viewer's method"
        )
      }
      return
    }
    guard methodHeaders.contains(name) else {
      throw object.error("methodHeader", "expected X-Original-Method or X-Forwarded-Method")
    }
  }

  /// One header cannot say two things.
  private static func checkNames(_ auth: AuthSettings, _ object: ConfigurationObject) throws(ConfigurationError) {
    let named = [
      ("tokenHeader", auth.tokenHeader), ("uriHeader", auth.uriHeader), ("methodHeader", auth.methodHeader),
      ("requestorHeader", auth.requestorHeader), ("resourceHeader", auth.resourceHeader),
    ]
    for (index, (key, name)) in named.enumerated() {
      guard let name, named[..<index].contains(where: { $0.1 == name }) else { continue }
      throw object.error(key, "expected another header than those before it")
    }
  }

  private static func routes(
    _ object: ConfigurationObject, _ tenants: [TenantSettings]
  ) throws(ConfigurationError) -> [RouteRule] {
    let keys = ["prefix", "requestor", "resource", "unprotected", "methods"]
    guard let objects = try object.objects("routes", keys: keys) else { return [] }
    guard !objects.isEmpty else {
      throw object.error("routes", "expected at least one route; leave the key out to protect every path alike")
    }
    var routes: [RouteRule] = []
    for object in objects {
      var route = RouteRule(prefix: try prefix(object), access: try access(object, tenants))
      if let methods = try methods(object) { route.methods = methods }
      guard !routes.contains(where: { $0.prefix == route.prefix }) else {
        throw object.error("prefix", "expected every prefix once, found this one twice")
      }
      routes.append(route)
    }
    return routes
  }

  private static func prefix(_ object: ConfigurationObject) throws(ConfigurationError) -> ExactText {
    let prefix = try object.required("prefix", try object.string("prefix"), "the beginning of a path")
    let bytes = Array(prefix.utf8)
    guard !bytes.contains(UInt8(ascii: "?")), !bytes.contains(UInt8(ascii: "%")),
      RequestPath.decode(bytes.span) != nil
    else {
      throw object.error(
        "prefix",
        "expected a decoded path that begins with /, without ?, %, ;, backslash, //, /./, /../ and names that end in . or a space"
      )
    }
    return ExactText(prefix)
  }

  private static func methods(_ object: ConfigurationObject) throws(ConfigurationError) -> Set<ViewerMethod>? {
    guard let names = try object.strings("methods") else { return nil }
    let methods = names.compactMap { ViewerMethod(rawValue: $0) }
    guard !methods.isEmpty, methods.count == names.count else {
      throw object.error(
        "methods", "expected at least one of \(ViewerMethod.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return Set(methods)
  }

  private static func access(
    _ object: ConfigurationObject, _ tenants: [TenantSettings]
  ) throws(ConfigurationError) -> RouteRule.Access {
    let (requestor, resource) = (try object.exactText("requestor"), try object.exactText("resource"))
    if try object.boolean("unprotected") ?? false {
      guard requestor == nil, resource == nil else {
        throw object.error("unprotected", "expected no requestor and no resource where no token is needed")
      }
      return .unprotected
    }
    if let requestor, !tenants.contains(where: { $0.requestor == requestor }) {
      throw object.error("requestor", "expected the requestor of one of the tenants")
    }
    return .protected(requestor: requestor, resource: resource)
  }

  /// A route that can never be decided would refuse every viewer: an operator wants to know now.
  private static func checkDecided(
    _ auth: AuthSettings, _ tenants: [TenantSettings], _ object: ConfigurationObject
  ) throws(ConfigurationError) {
    let all =
      auth.routes.isEmpty ? [RouteRule.Access.protected(requestor: nil, resource: nil)] : auth.routes.map(\.access)
    for case .protected(let requestor, let resource) in all {
      guard requestor != nil || auth.requestorHeader != nil || tenants.count == 1 else {
        throw object.error(
          "routes", "expected a requestor in every route, or requestorHeader: there are several tenants")
      }
      let candidates = requestor.map { name in tenants.filter { $0.requestor == name } } ?? tenants
      if let resource {
        guard candidates.contains(where: { $0.resources?.contains(resource) ?? true }) else {
          throw object.error("routes", "expected resources of routes to be among the tenant's resources")
        }
      } else {
        guard auth.resourceHeader != nil || candidates.allSatisfy({ $0.resources?.count == 1 }) else {
          throw object.error(
            "routes", "expected a resource in every route, or resourceHeader: the tenant does not have just one")
        }
      }
    }
  }
}
