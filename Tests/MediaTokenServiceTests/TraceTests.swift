import MediaToken
import Testing

@testable import MediaTokenService

@Suite struct TraceTests {
  private static let (trace, span) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")
  private static let field = ("traceparent", "00-\(trace)-\(span)-01")

  @Test func everyLineOfAVerdictHasTheTraceOfItsRequest() throws {
    let more = #""log": {"verdicts": "all", "linesPerSecond": 100}, "auth": {"tokenHeader": "X-Token"}"#
    let service = try ServiceFixture(
      ServiceFixture.json(tenants: #"[{"requestor": "REF30", "resources": ["TNT"]}]"#, more))
    let token = try ServiceFixture.text()
    #expect(service.verify(try ServiceFixture.token(), "resource=TNT", [Self.field]).status == 200)
    #expect(service.ask("GET", "/v1/auth", [("X-Token", token), Self.field]).status == 200)
    #expect(service.verify(Array("nonsense".utf8), "resource=TNT", [Self.field]).status == 403)
    let lines = service.logged().split(separator: "\n")
    #expect(lines.count == 3)
    for line in lines {
      #expect(line.contains(#""trace_id":"\#(Self.trace)","span_id":"\#(Self.span)""#), "\(line)")
    }
  }

  @Test func whatIsIllFormedIsNeitherCopiedNorRefused() throws {
    let service = try ServiceFixture(ServiceFixture.json(#""log": {"verdicts": "all", "linesPerSecond": 100}"#))
    for value in ["00-EVIL", "00-\(Self.trace)-\(Self.span)-01\"", String(repeating: "EVIL", count: 14)] {
      let token = try ServiceFixture.token()
      #expect(service.verify(token, "requestor=REF30&resource=TNT", [("traceparent", value)]).status == 200)
    }
    let log = service.logged()
    #expect(log.contains("VALID_TOKEN") && !log.contains("trace_id") && !log.contains("EVIL"))
  }
}
