import MediaToken
import MediaTokenFormats
import Testing

@Suite("Batch lines")
struct BatchLineTests {
  private static func token(_ text: String) throws -> [UInt8] {
    let line = try BatchLine.parse(text.utf8Span.span)
    return line.withToken { token in token.indices.map { token[$0] } }
  }

  private static func problem(_ text: String) -> BatchLineError? {
    do {
      _ = try BatchLine.parse(text.utf8Span.span)
      return nil
    } catch {
      return error
    }
  }

  @Test func membersAreRead() throws {
    let text = #"{"token":"t","id":"i","requestor":"r","resource":"s","at":"2026-11-20T12:00:00Z"}"#
    let line = try BatchLine.parse(text.utf8Span.span)
    let (id, expected) = (line.label.id, line.expectation)
    #expect(id == .text("i"))
    #expect(expected.requestor == "r")
    #expect(expected.resource == .exactly("s"))
    #expect(expected.instant == Instant(millisecondsSinceEpoch: 1_795_176_000_000))
    #expect(try Self.token(text) == Array("t".utf8))
  }

  @Test func resourceMayBeADocumentOrAChannel() throws {
    func resource(_ member: String) throws -> ExpectedResource? {
      try BatchLine.parse("{\"token\":\"t\",\(member)}".utf8Span.span).expectation.resource
    }
    let document = "<rss version='2.0'><channel><title>TNT</title></channel></rss>"
    #expect(try resource("\"resourceDocument\":\"\(document)\"") == .sameDocument(as: document))
    #expect(try resource("\"resourceChannel\":\"TNT\"") == .channel("TNT"))
    for (members, problem) in [
      (#""resourceDocument":"TNT""#, BatchLineError.Problem.resource(.text(.plainText))),
      (#""resourceDocument":"<rss/>""#, .resource(.text(.missingVersion))),
      (#""resourceChannel":"<rss/>""#, .resource(.text(.channelIsDocument))),
      (#""resourceDocument":"""#, .empty("resourceDocument")),
      (#""resource":"TNT","resourceChannel":"TNT""#, .resource(.several)),
      (#""resourceDocument":"<","resourceChannel":"TNT""#, .resource(.several)),
    ] {
      #expect(Self.problem("{\"token\":\"t\",\(members)}")?.problem == problem, "\(members)")
    }
  }

  @Test(arguments: [
    ("7", 7), ("0", 0), ("-1", -1), ("9007199254740993", 9_007_199_254_740_993),
    ("9223372036854775807", Int64.max), ("-9223372036854775808", .min),
  ])
  func idMayBeAnInteger(_ text: String, _ number: Int64) throws {
    let line = try BatchLine.parse(#"{"token":"t","id":\#(text)}"#.utf8Span.span)
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
    let line = try BatchLine.parse("{\"token\":\"t\",\"id\":\"\(text)\"}".utf8Span.span)
    #expect(line.label.id == .text(text))
    for rest in ["\"token\":\"t\"", "\"requestor\":\"\""] {
      let problem = Self.problem("{\"id\":\"\(text)a\",\(rest)}")
      #expect(problem?.problem == .longID && problem?.id == nil)
    }
  }

  @Test func anotherVerdictHasOneOfOurNamesOrOfAdobes() throws {
    for name in Verdict.allCases.map(\.answer.wireName) + AdobeCode.allCases.map(\.rawValue) {
      let line = try BatchLine.parse("{\"token\":\"t\",\"expected\":\"\(name)\"}".utf8Span.span)
      #expect(line.label.other?.name == name)
    }
    for name in ["", "valid_token", "KEYS_UNAVAILABLE", "NO_TOKEN", "VALID_TOKEN "] {
      #expect(Self.problem("{\"token\":\"t\",\"id\":1,\"expected\":\"\(name)\"}")?.problem == .otherVerdict)
    }
    #expect(try BatchLine.parse(#"{"token":"t"}"#.utf8Span.span).label.other == nil)
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
    #expect(Self.problem(#"{"id":"i"}"#)?.problem == .token)
    #expect(Self.problem(#"{"token":"x","tokenBase64":"AAAA"}"#)?.problem == .token)
    #expect(Self.problem(#"{"id":"i"}"#)?.id == .text("i"))
  }

  @Test func emptyExpectationsAreMalformed() {
    #expect(Self.problem(#"{"token":"x","requestor":""}"#)?.problem == .empty("requestor"))
    #expect(Self.problem(#"{"token":"x","resource":""}"#)?.problem == .empty("resource"))
    #expect(Self.problem(#"{"token":"x","at":""}"#)?.problem == .instant)
    #expect(Self.problem(#"{"token":"x","at":"yesterday"}"#)?.problem == .instant)
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
