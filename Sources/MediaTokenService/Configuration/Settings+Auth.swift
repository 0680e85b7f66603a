internal import MediaToken

extension Settings {
  static let auth: SettingSection<AuthSettings> = SettingSection(
    AuthSettings(),
    [
      Setting(
        "tokenHeader", \.tokenHeader, .header, without: "required unless queryParameter is set",
        "the header with the token; in Authorization the scheme Bearer comes first, and another scheme's credential is no token"
      ),
      Setting(
        "queryParameter", \.queryParameter, .parameter, without: "required unless tokenHeader is set",
        "the parameter with the token in the query of the viewer's URI"),
      Setting(
        "uriHeader", \.uriHeader, .header(among: ["X-Original-URI", "X-Forwarded-Uri"]),
        without: "what follows /v1/auth", "the header with the viewer's URI"),
      Setting(
        "methodHeader", \.methodHeader, .header(among: ["X-Original-Method", "X-Forwarded-Method"]),
        without: "the method of the question itself",
        "the header with the viewer's method, which the proxy must set or overwrite; required with a header for the URI"
      ),
      Setting(
        "requestorHeader", \.requestorHeader, .header, without: "none",
        "the header with the requestor, where no route says it"),
      Setting(
        "resourceHeader", \.resourceHeader, .header, without: "none",
        "the header with the resource, where no route says it"),
      Setting(
        "routes", \.routes, .routes, without: "none",
        "what each path needs; without routes every path is protected alike"),
      Setting(
        "observe", \.observe, .boolean,
        "whether everything is let through, with a header that says what the answer would have been: for moving over"
      ),
    ], check: checkHeaders)

  static let route: SettingSection<WrittenRoute> = SettingSection(
    WrittenRoute(),
    [
      Setting(
        "prefix", \.prefix, .routePrefix, required: true,
        "a decoded path, which covers itself and what is below it, with or without a slash at its end; the longest one wins"
      ),
      Setting(
        "requestor", \.requestor, .name("a requestor's id"), without: "the header, or the only tenant and resource",
        "the requestor that a token must be for"),
      Setting(
        "resource", \.resource, .name("a resource"), without: "the header, or the only tenant and resource",
        "the resource that a token must be for"),
      Setting(
        "resourceDocument", \.resourceDocument, .resourceDocument, without: "none",
        "the same, as a Media RSS document in whatever spelling"),
      Setting(
        "resourceChannel", \.resourceChannel, .resourceChannel, without: "none",
        "the same, as a channel: its id, or a document with it as its channel's title"),
      Setting("unprotected", \.isUnprotected, .boolean, "whether no token is needed"),
      Setting(
        "methods", \.methods, .methods,
        "what is let through: a HEAD uses no token up, an OPTIONS needs none, everything else uses one up"),
      Setting(
        "handover", \.handover, .handover(routeHandover), without: "none",
        "what a used token is exchanged for, in a header and in cookies; not with observe, methods that use no token up, or none:"
      ),
    ]
  ) { route, file throws(ConfigurationError) in
    guard route.handover == nil || (!route.isUnprotected && route.methods.contains { $0.price == .use }) else {
      throw file.error(
        \.handover,
        "no token is used up here, by any method that is let through, so none is exchanged; leave this out")
    }
    guard !route.isUnprotected || (route.requestor == nil && route.resources.isEmpty) else {
      throw file.error(\.isUnprotected, "a route that needs no token has a requestor or a resource; leave them out")
    }
    guard route.resources.count <= 1 else {
      throw file.error(
        route.resourceChannel == nil ? \.resourceDocument : \.resourceChannel,
        "a route has more than one of resource, resourceDocument and resourceChannel; keep one")
    }
  }

  /// Where the token is, and headers that say one thing each.
  ///
  /// A proxy that says the URI in a header asks by GET, whatever the viewer does: without a header for the method every
  /// OPTIONS and every HEAD would use the token up. Which header it is must be written: one that the proxy does not
  /// overwrite comes from the viewer, so none is ever assumed.
  private static func checkHeaders(
    _ settings: AuthSettings, _ file: SectionReading<AuthSettings>
  ) throws(ConfigurationError) {
    guard settings.tokenHeader != nil || settings.queryParameter != nil else {
      throw file.error(
        \.tokenHeader,
        "the place of the token is missing; write \(auth.key(\.tokenHeader)) or \(auth.key(\.queryParameter))"
      )
    }
    guard settings.uriHeader == nil || settings.methodHeader != nil else {
      throw file.error(
        \.methodHeader,
        "\(auth.key(\.uriHeader)) needs X-Original-Method or X-Forwarded-Method here, set by the proxy to the viewer's method"
      )
    }
    let headers: [KeyPath<AuthSettings, String?>] = [
      \.tokenHeader, \.uriHeader, \.methodHeader, \.requestorHeader, \.resourceHeader,
    ]
    var names: Set<String> = []
    for header in headers {
      guard let name = settings[keyPath: header], !names.insert(name).inserted else { continue }
      throw file.error(header, "another setting has this header already; choose another")
    }
  }

