import MediaToken
import Testing

@testable import MediaTokenHandover
@testable import MediaTokenService

/// A hand-over that can't be, or not safely, is an error that names the setting.
@Suite struct HandoverSettingsTests {
  private let keys: HandoverFixture

  init() throws { keys = try HandoverFixture() }

  private static let usual = #""format": "jwt-hs256", "key": "/k", "lifeSeconds": 60, "path": "/live/""#

  private func parse(tenant: String? = nil, route: String? = nil, _ auth: String = "", replay: String = "shared:/t")
    throws -> Configuration
  {
    let tenant = tenant.map { ", \"handover\": {\($0)}" } ?? ""
    let route = route.map { ", \"handover\": {\($0)}" } ?? ""
    return try ConfigurationTests.parse(
      """
      {"socket": {"path": "/run/s"}, "keys": ["/k"], "replay": {"address": "\(replay)"},
       "tenants": [{"requestor": "A", "resources": ["x"]\(tenant)}],
       "auth": {"tokenHeader": "X-T", "routes": [{"prefix": "/"\(route)}]\(auth)}}
      """)
  }

  private func blamed(_ body: () throws -> Configuration) -> String? {
    #expect(throws: Problem.self) { try body() }?.code
  }

  @Test func `terms are read, with safe cookies unless they are said`() throws {
    let configuration = try parse(tenant: Self.usual, route: Self.usual)
    let handover = try #require(configuration.tenants[0].handover)
    let ofRoute = try #require(configuration.auth?.routes[0].handover)
    #expect(try ofRoute.terms() == handover.terms() && ofRoute.keyFile == "/k" && handover.cookie == nil)
    #expect(try handover.terms() == (try HandoverTerms(format: .jwtHS256, path: "/live/", lifeSeconds: 60)))
    #expect(handover.keyFile == "/k")
    let cookie = try #require(ofRoute.cookie)
    #expect(cookie == CookieSettings() && cookie.isSecure && cookie.sameSite == .lax)
    #expect(configuration.handovers.map(\.key) == ["tenants[0].handover", "auth.routes[0].handover"])
  }

