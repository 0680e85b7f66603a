import MediaToken
import MediaTokenFormats
import Testing

@Suite("Batch lines")
struct BatchLineTests {
  private static func token(_ text: String) throws -> [UInt8] {
    let line = try parse(text)
    return line.withToken { token in token.indices.map { token[$0] } }
  }

  private static func parse(_ text: String) throws(Problem) -> BatchLine {
    var id: BatchLineID?
    return try BatchLine.parse(text.utf8Span.span, id: &id)
  }

  private static func problem(_ text: String) -> (description: String, id: BatchLineID?)? {
    var id: BatchLineID?
    do {
      _ = try BatchLine.parse(text.utf8Span.span, id: &id)
      return nil
    } catch {
      return (error.description, id)
    }
  }

  @Test func membersAreRead() throws {
    let text = #"{"token":"t","id":"i","requestor":"r","resource":"s","at":"2026-11-20T12:00:00Z"}"#
    let line = try Self.parse(text)
    let (id, expected) = (line.label.id, line.expectation)
    #expect(id == .text("i"))
    #expect(expected.requestor == "r")
    #expect(expected.resource == .exactly("s"))
    #expect(expected.instant == Instant(millisecondsSinceEpoch: 1_795_176_000_000))
    #expect(try Self.token(text) == Array("t".utf8))
  }

