package import MediaToken
internal import MediaTokenFormats

/// How proxies ask.
package struct AuthSettings: SettingSection {
  /// In lower case, as all names of headers are.
  var tokenHeader: String?
  var queryParameter: String?
  var uriHeader: String?
  var methodHeader: String?
  var requestorHeader: String?
  var resourceHeader: String?
  /// Empty: every path is protected, and headers or the tenants' list decide for what.
  var routes: [RouteRule] = []
  var observe = false

  var rows: [SettingRow<Self>] {
    optional(
      "tokenHeader", \.tokenHeader, .header, without: "required unless queryParameter is set",
      "the header with the token; in Authorization the scheme Bearer comes first, and another scheme's credential is no token"
    )
    optional(
      "queryParameter", \.queryParameter, .parameter, without: "required unless tokenHeader is set",
      "the parameter with the token in the query of the viewer's URI")
    optional(
      "uriHeader", \.uriHeader, .header(among: ["X-Original-URI", "X-Forwarded-Uri"]),
      without: "the part after /v1/auth", "the header with the viewer's URI")
    optional(
      "methodHeader", \.methodHeader, .header(among: ["X-Original-Method", "X-Forwarded-Method"]),
      without: "the method of the question itself",
      "the header with the viewer's method, which the proxy must set or overwrite; required with a header for the URI"
    )
    optional("requestorHeader", \.requestorHeader, .header, "the header with the requestor, where no route says it")
    optional("resourceHeader", \.resourceHeader, .header, "the header with the resource, where no route says it")
    optional(
      "routes", \.routes,
      .list(of: .section(RouteRule()), least: 1, orElse: "leave the key out to protect every path alike"),
      without: "none", "the rule of each path; without routes every path is protected alike")
    optional(
      "observe", \.observe, .boolean,
      "whether everything is let through, with the true verdict in a header: for moving over")
  }

  /// Where the token is, and headers that say one thing each.
  ///
  /// A proxy that says the URI in a header asks by GET, whatever the viewer does: without a header for the method every
  /// OPTIONS and every HEAD would use the token up. Which header it is must be written: one that the proxy does not
  /// overwrite comes from the viewer, so none is ever assumed.
  mutating func check(_ section: Given) throws(Problem) {
    guard tokenHeader != nil || queryParameter != nil else {
      throw section.error(
        at: "tokenHeader", "the place of the token is missing", cure: "write tokenHeader or queryParameter")
    }
    guard uriHeader == nil || methodHeader != nil else {
      throw section.error(
        at: "methodHeader",
        "uriHeader needs X-Original-Method or X-Forwarded-Method here, set by the proxy to the viewer's method")
    }
    var names: Set<String> = []
    for (key, name) in [
      ("tokenHeader", tokenHeader), ("uriHeader", uriHeader), ("methodHeader", methodHeader),
      ("requestorHeader", requestorHeader), ("resourceHeader", resourceHeader),
    ] {
      guard let name, !names.insert(name).inserted else { continue }
      throw section.error(at: key, "another setting has this header already", cure: "choose another")
    }
  }
}

/// What is below a path.
package struct RouteRule: SettingSection {
  /// Decoded; it matches itself and what is below it.
  package var prefix: ExactText = ""
  var requestor: ExactText?
  var resource: ExactText?
  var document: ExpectedResource?
  var channel: ExpectedResource?
  var isUnprotected = false
  /// What is let through; everything else is refused, token or not.
  var methods = ViewerMethod.ordinary
  /// What a used token brings here; nil: nothing.
  var handover: HandoverSettings?

  /// Just one is written, or none.
  private var resources: [ExpectedResource] {
    [resource.map { .exactly($0) }, document, channel].compactMap(\.self)
  }

  var access: Access { isUnprotected ? .unprotected : .protected(requestor: requestor, resource: resources.first) }

  /// What a path needs.
  package enum Access: Sendable, Hashable {
    /// No token.
    case unprotected
    /// A token; nil leaves requestor or resource to headers or the tenants' list.
    case protected(requestor: ExactText?, resource: ExpectedResource?)
  }

  var rows: [SettingRow<Self>] {
    required(
      "prefix", \.prefix, .routePrefix,
      "a decoded path, which covers itself and what is below it, with or without a slash at its end; the longest one wins"
    )
    optional(
      "requestor", \.requestor, .name(.requestor), without: "the header, or the only tenant and resource",
      "the requestor that a token must be for")
    optional(
      "resource", \.resource, .name(.resource), without: "the header, or the only tenant and resource",
      "the resource that a token must be for")
    optional(
      "resourceDocument", \.document, .resourceDocument, "the same, as a Media RSS document in whatever spelling")
    optional(
      "resourceChannel", \.channel, .resourceChannel,
      "the same, as a channel: its id, or a document with it as its channel's title")
    optional("unprotected", \.isUnprotected, .boolean, "whether no token is needed")
    optional(
      "methods", \.methods, .set(of: .words(), least: 1),
      "the methods that are let through: HEAD uses no token up, OPTIONS needs none, every other one uses one up")
    optional(
      "handover", \.handover, .section(HandoverSettings(cookie: CookieSettings())),
      "the credential that a used token is exchanged for, in a header and in cookies; not with observe, methods that use no token up, or none:"
    )
  }

  mutating func check(_ section: Given) throws(Problem) {
    guard handover == nil || (!isUnprotected && methods.contains { $0.price == .use }) else {
      throw section.error(
        at: "handover", "no token is used up here, by any method that is let through, so none is exchanged",
        cure: "leave this out")
    }
    guard !isUnprotected || (requestor == nil && resources.isEmpty) else {
      throw section.error(
        at: "unprotected", "a route that needs no token has a requestor or a resource", cure: "leave them out")
    }
    guard resources.count <= 1 else {
      throw section.error(
        at: channel == nil ? "resourceDocument" : "resourceChannel",
        "a route has more than one of resource, resourceDocument and resourceChannel", cure: "keep one")
    }
  }
}

extension Form<ExactText> {
  /// The beginning of a viewer's path.
  fileprivate static var routePrefix: Self {
    .text(
      TextKind("a decoded path"),
      isNot:
        "a decoded path that begins with /, without ?, %, ;, backslash, //, /./, /../ and names that end in . or a space"
    ) { prefix in
      let bytes = Array(prefix.utf8)
      guard !bytes.contains(UInt8(ascii: "?")), !bytes.contains(UInt8(ascii: "%")),
        RequestPath.decode(bytes.span) != nil
      else { return nil }
      // `/live/` is `/live`: one that covered only what is below it would leave the path itself to another route.
      return ExactText(prefix.utf8.count > 1 && prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix)
    }
  }
}