  /// A route that can never be decided would refuse every viewer, so it is an error at the start.
  static func checkRoutes(
    of settings: AuthSettings, _ tenants: [TenantSettings], _ file: SectionReading<AuthSettings>
  ) throws(ConfigurationError) {
    for (index, rule) in settings.routes.enumerated() {
      guard !settings.routes[..<index].contains(where: { $0.prefix == rule.prefix }) else {
        throw try file.inside(\.routes, at: index, route)
          .error(\.prefix, "this prefix is given twice")
      }
      if case .protected(let requestor?, _) = rule.access, !tenants.contains(where: { $0.requestor == requestor }) {
        throw try file.inside(\.routes, at: index, route)
          .error(\.requestor, "no tenant has this requestor")
      }
    }
    let everywhere = [RouteRule.Access.protected(requestor: nil, resource: nil)]
    for access in settings.routes.isEmpty ? everywhere : settings.routes.map(\.access) {
      if let problem = whatLeavesOpen(access, settings, tenants) { throw file.error(\.routes, problem) }
    }
  }

  /// Why a route can't be decided, or nil if it can.
  private static func whatLeavesOpen(
    _ access: RouteRule.Access, _ settings: AuthSettings, _ tenants: [TenantSettings]
  ) -> String? {
    guard case .protected(let requestor, let resource) = access else { return nil }
    guard requestor != nil || settings.requestorHeader != nil || tenants.count == 1 else {
      return
        "a route has no requestor, and there are several tenants; write one in every route, or \(auth.key(\.requestorHeader))"
    }
    let candidates = requestor.map { name in tenants.filter { $0.requestor == name } } ?? tenants
    if let resource {
      return candidates.contains { $0.plays(resource) }
        ? nil : "a route's resource is not among the tenant's resources"
    }
    return settings.resourceHeader != nil || candidates.allSatisfy { $0.hasOneResource }
      ? nil
      : "a route has no resource, and its tenant does not have just one; write one in every route, or \(auth.key(\.resourceHeader))"
  }
}

extension SettingValues<[RouteRule]> {
  /// At least one route, if there is a list at all.
  static var routes: Self {
    .list(
      of: SettingValues<WrittenRoute>.section(Settings.route)
        .making { written, _ throws(ConfigurationError) in written.rule },
      least: 1, orElse: "leave the key out to protect every path alike")
  }
}

extension TenantSettings {
  /// Whether it plays what a route asks for; not if there is no memory to find out.
  fileprivate func plays(_ resource: ExpectedResource) -> Bool {
    switch resources {
    case .every: true
    case .listed(let texts): texts.contains { resource == .exactly($0) }
    case .one(let one): (try? one.admits(resource)) ?? false
    }
  }

  /// Whether a question may leave the resource out.
  fileprivate var hasOneResource: Bool {
    switch resources {
    case .every: false
    case .listed(let texts): texts.count == 1
    case .one: true
    }
  }
}

/// A route as the file says it.
struct WrittenRoute: Sendable, Hashable {
  var prefix: ExactText = ""
  var requestor: ExactText?
  var resource: ExactText?
  var resourceDocument: ExpectedResource?
  var resourceChannel: ExpectedResource?
  var isUnprotected = false
  var methods = ViewerMethod.ordinary
  var handover: HandoverSettings?

  /// What is said about the resource; at most one may be.
  var resources: [ExpectedResource] {
    [resource.map { .exactly($0) }, resourceDocument, resourceChannel].compactMap(\.self)
  }

  var rule: RouteRule {
    RouteRule(
      prefix: prefix,
      access: isUnprotected ? .unprotected : .protected(requestor: requestor, resource: resources.first),
      methods: methods, handover: handover)
  }
}