  @Test func resourceMayBeADocumentOrAChannel() throws {
    func resource(_ member: String) throws -> ExpectedResource? {
      try Self.parse("{\"token\":\"t\",\(member)}").expectation.resource
    }
    let document = "<rss version='2.0'><channel><title>TNT</title></channel></rss>"
    #expect(try resource("\"resourceDocument\":\"\(document)\"") == .sameDocument(as: document))
    #expect(try resource("\"resourceChannel\":\"TNT\"") == .channel("TNT"))
    let several = "the line has more than one of resource, resourceDocument and resourceChannel; give one"
    for (members, problem) in [
      (#""resourceDocument":"TNT""#, "the expected resource cannot be used: \(ResourceDocumentError.plainText)"),
      (
        #""resourceDocument":"<rss/>""#,
        "the expected resource cannot be used: \(ResourceDocumentError.missingVersion)"
      ),
      (
        #""resourceChannel":"<rss/>""#,
        "the expected resource cannot be used: \(ResourceDocumentError.channelIsDocument)"
      ),
      (#""resourceDocument":"""#, "resourceDocument is empty; leave it out to use the batch's own"),
      (#""resource":"TNT","resourceChannel":"TNT""#, several),
      (#""resourceDocument":"<","resourceChannel":"TNT""#, several),
    ] {
      #expect(Self.problem("{\"token\":\"t\",\(members)}")?.description == problem, "\(members)")
    }
  }

  @Test(arguments: [
    ("7", 7), ("0", 0), ("-1", -1), ("9007199254740993", 9_007_199_254_740_993),
    ("9223372036854775807", Int64.max), ("-9223372036854775808", .min),
  ])
  func idMayBeAnInteger(_ text: String, _ number: Int64) throws {
    let line = try Self.parse(#"{"token":"t","id":\#(text)}"#)
    #expect(line.label.id == .integer(number))
    #expect(Self.problem(#"{"id":\#(text)}"#)?.id == .integer(number))
  }

  @Test(arguments: ["1.5", "1e3", "true", "null", "[1]", "{}", "9223372036854775808", "01"])
  func idIsATextOrAnInteger(_ text: String) {
    #expect(Self.problem(#"{"token":"t","id":\#(text)}"#) != nil)
    // No other member may be an integer.
    #expect(Self.problem(#"{"token":7,"id":"i"}"#)?.description.contains("is not a string") == true)
  }

  /// It is in the answer, where a byte may need six.
  @Test func idIsNoLongerThanItsLimit() throws {
    let text = String(repeating: "\u{7F}", count: BatchLine.longestID)
    let line = try Self.parse("{\"token\":\"t\",\"id\":\"\(text)\"}")
    #expect(line.label.id == .text(text))
    for rest in ["\"token\":\"t\"", "\"requestor\":\"\""] {
      let problem = Self.problem("{\"id\":\"\(text)a\",\(rest)}")
      #expect(problem?.description == "id is longer than 256 bytes" && problem?.id == nil)
    }
  }

  @Test func anotherVerdictHasOneOfOurNamesOrOfAdobes() throws {
    for name in Verdict.allCases.map(\.answer.wireName) + AdobeCode.allCases.map(\.rawValue) {
      let line = try Self.parse("{\"token\":\"t\",\"expected\":\"\(name)\"}")
      #expect(line.label.other?.name == name)
    }
    let said = "expected is neither a verdict's name nor one of Adobe's codes"
    for name in ["", "valid_token", "KEYS_UNAVAILABLE", "NO_TOKEN", "VALID_TOKEN "] {
      #expect(Self.problem("{\"token\":\"t\",\"id\":1,\"expected\":\"\(name)\"}")?.description == said)
    }
    #expect(try Self.parse(#"{"token":"t"}"#).label.other == nil)
  }

  @Test func byteOrderMarkIsRefusedByItsName() {
    let problem = Self.problem("\u{FEFF}{\"token\":\"t\"}")
    #expect(problem?.description == "column 1: the text begins with a byte order mark; write UTF-8 without one")
  }

  @Test func anyBytesComeAsBase64() throws {
    #expect(try Self.token(#"{"tokenBase64":"AP8K"}"#) == [0, 255, 10])
    #expect(try Self.token(#"{"tokenBase64":"AA=="}"#) == [0])
    #expect(try Self.token(#"{"tokenBase64":""}"#) == [])
    #expect(try Self.token(#"{"token":""}"#) == [])
    for text in ["A", "AA", "AAA", "AB==", "A-__", "QQ==\\n", "Q Q="] {
      #expect(Self.problem(#"{"id":"i","tokenBase64":"\#(text)"}"#) != nil, "\(text)")
    }
  }

  @Test func exactlyOneTokenIsExpected() {
    let said = "the line needs one of token and tokenBase64, and not both"
    #expect(Self.problem(#"{"id":"i"}"#)?.description == said)
    #expect(Self.problem(#"{"token":"x","tokenBase64":"AAAA"}"#)?.description == said)
    #expect(Self.problem(#"{"id":"i"}"#)?.id == .text("i"))
  }

  @Test func emptyExpectationsAreMalformed() {
    let instant = "at is neither ISO 8601 with an offset nor milliseconds since 1970"
    #expect(Self.problem(#"{"token":"x","requestor":""}"#)?.description.hasPrefix("requestor is empty") == true)
    #expect(Self.problem(#"{"token":"x","resource":""}"#)?.description.hasPrefix("resource is empty") == true)
    #expect(Self.problem(#"{"token":"x","at":""}"#)?.description == instant)
    #expect(Self.problem(#"{"token":"x","at":"yesterday"}"#)?.description == instant)
  }

  @Test func errorsNeverShowTheToken() {
    let secret = "c831eda9305c26d88f76f7d7733c0183"
    for text in [
      #"{"token":"\#(secret)","token":"\#(secret)"}"#, #"{"\#(secret)":"x"}"#, #"{"token":"\#(secret)""#,
      #"{"token":"\#(secret)","at":"\#(secret)"}"#, #"{"tokenBase64":"\#(secret)*"}"#, "{\(secret)",
      #"{"token":{"\#(secret)":1}}"#, #"{"token":"\#(secret)"} \#(secret)"#,
    ] {
      let error = Self.problem(text)
      #expect(error != nil, "\(text)")
      #expect(error?.description.contains(secret) == false)
    }
  }

  @Test func blankAndObjectLinesAreToldApart() {
    func isBlank(_ text: String) -> Bool { BatchLine.isBlank(text.utf8Span.span) }
    func isObject(_ text: String) -> Bool { BatchLine.isObject(text.utf8Span.span) }
    for text in ["", " ", "\t \r"] { #expect(isBlank(text)) }
    for text in ["x", " x", "\u{B}"] { #expect(!isBlank(text)) }
    #expect(isObject("{"))
    #expect(!isObject(" {"))
    #expect(!isObject(""))
  }
}