  @Test(arguments: [
    // What a path, a life, a key id and a host may be is HandoverTermsTests'; what is missing or out of range, SettingsTests'.
    ("path", #""path": "/live/""#, #""path": "/live""#),
    ("keyID", "jwt-hs256", "cat"), ("keyID", #""path""#, #""keyID": "a;b", "path""#),
    ("keyID", #""format": "jwt-hs256""#, #""format": "nginx-secure-link", "keyID": "k""#),
    ("host", #""path""#, #""host": "a.b", "path""#),
    ("host", #""format": "jwt-hs256""#, #""format": "cloudfront-cookie", "keyID": "k""#),
  ])
  func `what is wrong with terms is blamed on their setting`(key: String, old: String, new: String) {
    let terms = Self.usual.replacing(old, with: new)
    #expect(terms != Self.usual)
    #expect(blamed { try parse(tenant: terms) } == "tenants[0].handover.\(key)")
    #expect(blamed { try parse(route: terms) } == "auth.routes[0].handover.\(key)")
  }

  @Test(arguments: [
    ("sameSite", #""sameSite": "lax""#), ("domain", #""domain": ".example.com""#),
    ("domain", #""domain": "a.b; Path=/""#), ("secure", #""sameSite": "None", "secure": false"#),
    ("partitioned", #""partitioned": true"#), ("partitioned", #""sameSite": "Strict", "partitioned": true"#),
    ("secure", #""sameSite": "None", "secure": false, "partitioned": true"#),
  ])
  func `what is wrong with cookies is blamed on their setting`(key: String, cookie: String) {
    #expect(
      blamed { try parse(route: Self.usual + ", \"cookie\": {\(cookie)}") }
        == "auth.routes[0].handover.cookie.\(key)")
  }

  @Test func `a tenant has no cookies`() {
    #expect(blamed { try parse(tenant: Self.usual + #", "cookie": {}"#) } == "tenants[0].handover.cookie")
  }

  @Test func `a hand-over that can never be is an error`() throws {
    let error = #expect(throws: Problem.self) {
      try parse(route: Self.usual, #", "observe": true"#)
    }
    #expect(error?.code == "auth.routes[0].handover")
    #expect(error?.sentence.contains("auth.observe") == true)
    #expect(blamed { try parse(route: Self.usual, replay: "none:") } == "auth.routes[0].handover")
    #expect(blamed { try parse(tenant: Self.usual, replay: "none:") } == "tenants[0].handover")
    // What proxies are told says nothing about back ends.
    #expect(try parse(tenant: Self.usual, #", "observe": true"#).tenants[0].handover != nil)
  }

  /// By the route that the path is in, and by one elsewhere.
  @Test(arguments: [
    ("/live/tnt/plus", #""resource": "y""#, true, true), ("/live", #""resource": "y""#, false, true),
    ("/", #""resource": "y""#, false, true), ("/live/tnt/plus", #""resource": "x""#, false, false),
    ("/live", #""resource": "x""#, false, false), ("/live/tnt/free", #""unprotected": true"#, false, false),
    ("/live/tntplus", #""resource": "y""#, false, false), ("/LIVE/tnt/plus", #""resource": "y""#, true, true),
  ])
  func `what another token is for is not opened`(prefix: String, needs: String, here: Bool, elsewhere: Bool) throws
  {
    let needs = needs.replacing(#""resource""#, with: #""requestor": "A", "resource""#)
    for (own, isRefused) in [("/live/tnt", here), ("/elsewhere", elsewhere)] {
      let route =
        #"{"prefix": "\#(own)", "requestor": "A", "resource": "x", "handover": {\#(Self.usual.replacing("/live/", with: "/live/tnt/"))}}"#
      let text = ConfigurationTests.text(
        #""auth": {"tokenHeader": "X-T", "routes": [{"prefix": "\#(prefix)", \#(needs)}, \#(route)]}"#)
      var blamed: String?
      do { _ = try ConfigurationTests.parse(text) } catch let error as Problem { blamed = error.code ?? "" }
      #expect(blamed == (isRefused ? "auth.routes[1].handover.path" : nil), "\(own)")
    }
  }

  @Test(arguments: [#""unprotected": true"#, #""methods": ["HEAD", "OPTIONS"]"#])
  func `a route that uses no token up hands nothing over`(more: String) {
    let error = #expect(throws: Problem.self) {
      try ConfigurationTests.parse(
        ConfigurationTests.text(
          #""auth": {"tokenHeader": "X-T", "requestorHeader": "X-R", "resourceHeader": "X-S", "routes": [{"prefix": "/", \#(more), "handover": {\#(Self.usual)}}]}"#
        ))
    }
    #expect(error?.code == "auth.routes[0].handover")
  }

  @Test func `two formats do not share a key, and two places do`() throws {
    let other = Self.usual.replacing("jwt-hs256", with: "akamai-edgeauth")
    let error = #expect(throws: Problem.self) { try parse(tenant: other, route: Self.usual) }
    #expect(error?.code == "auth.routes[0].handover.key")
    let tags = #expect(throws: Problem.self) {
      try parse(tenant: Self.usual, #"}, "viewerTag": {"key": "/k", "rotateHours": 24"#)
    }
    #expect(tags?.code == "tenants[0].handover.key")
    #expect(try parse(tenant: other, route: other.replacing("/live/", with: "/vod/")).tenants.count == 1)
  }

  // MARK: keys

  private func state(_ member: String) throws -> ServingState {
    let text = ServiceFixture.json(
      tenants: #"[{"requestor": "REF30"}, {"requestor": "B", \#(member)}]"#)
    return try ServingState(ConfigurationTests.parse(text), ServiceFixture.keys(), .none, file: "/etc/f.json")
  }

  @Test func `a key that can't be used is blamed on its setting, with its file`() throws {
    let good = try keys.member(.jwtHS256)
    #expect(try state(good).tenants.filter { $0.handover != nil }.map(\.requestor) == ["B"])
    let path = try keys.key(for: .jwtHS256)
    for (text, mode, said) in [
      ("00", 0o600, "64 to 128 hexadecimal digits"), (String(repeating: "0", count: 64), 0o644, "chmod 0600"),
      (String(repeating: "0", count: 64), 0o660, "chmod"),
    ] {
      _ = try keys.file("jwt-hs256", text, mode: mode)
      let error = #expect(throws: Problem.self) { try state(good) }
      let problem = error?.description ?? ""
      #expect(problem.hasPrefix("/etc/f.json: tenants[1].handover.key: \(path): "), "\(problem)")
      #expect(problem.contains(said), "\(problem)")
      #expect(!problem.contains("0000000"))
    }
    let missing = good.replacing(path, with: path + ".none")
    #expect(throws: Problem.self) { try state(missing) }
  }

  @Test func `a copy of a key under another name is the same key`() throws {
    let digits = try String(contentsOfFile: keys.key(for: .jwtHS256), encoding: .utf8)
    let copy = try keys.file("copy", digits.trimmingCharacters(in: .whitespacesAndNewlines).uppercased())
    let third = try keys.file("third", digits)
    let other = try keys.file("other", String(repeating: "5e", count: 32))
    func member(_ format: HandoverFormat, _ path: String) throws -> String {
      try keys.member(format).replacing(keys.key(for: format), with: path)
    }
    func state(_ tenant: String, _ more: String) throws -> ServingState {
      let tenants = #"[{"requestor": "A", \#(try keys.member(.jwtHS256))}, {"requestor": "B", \#(tenant)}]"#
      return try ServingState(
        ConfigurationTests.parse(ServiceFixture.json(tenants: tenants, more)), ServiceFixture.keys(), .none)
    }
    func tags(_ path: String) -> String { #""viewerTag": {"key": "\#(path)", "rotateHours": 24}"# }
    #expect(try state(member(.akamaiEdgeAuth, other), "").tenants.count == 2)
    #expect(try state(member(.jwtHS256, copy), tags(other)).tenants.count == 2)
    let formats = #expect(throws: Problem.self) { try state(member(.akamaiEdgeAuth, copy), "") }
    #expect(formats?.code == "tenants[1].handover.key")
    #expect(formats?.sentence.contains("tenants[0].handover.key has the same key") == true)
    #expect(formats?.description.contains(copy) == false && formats?.description.contains(digits) == false)
    let pseudonyms = #expect(throws: Problem.self) { try state(member(.jwtHS256, copy), tags(third)) }
    #expect(pseudonyms?.code == "tenants[0].handover.key")
    #expect(pseudonyms?.sentence.contains("viewerTag.key") == true)
  }

  @Test func `a credential that leaves too little of a head is an error`() throws {
    let usual = try keys.member(.cloudFrontCookie, path: "PATH")
    func configuration(_ length: Int) throws -> Configuration {
      let member = usual.replacing("PATH", with: "/" + String(repeating: "p", count: length - 2) + "/")
      return try ConfigurationTests.parse(
        ServiceFixture.json(
          #""auth": {"tokenHeader": "X-T", "routes": [{"prefix": "/", "requestor": "REF30", "resource": "TNT", \#(member)}]}"#
        ))
    }
    func headBytes(_ length: Int) throws -> Int {
      try Handover(#require(configuration(length).auth?.routes[0].handover)).headBytes
    }
    // The longest path that fits.
    var (fits, isTooLong) = (2, HandoverTerms.longestPath)
    while isTooLong - fits > 1 {
      let middle = (fits + isTooLong) / 2
      if try headBytes(middle) <= AuthHeaderLimits.handover { fits = middle } else { isTooLong = middle }
    }
    _ = try ServingState(configuration(fits), ServiceFixture.keys(), .none)
    let error = #expect(throws: Problem.self) {
      try ServingState(configuration(isTooLong), ServiceFixture.keys(), .none)
    }
    #expect(error?.code == "auth.routes[0].handover")
    #expect(try error?.sentence.contains("found \(headBytes(isTooLong))") == true)
  }
}
