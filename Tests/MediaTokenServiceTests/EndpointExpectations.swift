import MediaTokenIssuer
import Testing

@testable import MediaToken
@testable import MediaTokenService

/// What a case expects of answers and of the log, and what is expected of all of them.
extension EndpointRun {
  func expect(_ words: Substring, of answer: Answered) {
    for word in EndpointWord.all(in: String(words)) {
      switch word {
      case .word("empty"): #expect(answer.body.isEmpty, "\(place)")
      case .word("closes"): #expect(answer.response.endsConnection, "\(place)")
      case .word("4xx"): #expect(400...499 ~= answer.status, "\(place)")
      case .word(let status): #expect("\(answer.status)" == filled(status), "\(place): \(answer.body)")
      case .member(let name, let value) where name.first?.isUppercase == true:
        #expect(answer.header("X-Media-Token-" + name) == filled(value), "\(place): \(name): \(answer.body)")
      case .member(let name, let value):
        #expect(answer.has(name, filled(value)), "\(place): \(name): \(answer.body)")
      case .header(let name, let value) where name.hasPrefix("!"):
        #expect(answer.header(String(name.dropFirst())) == nil, "\(place): \(value)")
      case .header(let name, let value): #expect(answer.header(name) == filled(value), "\(place)")
      case .text(let text): #expect(answer.body.contains(filled(text)), "\(place): \(answer.body)")
      case .noText(let text): #expect(!answer.body.contains(filled(text)), "\(place): \(answer.body)")
      }
    }
  }

  func expect(_ words: Substring, of log: String) {
    for word in EndpointWord.all(in: String(words)) {
      switch word {
      case .word(let count): #expect("\(log.split(separator: "\n").count)" == count, "\(place): \(log)")
      case .text(let text): #expect(log.contains(filled(text)), "\(place): \(log)")
      case .noText(let text): #expect(!log.contains(filled(text)), "\(place): \(log)")
      case .member(let name, let value):
        #expect(log.contains("\"\(name)\":\"\(filled(value))\""), "\(place): \(log)")
      case .header: Issue.record("a log has no headers")
      }
    }
    expectNoSecret(in: log)
  }

  /// A proxy always has all of them, and without a valid token nothing of one.
  func expectWholeSet(_ answer: Answered) {
    let ofTokens = ["Resource", "Requestor", "Mvpd", "Proxy-Mvpd", "Issue-Time", "Handover"]
    for name in ["Verdict", "Reason", "Action", "Adobe-Code", "Use", "Identity"] + ofTokens {
      #expect(answer.header("X-Media-Token-" + name) != nil, "\(place): \(name)")
    }
    #expect(answer.header("Cache-Control") == "no-store", "\(place)")
    guard answer.header("X-Media-Token-Verdict") != "VALID_TOKEN" else { return }
    for name in ofTokens { #expect(answer.header("X-Media-Token-" + name) == "-", "\(place): \(name)") }
    #expect(answer.header("Set-Cookie") == nil, "\(place)")
  }

  /// A valid token's answer and log line have the tag of its account at its issue; nothing else has one.
  func expectTag(of token: DevelopmentToken?, in answer: Answered, isInBody: Bool) throws {
    let bytes = token.flatMap {
      tags?.tag(of: $0.sessionGUID, for: ExactText($0.requestorID), at: $0.issueTime)
    }
    let tag = bytes.map { String(decoding: $0, as: UTF8.self) }
    #expect(answer.body.contains("viewerTag") == (tag != nil && isInBody), "\(place)")
    if let tag, isInBody { #expect(answer.has("viewerTag", tag), "\(place)") }
    for (name, value) in answer.headers {
      #expect(!name.lowercased().contains("tag") && tag.map(value.contains) != true, "\(place)")
    }
    guard tags != nil else { return }
    let line = try service().logged()
    log += line
    #expect(line.contains("viewerTag") == (tag != nil), "\(place)")
    if let tag { #expect(line.contains("\"viewerTag\":\"\(tag)\""), "\(place)") }
  }

  func expectNoSecret(in text: String) {
    #expect(!text.contains(ServiceFixture.guid), "\(place)")
    for token in tokens.values where token.bytes.count > 100 {
      let shows = text.contains(token.text.suffix(100)) || text.contains(token.text.dropFirst(30).prefix(40))
      #expect(!shows, "\(place)")
    }
  }
}
