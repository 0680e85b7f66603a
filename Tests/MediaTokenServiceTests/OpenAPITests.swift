import MediaToken
import MediaTokenSystem
import Testing

@testable import MediaTokenFormats
@testable import MediaTokenHTTP
@testable import MediaTokenService

/// `openapi.yaml` has what the code has, and nothing else. What answers are made of, the scenario `docs/openapi.py` finds out from a
/// running daemon.
@Suite struct OpenAPITests {
  private let document: OpenAPIText
  private var schemas: OpenAPIText { document["components", "schemas"] }
  private var headers: OpenAPIText { document["components", "headers"] }

  init() throws { document = try .document() }

  @Test func theVersionIsOurs() {
    #expect(document["info", "version"].text == ": \(Version.current)")
  }

  @Test func everyEndpointHasItsMethods() throws {
    let routes = Handler.routes
    var found: Set<String> = []
    let possible = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
    for path in document["paths"].keys {
      let bytes = Array(path.utf8)
      let route = try #require(routes.first { $0.covers(bytes.span) }, "\(path)")
      found.insert("\(route.path)")
      let methods = document["paths", path].keys.filter { possible.contains($0) }
      let allowed = possible.filter { route.methods.contains(Array($0.uppercased().utf8).span) }
      #expect(methods.count == Set(methods).count && Set(methods) == Set(allowed), "\(path)")
    }
    #expect(found == Set(routes.map { "\($0.path)" }))
    let allow = Set(routes.compactMap(\.methods.names).map { "\($0)" })
    #expect(headers["Allow"].text.contains("[POST, 'GET, HEAD']") && allow == ["POST", "GET, HEAD"])
  }

