import Foundation
import MediaToken
import MediaTokenSystem
import Testing

/// The article FleetProtocol is for authors of a second implementation: what it shows is what the first one does.
@Suite struct FleetProtocolTests {
  let article: String

  init() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    let place = "Sources/MediaToken/MediaToken.docc/FleetProtocol.md"
    article = try String(contentsOf: root.appending(path: place), encoding: .utf8)
  }

  /// What the article's command that contains this text prints.
  func printed(byCommandWith text: String) throws -> String {
    let lines = article.split(separator: "\n")
    let command = try #require(lines.firstIndex { $0.hasPrefix("$ ") && $0.contains(text) })
    return String(lines[command + 1])
  }

  @Test func `the article's digest is the one that nodes keep`() throws {
    let fleet = try FleetAddress(redis: "prod@redis1.example:6379,redis2.example:6379,redis3.example:6379")
    let digest = try FleetDigest(of: fleet, FleetPolicy(.standard))
    #expect(try printed(byCommandWith: "redis1.example") == digest.description)
  }

  @Test func `the article's claim id is the one of a repeated request`() throws {
    var hasher = try SHA256Hasher()
    let identity = TokenIdentity(digest: try hasher.digest(of: "signed bytes".utf8Span.span))
    let request = UseRequest(id: "request-1", callerUID: 1000)
    let ballot = Ballot(try Ballot.ID.of(request, for: identity, &hasher), second: 0)
    let bytes = ballot.bytes
    let digits = (0..<12).map { String(bytes[$0] >> 4, radix: 16) + String(bytes[$0] & 15, radix: 16) }
    #expect(try printed(byCommandWith: "mt1 retry") == digits.joined())
  }
}
