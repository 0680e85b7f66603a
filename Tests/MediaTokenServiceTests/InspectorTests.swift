import MediaToken
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

@Suite struct InspectorTests {
  private let service: ServiceFixture
  private let inspector: InspectorHandler
  private static let address = InspectorAddress.loopback(host: "127.0.0.1", port: 8099)
  private static let host = ("Host", "127.0.0.1:8099")

  init() throws {
    let tenants = #"[{"requestor": "REF30"}, {"requestor": "B", "resources": ["TNT", "TBS"]}]"#
    service = try ServiceFixture(ServiceFixture.json(tenants: tenants))
    inspector = InspectorHandler(service.handler.service)
  }

  private func ask(
    _ method: String, _ target: String, _ fields: [(String, String)] = [host], _ body: [UInt8] = []
  ) -> Answered {
    Answered(response: inspector.answer(method, target, fields, body, from: .tcp))
  }

  @Test func itServesItsOwnThingsAndNothingElse() {
    for (path, type) in [
      ("/", "text/html"), ("/inspector.css", "text/css"),
      ("/inspector.js", "text/javascript"),
    ] {
      let answer = ask("GET", path)
      #expect(answer.status == 200 && "\(answer.response.contentType)" == "\(type); charset=utf-8", "\(path)")
      #expect(
        ask("HEAD", path).status == 200 && ask("POST", path).status == 405 && ask("GET", path + "?x").status == 400)
    }
    for path in [
      "/v1/verify", "/v1/auth", "/v1/keys", "/livez", "/readyz", "/metrics", "/x", "//",
    ] {
      #expect(ask("POST", path).status == 404 && ask("GET", path).status == 404, "\(path)")
    }
    #expect(ask("GET", "/v1/explain").header("Allow") == "POST" && ask("PUT", "/").header("Allow") == "GET, HEAD")
    // And the verify listener has nothing of the inspector.
    for path in ["/v1/explain", "/inspector.css", "/inspector.js", "/"] {
      #expect(service.ask("POST", path).status == 404 && service.ask("GET", path).status == 404, "\(path)")
    }
  }

  @Test func everyAnswerTellsABrowserToKeepOut() {
    for answer in [
      ask("GET", "/"), ask("GET", "/x"), ask("POST", "/v1/explain", [Self.host], []), ask("GET", "/", []),
    ] {
      for (name, value) in InspectorHeaders.all { #expect(answer.header("\(name)") == value) }
      #expect(answer.header("Set-Cookie") == nil)
    }
    var response = Response()
    inspector.refuse(.headTooLarge(limit: 1), with: &response)
    for (name, value) in InspectorHeaders.all { #expect(Answered(response: response).header("\(name)") == value) }
  }

  @Test func onlyItsOwnAddressIsAnswered() {
    // What leads here, as ssh -L does, has a port of its own.
    for host in [
      "127.0.0.1:8099", "localhost:8099", "LocalHost:8099", "[::1]:8099", "localhost:9000", "127.0.0.1", "[::1]:80",
    ] {
      #expect(ask("GET", "/", [("Host", host)]).status == 200, "\(host)")
    }
    for host in [
      "evil.example:8099", "localhost.evil.example:8099",
      "127.0.0.1.evil.example:8099",
      "127.0.0.1:8099.evil.example", "localhost:08099x", "", "127.0.0.2:8099", "localhost:", "localhost:0",
      "localhost:65536", "[::1]8099",
      "0.0.0.0:8099",
    ] {
      let answer = ask("GET", "/", [("Host", host)])
      #expect(answer.status == 403 && answer.has("error", "foreign-host"), "\(host)")
    }
    #expect(ask("GET", "/", [Self.host, Self.host]).status == 403)
  }

  @Test func otherSitesAreRefused() throws {
    let token = try ServiceFixture.token()
    func status(_ fields: (String, String)...) -> Int {
      ask("POST", "/v1/explain?requestor=REF30&resource=TNT", [Self.host] + fields, token).status
    }
    #expect(status() == 200)
    #expect(status(("Origin", "http://127.0.0.1:8099"), ("Sec-Fetch-Site", "same-origin")) == 200)
    #expect(status(("Sec-Fetch-Site", "none")) == 200)
    for origin in [
      "null", "http://evil.example", "https://127.0.0.1:8099", "http://127.0.0.1", "http://127.0.0.1:8099/",
      "http://localhost:8099", "",
    ] {
      #expect(status(("Origin", origin)) == 403, "\(origin)")
    }
    for site in ["cross-site", "same-site", "", "Same-Origin "] { #expect(status(("Sec-Fetch-Site", site)) == 403) }
    #expect(status(("Origin", "http://127.0.0.1:8099"), ("Origin", "http://127.0.0.1:8099")) == 403)
  }

  @Test func anExplanationIsTheVerdictAndSpendsNothing() throws {
    let token = try ServiceFixture.token()
    for _ in 0..<3 {
      let answer = ask("POST", "/v1/explain?requestor=REF30&resource=TNT", [Self.host], token)
      #expect(answer.status == 200 && answer.has("verdict", "VALID_TOKEN") && answer.has("state", "unused"))
      #expect(!answer.body.contains(ServiceFixture.guid))
    }
    #expect(service.verify(token).status == 200)
    let used = ask("POST", "/v1/explain?requestor=REF30&resource=TNT", [Self.host], token)
    #expect(
      used.has("verdict", "TOKEN_REPLAYED") && used.has("state", "used") && used.has("reason", "already-used"))
    #expect(service.logged().isEmpty)
  }

  @Test func whatAQuestionLeavesOpenIsTakenFromTheToken() throws {
    let answer = ask("POST", "/v1/explain", [Self.host], try ServiceFixture.token())
    #expect(
      answer.status == 200 && answer.body.contains(#""notChecked":["requestor","resource"]"#), "\(answer.body)")
    #expect(!answer.body.contains("VALID_TOKEN") && !answer.body.contains(#""viewer""#))
    let open = #""binding":[{"name":"requestor","outcome":"not-checked","expected":"not asked","found":"REF30"},"#
    #expect(answer.body.contains(open), "\(answer.body)")
    let stranger = ask("POST", "/v1/explain", [Self.host], try ServiceFixture.token(requestor: "OTHER"))
    #expect(stranger.has("verdict", "INVALID_REQUESTOR_ID"))
    let unserved = #"outcome":"failed","expected":"a requestor that is served here","found":"OTHER""#
    #expect(stranger.body.contains(unserved), "\(stranger.body)")
    let unlisted = ask(
      "POST", "/v1/explain", [Self.host], try ServiceFixture.token(requestor: "B", resource: "CNN"))
    let unplayed = #"outcome":"failed","expected":"a resource that is played here","found":"CNN""#
    #expect(unlisted.has("verdict", "INVALID_RESOURCE_ID") && unlisted.body.contains(unplayed), "\(unlisted.body)")
    let other = ask("POST", "/v1/explain?resource=TBS", [Self.host], try ServiceFixture.token())
    #expect(other.has("verdict", "INVALID_RESOURCE_ID") && other.body.contains(#""expected":"TBS","found":"TNT""#))
    #expect(ask("POST", "/v1/explain", [Self.host], Array("nonsense".utf8)).has("verdict", "INVALID_TOKEN_FORMAT"))
  }

  @Test func aQuestionThatCanNotBeReadIsAnError() {
    let json = [Self.host, ("Content-Type", "application/json")]
    #expect(ask("POST", "/v1/explain", json, Array("{".utf8)).status == 400)
    #expect(ask("POST", "/v1/explain", json, Array(#"{"x":1}"#.utf8)).status == 400)
    #expect(ask("POST", "/v1/explain?tenant=x", [Self.host], []).status == 400)
    #expect(ask("POST", "/v1/explain", [Self.host, ("Content-Type", "image/png")], []).status == 415)
    #expect(inspector.bodyRule("POST", "/v1/explain", [Self.host]) == .collect(atMost: 256 * 1024))
    #expect(inspector.bodyRule("POST", "/v1/explain", []) == .unread)
  }

  @Test func aFaultHasNoVerdictAndAllElse() throws {
    service.table.retire()
    let answer = ask("POST", "/v1/explain?requestor=REF30&resource=TNT", [Self.host], try ServiceFixture.token())
    #expect(answer.status == 503 && answer.has("fault", Fault.replayMemoryUnavailable.answer.wireName))
    #expect(
      !answer.body.contains("\"verdict\"") && answer.has("outcome", "no-answer") && answer.has("action", "retry"))
    #expect(answer.has("viewer", Action.retry.viewerSentence) && answer.body.contains(#""life":{"#))
  }

  /// However many ask, the thread rests: that bounds what a crowd can take from the verify listener.
  @Test func itRestsAfterEachAnswer() {
    let start = MonotonicTime.now
    for _ in 0..<20 { _ = ask("GET", "/") }
    #expect(MonotonicTime.now - start >= 100_000_000)
  }

  @Test func noOtherAddressIsTaken() throws {
    func configured(_ address: String) throws -> InspectorAddress? {
      let json = ServiceFixture.json(
        "\"tcp\": {\"address\": \"127.0.0.1\", \"port\": 9}, \"inspector\": \"\(address)\"")
      return try ConfigurationFile.parse(Array(json.utf8).span).inspector?.place
    }
    #expect(try configured("127.0.0.1:8099") == Self.address)
    #expect(try configured("[::1]:1") == .loopback(host: "[::1]", port: 1))
    #expect(try configured("[::1]:9") == .loopback(host: "[::1]", port: 9))
    #expect(try configured("/run/i.sock") == .socket("/run/i.sock"))
    #expect(try configured("./i.sock") == .socket("./i.sock"))
    for address in [
      "0.0.0.0:80", "localhost:80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:080",
      ":80",
      "80", "[::]:80", "::1:80", "192.0.2.1:80", "example.org:80", "127.0.0.1:80/", "", "sock", "@abstract/x",
      "http://127.0.0.1:80/", "127.0.0.1:9", "/run/test.sock", "/" + String(repeating: "x", count: 107),
    ] {
      let error = #expect(throws: Problem.self, "\(address)") { try configured(address) }
      #expect(error?.code == "inspector", "\(address)")
    }
  }

  private static func configured(_ inspector: String, socket: String = "") throws -> Configuration {
    let json = """
      {"socket": {"path": "/run/test.sock"\(socket)}, "keys": ["/k"], "replay": {"address": "none:"},
       "tenants": [{"requestor": "REF30"}], "inspector": \(inspector)}
      """
    return try ConfigurationFile.parse(Array(json.utf8).span)
  }

  @Test func itsSocketIsForItsOwnPeople() throws {
    let short = try Self.configured("\"/run/i\"", socket: #", "mode": "0666", "group": 7"#).inspector
    #expect(short?.mode == 0o600 && short?.group == nil)
    let object = #"{"path": "/run/i", "mode": "0660", "group": 8}"#
    let own = try Self.configured(object, socket: #", "mode": "0660", "group": 7"#).inspector
    #expect(own?.place == .socket("/run/i") && own?.mode == 0o660 && own?.group == 8)
    #expect(try Self.configured(#"{"address": "[::1]:8"}"#).inspector?.place == .loopback(host: "[::1]", port: 8))
  }

  /// Who may ask why must not be who may use tokens up.
  @Test func theGroupThatMayUseTokensUpIsNotItsGroup() throws {
    let made = CurrentProcess.effectiveGroupID
    for (mode, group, socket) in [
      ("0660", "7", #", "mode": "0660", "group": 7"#), ("0660", "\(made)", ""), ("0620", "\(made)", ""),
      ("0660", "7", #", "mode": "0666", "group": 7"#),
    ] {
      let error = #expect(throws: Problem.self, "\(mode) \(group)") {
        try Self.configured(#"{"path": "/run/i", "mode": "\#(mode)", "group": \#(group)}"#, socket: socket)
      }
      #expect(error?.code == "inspector" && error?.sentence.contains("group of its own") ?? false)
    }
    #expect(throws: Problem.self) { try Self.configured(#"{"path": "/run/i", "mode": "0660"}"#) }
    // A group that may connect to one of the two only is no one's trouble.
    _ = try Self.configured(
      #"{"path": "/run/i", "mode": "0660", "group": 7}"#, socket: #", "mode": "0600", "group": 7"#)
    _ = try Self.configured(#"{"path": "/run/i", "mode": "0640", "group": 7}"#, socket: #", "group": 7"#)
  }

  @Test func aPlaceIsAPathOrAnAddress() throws {
    let places = #""path": "/run/i", "address": "[::1]:8""#
    for (inspector, key) in [
      ("{}", "inspector"), ("{\(places)}", "inspector"), (#"{"address": "/run/i"}"#, "inspector.address"),
      (#"{"address": "[::1]:8", "mode": "0600"}"#, "inspector.mode"),
      (#"{"address": "[::1]:8", "group": 7}"#, "inspector.group"),
      ("7", "inspector"),
      (#"{"path": "/run/test.sock"}"#, "inspector"),
    ] {
      let error = #expect(throws: Problem.self, "\(inspector)") { try Self.configured(inspector) }
      #expect(error?.code == key, "\(inspector)")
    }
  }

  /// A body is read by the limit that holds now.
  @Test func aReloadChangesWhatIsReadAtOnce() throws {
    #expect(inspector.bodyRule("POST", "/v1/explain", [Self.host]) == .collect(atMost: 256 * 1024))
    let json = ServiceFixture.json("\"limits\": {\"bodyBytes\": 5000}")
    let other = try ConfigurationFile.parse(Array(json.utf8).span)
    service.handler.service.current.exchange(
      for: try ServingState(other, ServiceFixture.keys(), service.table))
    #expect(inspector.bodyRule("POST", "/v1/explain", [Self.host]) == .collect(atMost: 5000))
  }

  /// Of the many users that one may have made, those that the configuration names have an account each.
  @Test func usersThatAreNamedHaveAnAccountEach() throws {
    let owned = try Self.configured(#"{"path": "/run/i", "owner": 5}"#, socket: #", "owner": 7"#)
    #expect(ServerOptions(owned).namedUsers == [7])
    #expect(ServerOptions(owned, ofInspector: try #require(owned.inspector)).namedUsers == [5])
  }

  /// Callers that do not end what they begin hold its few connections for two seconds, and no longer.
  @Test func itsConnectionsAreSoonFreeAgain() throws {
    let configuration = try Self.configured(#"{"path": "/run/i"}"#)
    let options = ServerOptions(configuration, ofInspector: try #require(configuration.inspector))
    #expect(options.requestDeadline == .seconds(2) && options.idleLimit == .seconds(5))
    #expect(options.workers == 1 && options.connectionLimit == 32)
    #expect(ServerOptions(configuration).requestDeadline == .seconds(10))
  }

  /// A look at nodes that do not answer is short.
  @Test func aLookWaitsForNodesNotMuchLongerThanAVerdict() throws {
    #expect(Configuration.timeoutMilliseconds(deadline: 50) == 250)
    #expect(Configuration.timeoutMilliseconds(deadline: 1000) == 2000)
  }
}
