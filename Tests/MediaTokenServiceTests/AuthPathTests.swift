import MediaToken
import Testing

@testable import MediaTokenService

/// What an upstream of the proxy could read as a different path from the daemon's. Tried where it would open most: everything
/// but one folder is unprotected.
@Suite struct AuthPathTests {
  private func service() throws -> ServiceFixture {
    let routes = #"""
      [{"prefix": "/", "unprotected": true}, {"prefix": "/live/tnt", "requestor": "REF30", "resource": "TNT"},
       {"prefix": "/live/tnt/Free", "unprotected": true}]
      """#
    return try ServiceFixture(
      ServiceFixture.json("\"auth\": {\"tokenHeader\": \"X-Token\", \"routes\": \(routes)}"))
  }

  /// Without a token, and with one, which stays good.
  private func expectRefusal(of path: String, as name: String) throws {
    let service = try service()
    let token = try ServiceFixture.text(form: .base64)
    for fields in [[], [("X-Token", token)]] {
      let answer = service.ask("GET", "/v1/auth" + path, fields)
      #expect(answer.status == 403)
      #expect(answer.has("error", name), "\(answer.body)")
    }
    #expect(service.ask("GET", "/v1/auth/live/tnt", [("X-Token", token)]).status == 200)
  }

  @Test(arguments: [
    // Parameters of a segment, which servlet containers cut off (RFC 3986, section 3.3).
    "/live;x/tnt/a", "/;/live/tnt/a", "/live/tnt;a/a", "/live/;x=1/tnt", "/a;", "/live%3Bx/tnt/a",
    "/live%3bx/tnt/a",
    "/live/..;/tnt", "/live/.;a/tnt",
    // Dot segments and empty segments.
    "/live/./tnt", "/x/../live/tnt", "/x/%2e%2e/live/tnt", "/x/.%2E/live/tnt", "/live/%2e/tnt", "/live/tnt/..",
    "/.",
    "//live/tnt", "/live//tnt", "/live/tnt//",
    // Slashes in disguise.
    "/live%2ftnt", "/live%2Ftnt", "/live\\tnt", "/live%5ctnt", "/live%5Ctnt",
    // What a reader that decodes twice takes for something else.
    "/%256cive/tnt", "/live%252ftnt", "/live/%252e%252e/x", "/live%25%32%66tnt", "/%25",
    // Ends of a path in disguise.
    "/live/tnt%00", "/live/tnt%00.png", "/live%3F/tnt", "/live/tnt%3fa", "/live%23/tnt", "/live#/tnt",
    // Control characters, which some servers cut off or skip.
    "/live%0a/tnt", "/live%0d%0a/tnt", "/live%09/tnt", "/live%7f/tnt", "/live\u{7F}/tnt", "/live%1b/tnt",
    // Broken escapes, which some servers take as they are and some in their own way.
    "/live%zz", "/live%4", "/live%", "/live%u002ftnt",
    // What is not UTF-8: overlong forms of slash and dot, lone surrogates, Latin-1.
    "/live%c0%aftnt", "/live%e0%80%aftnt", "/live/%c0%ae%c0%ae/x", "/%ed%a0%80", "/caf%e9",
    // Dots and spaces that Windows cuts off the end of a name.
    "/live./tnt", "/live%20/tnt", "/live/tnt./a", "/live/tnt%20", "/live/tnt.", "/live.%20/tnt", "/live%2e/tnt",
    "/...",
  ])
  func pathsWithTwoReadingsAreRefusedBeforeAnyRoute(path: String) throws {
    try expectRefusal(of: path, as: "path-refused")
  }

  @Test(arguments: [
    "/LIVE/tnt/a", "/live/TNT", "/Live/Tnt/index.m3u8", "/l%49ve/tnt", "/live/tnt/free", "/LIVE/TNT/FREE/a",
  ])
  func aPathThatIsAnotherRoutesWithCaseIgnoredIsRefused(path: String) throws {
    try expectRefusal(of: path, as: "ambiguous")
  }

  @Test(arguments: [
    ("/", 200), ("/a.b/c-d_e~f!$&'()*+,=:@", 200), ("/a%20b", 200), ("/.well-known/x", 200), ("/..a", 200),
    ("/a..b", 200),
    ("/%66ree", 200), ("/caf%c3%a9", 200), ("/a/", 200), ("/LIVE", 200), ("/livetnt", 200), ("/live/tntx/a", 200),
    ("/live/tnt", 401), ("/live/tnt/", 401), ("/l%69ve/tnt/a", 401), ("/live/tnt/Freedom", 401),
    ("/live/tnt/Free/a", 200),
  ])
  func plainPathsHaveOneReading(path: String, status: Int) throws {
    #expect(try service().ask("GET", "/v1/auth" + path).status == status)
  }

  /// Only a route that is closer than the path's own could be meant by another spelling of it.
  @Test func routesMayDifferInCaseAlone() throws {
    let routes = #"""
      [{"prefix": "/A", "requestor": "REF30", "resource": "TNT"}, {"prefix": "/a", "unprotected": true},
       {"prefix": "/a/b", "unprotected": true}, {"prefix": "/", "unprotected": true},
       {"prefix": "/Cd", "unprotected": true}, {"prefix": "/cD", "requestor": "REF30", "resource": "TNT"}]
      """#
    let service = try ServiceFixture(
      ServiceFixture.json("\"auth\": {\"tokenHeader\": \"X-Token\", \"routes\": \(routes)}"))
    func status(_ path: String) -> Int { service.ask("GET", "/v1/auth" + path).status }
    #expect(status("/A/x") == 401)
    #expect(status("/a/x") == 200)
    #expect(status("/a/B") == 200)
    #expect(status("/A/b") == 403)
    #expect(status("/CD/x") == 403)
    #expect(status("/cd") == 403)
  }

  /// A file server leads from `/live` to `/live/`, so what protects one protects the other.
  @Test(arguments: ["/live", "/live/"])
  func slashAtTheEndOfAPrefixLeavesNothingOpen(prefix: String) throws {
    func settings(_ more: String = "") -> String {
      ServiceFixture.json(
        #""auth": {"tokenHeader": "X-Token", "routes": [{"prefix": "\#(prefix)", "requestor": "REF30", "resource": "TNT"}, \#(more){"prefix": "/", "unprotected": true}]}"#
      )
    }
    let service = try ServiceFixture(settings())
    for (path, status) in [("/live", 401), ("/live/", 401), ("/live/x", 401), ("/lively", 200), ("/", 200)] {
      #expect(service.ask("GET", "/v1/auth" + path).status == status, "\(path)")
    }
    #expect(throws: Problem.self) {
      try ServiceFixture(settings(#"{"prefix": "/live/", "unprotected": true}, "#))
    }
  }
}
