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

  @Test(arguments: [("/", "text/html"), ("/inspector.css", "text/css"), ("/inspector.js", "text/javascript")])
  func whatItServesHasItsType(path: String, type: String) {
    #expect("\(ask("GET", path).response.contentType)" == "\(type); charset=utf-8")
  }

  @Test func everyRefusalTellsABrowserToKeepOut() {
    var response = Response()
    inspector.refuse(.headTooLarge(limit: 1), with: &response)
    for answer in [Answered(response: response), ask("GET", "/", [])] {
      for (name, value) in InspectorHeaders.all { #expect(answer.header("\(name)") == value) }
    }
  }

  @Test func bodiesAreReadForQuestionsOfItsOwnAddress() {
    #expect(inspector.bodyRule("POST", "/v1/explain", [Self.host]) == .collect(atMost: 256 * 1024))
    #expect(inspector.bodyRule("POST", "/v1/explain", []) == .unread)
  }

  /// However many ask, the thread rests: that bounds what a crowd can take from the verify listener.
  @Test func itRestsAfterEachAnswer() {
    let start = MonotonicTime.now
    for _ in 0..<20 { _ = ask("GET", "/") }
    #expect(MonotonicTime.now - start >= 100_000_000)
  }

  @Test func anAddressIsLoopbackOrASocket() throws {
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
    // A group that may connect to one of the two only is no one's trouble.
    _ = try Self.configured(
      #"{"path": "/run/i", "mode": "0660", "group": 7}"#, socket: #", "mode": "0600", "group": 7"#)
    _ = try Self.configured(#"{"path": "/run/i", "mode": "0640", "group": 7}"#, socket: #", "group": 7"#)
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
    #expect(FleetPlan.timeoutMilliseconds(deadline: 50) == 250)
    #expect(FleetPlan.timeoutMilliseconds(deadline: 1000) == 2000)
  }
}
