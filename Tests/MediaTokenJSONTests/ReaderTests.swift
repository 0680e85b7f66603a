import MediaTokenJSON
import Testing

@Suite("Flat JSON objects")
struct ReaderTests {
  private static func read(_ text: String, _ names: [String] = ["a", "b"]) throws -> [String: String] {
    try read(Array(text.utf8), names)
  }

  private static func read(_ bytes: [UInt8], _ names: [String] = ["a", "b"]) throws -> [String: String] {
    let object = try FlatJSONObject(parsing: bytes.span, members: names)
    var members: [String: String] = [:]
    for name in names { members[name] = object.string(name) }
    return members
  }

  private static func problem(_ text: String) -> JSONError.Problem? {
    do {
      _ = try read(text)
      return nil
    } catch {
      return (error as? JSONError)?.problem
    }
  }

  @Test func membersAreRead() throws {
    #expect(try Self.read(#"{"a":"x","b":""}"#) == ["a": "x", "b": ""])
    #expect(try Self.read(" {\n} ") == [:])
    #expect(try Self.read(#"{"a":"\u00e9\n\ud83d\ude00é"}"#) == ["a": "é\n\u{1F600}é"])
  }

  @Test func bytesAreThoseOfTheText() throws {
    let text = #"{"a":"é\t"}"#
    let object = try FlatJSONObject(parsing: text.utf8Span.span, members: ["a"])
    var bytes: [UInt8] = []
    if let span = object.bytes(of: "a") { bytes = span.indices.map { span[$0] } }
    let (hasA, hasB) = (object.has("a"), object.has("b"))
    #expect(bytes == Array("é\t".utf8))
    #expect(hasA)
    #expect(!hasB)
  }

  @Test func errorsNameTheMemberAndNeverTheValue() throws {
    for (text, name) in [
      (#"{"a":"secret","a":"secret"}"#, "a"), (#"{"secret1":"x","other":"secret"}"#, ""),
      (#"{"b":5}"#, "b"), (#"{"b":{"secret":1}}"#, "b"), (#"{"b":["secret"]}"#, "b"), (#"{"b":null}"#, "b"),
      (#"{"extra":"secret"}"#, "extra"),
    ] {
      let error = #expect(throws: JSONError.self) { try Self.read(text) }
      let description = error?.description ?? ""
      #expect(description.contains(name), "\(description)")
      #expect(!description.contains("\"secret\""))
    }
    #expect(Self.problem(#"{"a":"1","a":"2"}"#).map { "\($0)" }?.contains("repeated") == true)
  }

  @Test func longNamesAreNotShown() {
    for name in [
      "00112233445566778899aabbccddeeff", "<signatureInfo>abc", String(repeating: "x", count: 25), "", "a b", "é",
    ] {
      let error = #expect(throws: JSONError.self) { try Self.read("{\"\(name)\":\"x\"}") }
      #expect(error?.description == "expected only known members, found a member whose name is not shown here")
    }
  }

  @Test func repeatedMemberIsNamedAlsoBesideOthers() throws {
    let error = #expect(throws: JSONError.self) { try Self.read("{\"a\":\"1\",\n \"b\":\"2\",\n \"a\":\"3\"}") }
    #expect(error?.description == "line 3, column 4: expected every member once, found a twice")
  }

  @Test func problemsAreToldApart() throws {
    #expect(Self.problem("") == .truncated || Self.problem("") == .syntax)
    #expect(Self.problem(#"{"a":"x""#) == .truncated)
    #expect(Self.problem(#"{"a":"x"} {}"#) == .trailingText)
    #expect(Self.problem(#"["a"]"#) == .notAnObject)
    #expect(Self.problem(#"{"a":"\u0000"}"#) == .nulCharacter)
    #expect(Self.problem(#"{"a\u0000":"x"}"#) == .nulCharacter)
    #expect(Self.problem(#"{"a":1e999}"#) == .number)
    #expect(Self.problem("{a:1}") == .syntax)
    #expect(Self.problem(#"{"a":"\ud800"}"#) != nil)
    #expect(Self.problem("{\"a\":\"" + "x\u{1}" + "\"}") != nil)
    #expect(Self.problem("{\"a\":" + String(repeating: "[", count: 100_000)) == .tooDeep)
    #expect(throws: JSONError.self) { try Self.read([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x22, 0x22, 0x7D]) }
    #expect(throws: JSONError.self) { try Self.read(Array("{}".utf8) + [0]) }
  }

  /// A tree is not made of what can be no question.
  @Test func textWithTooMuchOutsideOfItsStringsIsNotParsed() throws {
    for text in [
      "{\"a\":[" + String(repeating: "0,", count: 1000) + "0]}",
      "{\"a\":" + String(repeating: "9", count: 1000) + "}",
      "{" + (0..<200).map { "\"\($0)\":\"\"" }.joined(separator: ",") + "}",
      "{\"a\":\"\\\\\"" + String(repeating: ",", count: 1000),
    ] {
      #expect(Self.problem(text) == .tooDeep)
    }
    // What is in strings does not count, however they are escaped, and white space neither.
    for inside in [String(repeating: "[{,", count: 1000), String(repeating: "\\\"", count: 1000) + ",,,", "\\\\"] {
      let text = "{\"a\"" + String(repeating: " \n", count: 1000) + ":\"\(inside)\",\"b\":\"\"}"
      #expect(Self.problem(text) == nil, "\(inside.prefix(10))")
    }
  }

  @Test func everyTruncationIsAnErrorAndNothingWorse() throws {
    let text = Array(#"{"a":"x\u00e9\ud83d\ude00","b":"y"}"#.utf8)
    for length in 0..<text.count {
      #expect(throws: JSONError.self) { try Self.read(Array(text.prefix(length))) }
    }
  }
}
