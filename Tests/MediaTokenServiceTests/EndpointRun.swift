import Foundation
import MediaTokenIssuer
import MediaTokenSystem
import Testing

@testable import MediaToken
@testable import MediaTokenHTTP
@testable import MediaTokenService

/// A case of `Tests/Cases/endpoints` on its way: its service, its tokens, and what every answer has to be besides what the case says.
/// `endpoints.txt` begins with the words of a case.
final class EndpointRun {
  struct Token {
    let issued: DevelopmentToken
    let bytes: [UInt8]
    /// As an answer shows it; nil if it has no good signature.
    let identity: String?
    var isUsed = false
    var text: String { String(decoding: bytes, as: UTF8.self) }

    static func percentEncoded(_ text: String) -> String {
      var output: [UInt8] = []
      output.appendPercentEncoding(of: text.utf8Span.span)
      return String(decoding: output, as: UTF8.self)
    }
  }

  /// A line that is not in the form of a case.
  enum CaseError: Error {
    case noName
    case noArrow(String)
  }

  /// The file and the line that is run.
  private(set) var place = ""
  private let row: [String: String]
  private var texts = ["Q": "requestor=REF30&resource=TNT"]
  private(set) var tokens: [String: Token] = [:]
  private var settings = (tenants: #"[{"requestor": "REF30"}]"#, more: [String](), retries: false)
  private var made: ServiceFixture?
  private var inspector: InspectorHandler?
  private var peer = Peer.process(uid: 33, gid: 33, pid: 7)
  private var (isRetired, isRefused) = (false, false)
  private(set) var tags: ViewerTags?
  var log = ""
  private let folder = TagFolder()
  private static let characters = [
    "EMPTY": "", "ACUTE": "\u{301}", "EACUTE": "\u{E9}", "SP": " ", "TAB": "\t", "NUL": "\0", "CR": "\r",
    "LF": "\n", "DEL": "\u{7F}",
    "GUID": ServiceFixture.guid,
  ]

  init(row: [String: String]) { self.row = row }

  func run(_ line: EndpointCase.Line) throws {
    place = line.place
    let words = line.text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    let (name, rest) = (words[0], words.count > 1 ? words[1] : "")
    switch name {
    case "let":
      let parts = rest.split(separator: " ", maxSplits: 1)
      texts[String(parts[0])] = String(parts[1])
    case "token": try issue(rest)
    case "tenants": settings.tenants = rest
    case "with": settings.more.append(rest)
    case "retries": settings.retries = true
    case "tags":
      let key = folder.write(ViewerTagTests.key)
      tags = try ViewerTags(ViewerTagSettings(key: key, rotateHours: 1))
      settings.more.append(#""viewerTag": {"key": "\#(key)", "rotateHours": 1}"#)
    case "refused":
      let problem = #expect(throws: Problem.self) { try ServiceFixture(json) }
      #expect(problem?.code == filled(rest))
      isRefused = true
    case "from": peer = rest == "tcp" ? .tcp : .process(uid: UInt32(rest) ?? .max, gid: 33, pid: 7)
    case "inspect":
      inspector = InspectorHandler(try service().handler.service)
      peer = .tcp
    case "verify": (inspector, peer) = (nil, .process(uid: 33, gid: 33, pid: 7))
    case "retire":
      try service().table.retire()
      isRetired = true
    case "log":
      expect(named(rest).dropFirst(3), of: log + (try service().logged()))
      log = ""
    default: try ask(line.text)
    }
  }

  /// What holds at the end of every case: a token is used up if an answer said so, and only then; and no token and no account is in
  /// the log or the metrics.
  func end() throws {
    if isRefused { return }
    let service = try service()
    for (name, token) in tokens where !isRetired {
      let path = try TokenPath(
        trustedKeys: ServiceFixture.keys(), policy: .standard, replayMemory: service.table)
      let (requestor, resource) = (ExactText(token.issued.requestorID), ExactText(token.issued.resourceID))
      do {
        _ = try path.verify(
          token.bytes.span, requestor: .exactly(requestor), resource: .exactly(resource), at: .now)
        #expect(!token.isUsed, "\(name) is not used up")
      } catch {
        guard case .rejected(let rejection) = error, rejection.reason != .expired else { continue }
        #expect((rejection.reason == .alreadyUsed) == token.isUsed, "\(name): \(error)")
      }
    }
    expectNoSecret(in: service.logged() + service.ask("GET", "/metrics").body)
  }

  // MARK: what is asked

  func service() throws -> ServiceFixture {
    if let made { return made }
    let service = try ServiceFixture(json)
    made = service
    return service
  }

  private var json: String {
    let text = filled(ServiceFixture.json(tenants: settings.tenants, settings.more.joined(separator: ", ")))
    guard settings.retries else { return text }
    return text.replacing(#""shared:/test""#, with: #""shared:/test", "retryWindowMilliseconds": 60000"#)
      .dropLast() + #", "requestIDHeader": "X-Request-ID"}"#
  }

  /// The text with tokens and characters for their names.
  func filled(_ text: String) -> String {
    replacingNames(in: named(text)) { name in tokens[name]?.text ?? Self.characters[name] }
  }

  /// The text with the row's cells and what `let` named, also where those have such names again.
  private func named(_ text: String) -> String {
    replacingNames(in: text) { name in (row[name] ?? texts[name]).map { self.named($0) } }
  }

  /// `$NAME` or `${NAME}` is the name's value, and `$NAME%` that percent-encoded. What has no value stays as it is.
  private func replacingNames(in text: String, by value: (String) -> String?) -> String {
    var (result, rest) = ("", text[...])
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[dollar...].dropFirst()
      let isBraced = rest.first == "{"
      let name = rest.dropFirst(isBraced ? 1 : 0).prefix { $0.isASCII && ($0.isUppercase || $0.isNumber) }
      rest = rest[name.endIndex...].dropFirst(isBraced ? 1 : 0)
      guard let value = value(String(name)) else {
        result += isBraced ? "${\(name)}" : "$\(name)"
        continue
      }
      let isEncoded = rest.first == "%"
      rest = rest.dropFirst(isEncoded ? 1 : 0)
      result += isEncoded ? Token.percentEncoded(value) : value
    }
    return result + rest
  }

  private func issue(_ words: String) throws {
    let parts = EndpointWord.all(in: named(words))
    guard case .word(let name) = parts.first else { throw CaseError.noName }
    var (form, age, flips) = (DevelopmentTokenIssuer.Form.raw, Int64(0), false)
    var issued: DevelopmentToken?
    func change(_ token: inout DevelopmentToken) {
      for case .member(let name, let value) in parts {
        let value = filled(value)
        switch name {
        case "requestor": token.requestorID = value
        case "resource": token.resourceID = value
        case "mvpd": token.mvpdID = value
        case "ttl": token.ttlMilliseconds = Int64(value) ?? 0
        case "guid": token.sessionGUID = value
        default: break
        }
      }
      issued = token
    }
    for part in parts {
      switch part {
      case .member("form", let value): form = try #require(.init(rawValue: filled(value)))
      case .member("age", let value): age = try #require(Int64(value))
      case .word("forged"): flips = true
      default: break
      }
    }
    var bytes = try ServiceFixture.token(form: form, age: age, change)
    if flips { bytes[bytes.count - 20] ^= 1 }
    let token = try #require(issued)
    let seen = try? TokenPath(trustedKeys: ServiceFixture.keys(), replayMemory: .none).verifyWithoutSpending(
      bytes.span, requestor: .anyRequestor, resource: .anyResource, at: token.issueTime)
    let identity = seen.map { "\($0.identity)" }
    tokens[name] = Token(issued: token, bytes: bytes, identity: identity)
  }

  private func ask(_ line: String) throws {
    guard let arrow = named(line).range(of: " -> ") else { throw CaseError.noArrow(line) }
    let text = named(line)
    var rest = text[..<arrow.lowerBound]
    func take() -> String {
      let word = rest.prefix { $0 != " " }
      rest = rest[word.endIndex...].dropFirst()
      return filled(String(word))
    }
    let (method, target) = (take(), take())
    var fields: [(String, String)] = []
    while rest.first == "[", rest.contains(": ") {
      let (name, value) = EndpointWord.takeHeader(&rest)
      fields.append((filled(name), filled(value)))
      rest = rest.drop { $0 == " " }
    }
    let body = Array(filled(String(rest)).utf8)
    let service = try service()
    if inspector != nil, !fields.contains(where: { $0.0 == "Host" }) { fields.append(("Host", "127.0.0.1:8099")) }
    let answer =
      inspector.map { Answered(response: $0.answer(method, target, fields, body, from: peer)) }
      ?? service.ask(method, target, fields, body, from: peer)
    var valid: DevelopmentToken?
    let identity = answer.identity
    if inspector == nil, answer.isUse {
      for (name, token) in tokens where token.identity == identity {
        tokens[name]?.isUsed = true
        valid = token.issued
      }
      #expect(valid != nil, "a token of the case was used")
    }
    try expectTag(of: valid, in: answer, isInBody: target.hasPrefix("/v1/verify"))
    expect(text[arrow.upperBound...], of: answer)
    if inspector != nil {
      for (name, value) in InspectorHeaders.all { #expect(answer.header("\(name)") == value) }
      expectNoSecret(in: answer.body)
    } else if target.hasPrefix("/v1/auth"), answer.status != 404 {
      expectWholeSet(answer)
    } else if target.hasPrefix("/v1/verify"), answer.body.contains(#""number":"#) {
      #expect(answer.body.contains(#""requestID":""#))
    }
    if answer.status != 200 { expectNoSecret(in: answer.body + "\(answer.headers)") }
  }
}
