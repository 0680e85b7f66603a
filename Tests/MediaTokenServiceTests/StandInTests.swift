import MediaToken
import MediaTokenFormats
import MediaTokenIssuer
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

/// What answers in Adobe Pass's place with `--dev`.
@Suite struct StandInTests {
  private static let address = InspectorAddress.loopback(host: "127.0.0.1", port: 8098)
  private static let headers = [
    ("Host", "127.0.0.1:8098"), ("Authorization", "Bearer x"), ("AP-Device-Identifier", "fingerprint x"),
    ("Content-Type", "application/json"),
  ]
  private let standIn: StandInHandler
  private let service: ServiceFixture

  init() throws {
    standIn = StandInHandler(try ServiceFixture.keyPair.get(), Self.address, bodyBytes: 65_536)
    service = try ServiceFixture()
  }

  private func get(_ target: String, _ fields: (String, String)...) -> Answered {
    Answered(response: standIn.answer("GET", target, [Self.headers[0]] + fields, from: .tcp))
  }

  private func decide(
    _ resources: String = #"["TNT"]"#, mvpd: String = "Sample_MVPD", without: String? = nil
  ) -> Answered {
    let fields = Self.headers.filter { $0.0 != without }
    let body = Array(#"{"resources":\#(resources)}"#.utf8)
    let path = "/api/v2/REF30/decisions/authorize/\(mvpd)"
    return Answered(response: standIn.answer("POST", path, fields, body, from: .tcp))
  }

  /// What the daemon's own reader finds about a resource.
  private func answer(_ answered: Answered, for resource: ExpectedResource = .exactly("TNT")) throws
    -> DecisionAnswer
  {
    try DecisionDocument(parsing: answered.response.body.span).answer(for: resource)
  }

  private func code(_ answered: Answered) throws -> String? {
    if case .noToken(let noToken) = try answer(answered) { noToken.code } else { nil }
  }

  @Test func aPermitPlaysOnce() throws {
    let permit = decide()
    #expect(permit.status == 200 && permit.has("source", "mvpd") && permit.has("mvpd", "Sample_MVPD"))
    guard case .token(let text, _) = try answer(permit) else { throw StandInFailure.noToken }
    let verdict = service.verify(Array(text.utf8))
    #expect(verdict.status == 200 && verdict.has("mvpdId", "Sample_MVPD"), "\(verdict.body)")
    #expect(service.verify(Array(text.utf8)).has("reason", "already-used"))
    guard case .token(let next, _) = try answer(decide()) else { throw StandInFailure.noToken }
    #expect(service.verify(Array(next.utf8)).status == 200)
  }

  @Test func namesDecide() throws {
    for denial in StandInTable.denials {
      let byMVPD = decide(mvpd: denial.code)
      let byResource = decide(#"["TNT","\#(denial.code)"]"#)
      #expect(byMVPD.status == (denial.isWhole ? Int(denial.status) : 200), "\(denial.code)")
      #expect(try code(byMVPD) == denial.code && byMVPD.has("action", denial.action), "\(denial.code)")
      // A denial of one resource leaves the other alone.
      #expect(byResource.has("code", denial.code) && (try? answer(byResource)) != nil)
      if case .token = try answer(byResource) {
        #expect(!denial.isWhole, "\(denial.code)")
      } else {
        #expect(denial.isWhole, "\(denial.code)")
      }
    }
    for (mvpd, source) in [
      "AuthNAll": "degradation", "AuthZAll": "degradation", "TempPass_5": "temppass", "Dummy": "dummy",
    ] {
      let permit = decide(mvpd: mvpd)
      guard case .token = try answer(permit) else { throw StandInFailure.noToken }
      #expect(permit.has("source", source), "\(mvpd)")
      let times = permit.body.components("\"notAfter\":")
      #expect(times == (mvpd == "AuthZAll" ? 1 : 2), "\(mvpd)")
    }
    let none = decide(mvpd: "AuthZNone")
    #expect(try code(none) == "authorization_denied_by_degradation_rule" && none.has("source", "degradation"))
    let table = get("/")
    #expect(table.status == 200)
    for name in StandInTable.denials.map(\.code) + ["AuthNAll", "AuthZAll", "AuthZNone", "TempPass", "Dummy"] {
      #expect(table.body.contains(name), "\(name)")
    }
  }

  @Test func aResourceMayBeADocument() throws {
    let document = #"<rss version="2.0"><channel><title>TNT</title></channel></rss>"#
    let permit = decide(#"["<rss version=\"2.0\"><channel><title>TNT</title></channel></rss>"]"#)
    guard case .token(let text, _) = try answer(permit, for: .exactly(ExactText(document))) else {
      throw StandInFailure.noToken
    }
    let verifier = try TokenPath(trustedKeys: ServiceFixture.keys(), replayMemory: .none)
    let token = try verifier.verify(
      text.utf8Span.span, requestor: .exactly("REF30"), resource: .exactly(ExactText(document)), at: .now)
    #expect(token.resourceID.text == document)
    #expect(decide(#"["a\u0001"]"#).has("code", "invalid_parameter_resources"))
  }

  @Test func whatIsMissingIsSaid() throws {
    for (header, code) in [
      "Authorization": "invalid_access_token_client_application", "Content-Type": "invalid_parameter_resources",
      "AP-Device-Identifier": "invalid_header_device_identifier",
    ] {
      #expect(decide(without: header).has("code", code), "\(header)")
    }
    for resources in ["[]", "[1]", #"[""]"#, #""TNT""#, "{", "null"] {
      #expect(decide(resources).status == 400 && decide(resources).has("code", "invalid_parameter_resources"))
    }
    let many = Array(repeating: #""TNT""#, count: 21).joined(separator: ",")
    #expect(decide("[\(many)]").has("code", "too_many_resources"))
    #expect(get("/api/v2/REF30/decisions/authorize/x").status == 405 && get("/v1/verify").status == 404)
  }

  @Test func theOlderAnswerIsJSONOrXML() throws {
    let path = "/api/v1/mediatoken?requestor=REF30&resource=TNT&deviceId=1"
    let json = get(path)
    let token = try JSONTree(parsing: json.response.body.span)["serializedToken"]
    guard case .string(let text)? = token?.value else { throw StandInFailure.noToken }
    #expect(
      json.has("requestor", "REF30") && json.has("resource", "TNT")
        && service.verify(Array(text.utf8)).status == 200)
    for xml in [
      get(path + "&format=xml"),
      get("/api/v1/tokens/media?requestor=A%26B&resource=TNT&deviceId=1", ("Accept", "application/xml")),
    ] {
      #expect("\(xml.response.contentType)".hasPrefix("application/xml") && xml.body.contains("<play><expires>"))
      #expect(xml.body.contains("<requestor>REF30<") || xml.body.contains("<requestor>A&amp;B<"))
    }
    let denied = get(
      "/api/v1/mediatoken?requestor=REF30&resource=authorization_denied_by_mvpd&deviceId=1&format=xml")
    #expect(denied.status == 403 && denied.body.contains("<code>authorization_denied_by_mvpd</code>"))
    for (missing, code) in [
      "requestor": "invalid_requestor", "resource": "missing_resource", "deviceId": "invalid_device_id",
    ] {
      let answer = get(path.replacing("\(missing)=", with: "x="))
      #expect(answer.status == 400 && answer.has("code", code), "\(missing)")
    }
  }

  @Test func onlyThisHostIsAnswered() {
    for host in [
      "evil.example:8098", "0.0.0.0:8098", "127.0.0.1.evil.example:8098", "127.0.0.1:", "127.0.0.1:0",
      "127.0.0.1:65536",
    ] {
      let answer = Answered(response: standIn.answer("GET", "/", [("Host", host)], from: .tcp))
      #expect(answer.status == 403 && answer.header("Access-Control-Allow-Origin") == nil, "\(host)")
      #expect(standIn.route("POST", "/", [("Host", host)]).body == .unread)
    }
    // Whatever port leads here: a forwarded one is another number.
    for host in ["127.0.0.1", "127.0.0.1:8099", "localhost:9000", "[::1]:65535"] {
      #expect(Answered(response: standIn.answer("GET", "/", [("Host", host)], from: .tcp)).status == 200, "\(host)")
    }
    for origin in ["http://127.0.0.1:9000", "http://localhost:9000", "https://localhost", "http://[::1]:1"] {
      let answer = get("/", ("Origin", origin), ("Sec-Fetch-Site", "cross-site"))
      #expect(answer.status == 200 && answer.header("Access-Control-Allow-Origin") == origin, "\(origin)")
    }
    for origin in [
      "http://evil.example", "null", "http://localhost.evil.example", "file://", "http://127.0.0.1:0", "",
    ] {
      let answer = get("/", ("Origin", origin))
      #expect(answer.status == 403 && answer.header("Access-Control-Allow-Origin") == nil, "\(origin)")
    }
    #expect(
      get("/", ("Sec-Fetch-Site", "cross-site")).status == 403 && get("/", ("Sec-Fetch-Site", "none")).status == 200
    )
    let asked = [
      Self.headers[0], ("Origin", "http://localhost:9000"), ("Access-Control-Request-Headers", "authorization"),
    ]
    let preflight = Answered(response: standIn.answer("OPTIONS", "/api/v2/a/decisions/authorize/b", asked))
    #expect(preflight.status == 204 && preflight.header("Access-Control-Allow-Headers") == "authorization")
  }

  @Test func aFileMayNameNoOtherKey() throws {
    let installation = try Installation()
    let pair = try ServiceFixture.keyPair.get()
    func source(_ pair: DevelopmentKeyPair) throws -> ConfigurationSource {
      let keys = try TrustedKeys(
        parsing: [KeyFile(name: "own.pem", bytes: Array(pair.publicKeyPEM().utf8))], consent: .none)
      return .development(
        DevelopmentMode.Session(
          pair: pair, keys: keys, keyPath: "own.private.pem", file: installation.folder + "/config.json",
          standIn: Self.address, help: ""))
    }
    let right = try source(pair)
    let configuration = try right.configuration()
    // What the file says holds, except for the memory that others use.
    #expect(configuration.tenants.count == 1 && configuration.replay.address == .none)
    #expect(try right.keys(configuration).keys.map(\.fingerprint) == [pair.fingerprint] && right.standIn != nil)
    let wrong = try source(.generate())
    let error = #expect(throws: Problem.self) { try wrong.keys(configuration) }
    #expect(error?.description.contains("--dev trusts only the key whose private half is own.private.pem") == true)
    #expect(throws: Problem.self) { try Daemon(wrong, installation.log) }
    #expect(ConfigurationSource.file("x").standIn == nil)
  }
}

private enum StandInFailure: Error { case noToken }

extension String {
  /// How often a text is in it.
  fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
