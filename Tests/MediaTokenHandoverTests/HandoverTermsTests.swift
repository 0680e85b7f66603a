import MediaToken
import MediaTokenHandover
import Testing

@Suite struct HandoverTermsTests {
  @Test(arguments: [
    "/", "/a/", "/live/tnt/", "/A.b_c-9/", "/...a/", "/a../", "/" + String(repeating: "x", count: 510) + "/",
  ])
  func `a path of plain names is taken`(path: String) throws {
    #expect(try HandoverTerms(format: .jwtHS256, path: path, lifeSeconds: 1).path == path)
  }

  @Test(arguments: [
    "", "live/", "/live", "//", "/a//b/", "/./", "/../", "/a/./b/", "/a/../", "/*/", "/a?/", "/a b/", "/a%2f/",
    "/a!/", "/a~/",
    "/a;/", "/a,/", "/é/", "/a\u{0}/", "/a\n/", "/a\"/", "/a\\/", "/a&/", "/$a/",
    "/" + String(repeating: "x", count: 511) + "/",
  ]) func `any other path is refused`(path: String) {
    let problem = #expect(throws: Problem.self) {
      try HandoverTerms(format: .jwtHS256, path: path, lifeSeconds: 1)
    }
    #expect(problem?.subject == "path")
  }

  @Test(arguments: [(0, false), (1, true), (86_400, true), (86_401, false), (-1, false), (Int.max, false)])
  func `a life is a second to a day`(life: Int, isTaken: Bool) throws {
    if isTaken {
      #expect(try HandoverTerms(format: .jwtHS256, path: "/", lifeSeconds: life).lifeSeconds == life)
    } else {
      let problem = #expect(throws: Problem.self) {
        try HandoverTerms(format: .jwtHS256, path: "/", lifeSeconds: life)
      }
      #expect(problem?.description == "lifeSeconds: expected a life of 1 to 86400 seconds, found \(life)")
    }
  }

  private static let keyIDs: [HandoverFormat: HandoverFormat.Demand] = [
    .cloudFrontCookie: .required, .commonAccessToken: .required, .jwtHS256: .optional, .jwtES256: .optional,
    .nginxSecureLink: .unused, .akamaiEdgeAuth: .unused,
  ]

  @Test(arguments: HandoverFormat.allCases)
  func `a key id and a host are where the format has a place for them, and nowhere else`(format: HandoverFormat)
    throws
  {
    let needsHost = format == .cloudFrontCookie
    func make(_ keyID: String?, _ host: String?) throws(Problem) -> HandoverTerms {
      try HandoverTerms(format: format, path: "/", lifeSeconds: 1, keyID: keyID, host: host)
    }
    let host = needsHost ? "a.b" : nil
    let demand = try #require(Self.keyIDs[format])
    let keyID = demand == .unused ? nil : "k"
    #expect(try make(keyID, host).keyID == keyID)
    switch demand {
    case .required:
      let problem = #expect(throws: Problem.self) { try make(nil, host) }
      #expect(problem?.description == "keyID: \(format.rawValue) needs a key id; give one")
    case .unused:
      let problem = #expect(throws: Problem.self) { try make("k", host) }
      #expect(problem?.description == "keyID: \(format.rawValue) has no place for a key id; leave it out")
    case .optional: #expect(try make(nil, host).keyID == nil)
    }
    if needsHost {
      let problem = #expect(throws: Problem.self) { try make(keyID, nil) }
      #expect(problem?.description == "host: \(format.rawValue) needs a host; give one")
    } else {
      let problem = #expect(throws: Problem.self) { try make(keyID, "a.b") }
      #expect(problem?.description == "host: \(format.rawValue) has no place for a host; leave it out")
    }
  }

  @Test(arguments: [
    "*", "*.example.com", "a b", "", "a..b", ".a", "a.", "a:443", "https://a", "a/b", "-a", "a-", "a_b", "é", "a?",
    "a\"",
    String(repeating: "a", count: 64), String(repeating: "a.", count: 126) + "ab",
  ]) func `what is no host's name is refused`(host: String) {
    let problem = #expect(throws: Problem.self) {
      try HandoverTerms(format: .cloudFrontCookie, path: "/", lifeSeconds: 1, keyID: "k", host: host)
    }
    #expect(problem?.fact == "not the name of a host")
  }

  @Test(arguments: ["", "a b", "k\"", "k\\", "k;", "é", "k=", String(repeating: "k", count: 129)])
  func `a key id is plain`(keyID: String) {
    let problem = #expect(throws: Problem.self) {
      try HandoverTerms(format: .jwtHS256, path: "/", lifeSeconds: 1, keyID: keyID)
    }
    #expect(problem?.fact == "not a key id of 1 to 128 letters, digits, ., _ and -")
  }
}
