import Foundation
import MediaToken
import Testing

@testable import MediaTokenService

/// Resources that are documents: the table that an independent model made, asked over JSON, and what tenants and routes fix.
@Suite struct ResourceDocumentRequestTests {
  private static let short = "<rss version='2.0'><channel><title>TNT</title></channel></rss>"
  private static let tall = "<rss version=\"2.0\">\n<channel>\n<title>TNT</title>\n</channel>\n</rss>"

  private struct Row: Decodable {
    let name, kind, expected, resource: String
    let reason: String?
    let signable: Bool
  }

  private static func rows() throws -> [Row] {
    let file = URL(filePath: #filePath).appending(path: "../../Vectors/documents.json").standardizedFileURL
    return try JSONDecoder().decode([Row].self, from: Data(contentsOf: file)).filter(\.signable)
  }

  private static func ask(
    _ service: ServiceFixture, _ token: [UInt8], _ members: [String: String], _ query: String = ""
  ) throws -> Answered {
    var question = members
    question["token"] = String(decoding: token, as: UTF8.self)
    let body = Array(try JSONSerialization.data(withJSONObject: question))
    return service.ask("POST", "/v1/verify" + query, [("Content-Type", "application/json")], body)
  }

  @Test func everyCaseOfTheModelAgrees() throws {
    let (service, rows) = (try ServiceFixture(), try Self.rows())
    #expect(rows.count > 300)
    for row in rows {
      let token = try ServiceFixture.token(resource: row.resource)
      let member = row.kind == "document" ? "resourceDocument" : "resourceChannel"
      let answer = try Self.ask(service, token, [member: row.expected])
      if let reason = row.reason {
        #expect(answer.status == 403 && answer.has("reason", reason), "\(row.name): \(answer.body)")
      } else {
        #expect(answer.status == 200, "\(row.name): \(answer.body)")
        #expect(try Self.ask(service, token, [member: row.expected]).has("reason", "already-used"), "\(row.name)")
      }
    }
  }

  @Test func atMostOneResourceIsSaidAndItIsOne() throws {
    let service = try ServiceFixture()
    let token = try ServiceFixture.token(resource: Self.tall)
    for members in [
      ["resource": "TNT", "resourceChannel": "TNT"], ["resourceDocument": Self.short, "resourceChannel": "TNT"],
      ["resourceDocument": ""], ["resourceChannel": ""], ["resourceDocument": "TNT"],
      ["resourceChannel": Self.short],
      ["resourceDocument": "<rss version='2.0'/>"],
    ] {
      let answer = try Self.ask(service, token, members)
      #expect(answer.status == 400 && answer.has("error", "bad-parameter"), "\(members)")
    }
    #expect(try Self.ask(service, token, ["resource": "TNT"], "?resourceChannel=TNT").status == 400)
    #expect(service.verify(token, "requestor=REF30&resourceChannel=TNT&resourceDocument=x").status == 400)
    // A mistake is one whatever requestor it names, and not a verdict.
    for requestor in ["REF30", "REF99"] {
      #expect(service.verify(token, "requestor=\(requestor)&resourceDocument=TNT").status == 400, "\(requestor)")
    }
    // A mismatch names the element and no value.
    let other = try Self.ask(service, token, ["resourceDocument": Self.short.replacing("TNT", with: "TBS")])
    #expect(other.status == 403 && other.body.contains("they differ in channel title\""), "\(other.body)")
    // None of these has used it up.
    #expect(service.verify(token, "requestor=REF30&resourceChannel=TNT").status == 200)
  }

  /// What the tenant fixes holds with every question: the same, or something narrower.
  @Test func questionAgreesWithWhatItsTenantFixes() throws {
    func verdicts(_ fixed: String, _ resource: String, _ members: [[String: String]]) throws -> [Int] {
      let service = try ServiceFixture(ServiceFixture.json(tenants: #"[{"requestor": "REF30", \#(fixed)}]"#))
      return try members.map { Int(try Self.ask(service, ServiceFixture.token(resource: resource), $0).status) }
    }
    let questions = [
      [:], ["resourceDocument": Self.short], ["resourceChannel": "TNT"], ["resource": Self.tall],
      ["resource": "TNT"],
      ["resourceChannel": "HBO"],
    ]
    let document = #""resourceDocument": "\#(Self.short)""#
    #expect(try verdicts(document, Self.tall, questions) == [200, 200, 403, 200, 403, 403])
    #expect(try verdicts(#""resourceChannel": "TNT""#, Self.tall, questions) == [200, 200, 200, 200, 403, 403])
    #expect(try verdicts(#""resourceChannel": "HBO""#, Self.tall, questions) == [403, 403, 403, 403, 403, 403])
    #expect(try verdicts(#""resources": ["TNT"]"#, Self.tall, questions) == [403, 403, 403, 403, 403, 403])
    for wrong in [
      #""resourceDocument": "TNT""#, #""resourceChannel": "<""#, #""resources": ["TNT"], \#(document)"#,
    ] {
      #expect(throws: Problem.self) { try verdicts(wrong, Self.tall, []) }
    }
  }

  @Test func routesMayExpectADocumentOrAChannel() throws {
    func statuses(_ resource: String) throws -> [Int] {
      let service = try ServiceFixture(
        ServiceFixture.json(
          tenants: #"[{"requestor": "REF30"}]"#,
          """
          "auth": {"tokenHeader": "X-Token", "routes": [
            {"prefix": "/document", "resourceDocument": "\(Self.short)"}, {"prefix": "/channel", "resourceChannel": "TNT"},
            {"prefix": "/exact", "resource": "TNT"}]}
          """))
      return try ["/document", "/channel", "/exact"].map { path in
        let token = String(decoding: try ServiceFixture.token(resource: resource, form: .percent), as: UTF8.self)
        return Int(service.ask("GET", "/v1/auth" + path, [("X-Token", token)]).status)
      }
    }
    #expect(try statuses(Self.tall) == [200, 200, 403])
    #expect(try statuses("TNT") == [403, 200, 200])
    #expect(try statuses("<rss/>") == [403, 403, 403])
    let both =
      #""auth": {"tokenHeader": "T", "routes": [{"prefix": "/", "resource": "A", "resourceChannel": "A"}]}"#
    #expect(throws: Problem.self) {
      try ServiceFixture(ServiceFixture.json(tenants: #"[{"requestor": "REF30"}]"#, both))
    }
  }
}