  @Test func everyEnumerationIsTheCodes() {
    let verdicts = Verdict.allCases.map(\.answer.wireName)
    let refusing = Verdict.allCases.filter { $0 != .validToken }
    let adobe = AdobeCode.allCases.map(\.rawValue)
    let actions = Action.allCases.map(\.rawValue)
    let uses = VerifiedToken.Use.allCases.map(\.rawValue)
    let lists: [(OpenAPIText, [String])] = [
      (schemas["RefusingVerdict"], refusing.map(\.answer.wireName)),
      (schemas["FaultName"], Fault.allCases.map(\.answer.wireName)),
      (schemas["Reason"], Reason.allCases.map(\.rawValue)),
      (schemas["Action"], actions),
      (schemas["AdobeCode"], adobe),
      (schemas["Use"], uses),
      (schemas["UnreadyReason"], Condition.allCases.map(\.rawValue)),
      (headers["Verdict"], ["-"] + verdicts),
      (headers["Action"], ["-"] + actions),
      (headers["AdobeCode"], ["-"] + adobe),
      (headers["Use"], ["-"] + uses + [NotSpentToken.use]),
    ]
    for (block, names) in lists { #expect(block.list() == names) }
    let numbers = refusing.map { ($0.answer.wireName, Int($0.answer.number)) }
    #expect(schemas["RefusingVerdict"].numbers == Dictionary(uniqueKeysWithValues: numbers))
    let faults = Fault.allCases.map { ($0.answer.wireName, Int($0.answer.number)) }
    #expect(schemas["FaultName"].numbers == Dictionary(uniqueKeysWithValues: faults))
  }

  @Test func whatMayBeAskedIsWhatIsRead() {
    let form = Set(schemas["Form", "properties"].keys)
    for name in form {
      let parameter = Question.Parameter(Array(name.utf8).span, mayBeToken: true)
      #expect(parameter != nil, "\(name)")
    }
    #expect(form.count == 5)
    #expect(Set(schemas["Question", "properties"].keys) == form.union(["decision"]))
  }

  @Test func theFullSetOfHeadersIsTheCodes() {
    var response = Response()
    AuthHeaders.append(.noToken, to: &response)
    let names = document["components", "responses", "GoThroughUnspent", "headers"].keys
    #expect(Set(names) == Set(Answered(response: response).headers.map(\.name) + ["Cache-Control"]))
    #expect(names.count == 13)
  }

  /// An error and the status that says it.
  struct Pair: Hashable {
    let status: String
    let name: String
  }

  @Test func everyErrorIsWithItsStatusAndNoOther() throws {
    var documented: Set<Pair> = []
    for path in document["paths"].keys {
      for method in document["paths", path].keys {
        let responses = document["paths", path, method, "responses"]
        for status in responses.keys {
          let component = responses[status].text.split(separator: "/").last?.filter { $0 != "'" } ?? ""
          for name in document["components", "responses", component, "content"].list("error: {enum") {
            documented.insert(Pair(status: status, name: name))
          }
        }
      }
    }
    var ours = try Self.answers()
    // Said by the server without a handler: see Listener and WorkerLoop.
    ours.formUnion([Pair(status: "503", name: "unavailable")])
    #expect(documented == ours)
    #expect(Set(schemas["ErrorName"].list()) == Set(ours.map(\.name)))
    #expect(schemas["ErrorName"].list().count == Set(ours.map(\.name)).count)
  }

  /// What every error and every refusal is answered with.
  private static func answers() throws -> Set<Pair> {
    let handler = try ServiceFixture().handler
    var pairs: Set<Pair> = []
    func note(_ refuse: (inout Response) -> Void) throws {
      var response = Response()
      refuse(&response)
      let words = String(decoding: response.body, as: UTF8.self).split(separator: "\"")
      try #require(words.count > 3 && words[1] == "error")
      pairs.insert(Pair(status: "\(response.status)", name: String(words[3])))
    }
    for error in allErrors { try note { handler.refuse(error, with: &$0) } }
    for refusal in allRefusals { try note { handler.refuse(refusal, with: &$0) } }
    #expect(pairs.count == allErrors.count + allRefusals.count)
    return pairs
  }

  /// One of each. A case that is new does not compile below, where it gets a place of its own.
  private static let allErrors: [RequestError] = [
    .parameter(""), .body(""), .decision(Problem("")), .noTokenInDecision(NoToken(code: nil)), .requestID,
    .noToken, .pathRefused, .notOverTCP, .foreignSite(""), .ambiguous(""), .noRoute, .methodRefused, .notFound(""),
    .methodNotAllowed("POST"), .mediaType, .headerTooLong,
  ]

  /// Nil for what is answered otherwise.
  private static func place(of error: RequestError) -> Int? {
    switch error {
    case .parameter: 0
    case .body: 1
    case .decision: 2
    case .noTokenInDecision: 3
    case .requestID: 4
    case .noToken: 5
    case .pathRefused: 6
    case .notOverTCP: 7
    case .foreignSite: 8
    case .ambiguous: 9
    case .noRoute: 10
    case .methodRefused: 11
    case .notFound: 12
    case .methodNotAllowed: 13
    case .mediaType, .contentEncoding: 14
    case .headerTooLong: 15
    // The inspector's alone.
    case .foreignHost: nil
    case .undecided: nil
    }
  }

  private static let allRefusals: [RequestRefusal] = [
    .malformed(.host), .late, .lengthRequired(.absent), .bodyTooLarge(limit: 1), .targetTooLong(limit: 1),
    .expectation, .headTooLarge(limit: 1), .version,
  ]

  private static func place(of refusal: RequestRefusal) -> Int {
    switch refusal {
    case .malformed: 0
    case .late: 1
    case .lengthRequired: 2
    case .bodyTooLarge: 3
    case .targetTooLong: 4
    case .expectation: 5
    case .headTooLarge: 6
    case .version: 7
    }
  }

  @Test func noErrorIsLeftOut() {
    #expect(Self.allErrors.map(Self.place) == Array(0...15))
    #expect(Self.allRefusals.map(Self.place) == Array(0...7))
  }
}
