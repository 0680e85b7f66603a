import MediaTokenFormats
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

  private static func problem(_ text: String) -> JSONError.Flaw? {
    do {
      _ = try read(text)
      return nil
    } catch {
      return (error as? JSONError)?.flaw
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
    if let span = object["a"] { bytes = span.indices.map { span[$0] } }
    let (hasA, hasB) = (object.has("a"), object.has("b"))
    #expect(bytes == Array("é\t".utf8))
    #expect(hasA)
    #expect(!hasB)
  }

  @Test func errorsNameTheMemberAndNeverTheValue() throws {
    for (text, name) in [
      (#"{"a":"secret","a":"secret"}"#, "a"), (#"{"secret1":"x","other":"secret"}"#, "secret1"),
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
      #expect(error?.description == "unknown member: a member whose name is not shown here; the members are a, b")
    }
  }

  @Test func repeatedMemberIsNamedAlsoNextToOthers() throws {
    let error = #expect(throws: JSONError.self) { try Self.read("{\"a\":\"1\",\n \"b\":\"2\",\n \"a\":\"3\"}") }
    #expect(error?.description == "line 3, column 4: a is given twice")
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

  /// No tree is made of a text that cannot be a question.
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

  private static let tree = FlatJSONObject.Tree("t", levels: 3, punctuation: 40)

  /// What is wrong with an object that may have a tree, and whether that is inside the tree.
  private static func treeProblem(_ text: String) -> (JSONError.Flaw, isInside: Bool)? {
    do throws(JSONError) {
      _ = try FlatJSONObject(parsing: text.utf8Span.span, members: ["a"], tree: tree)
      return nil
    } catch {
      return (error.flaw, error.isInside("t", of: text.utf8Span.span))
    }
  }

  @Test func oneMemberMayBeATree() throws {
    let text = "{\"a\":\"x\",\n\"t\":{\n\"b\":[1,null]}}"
    let object = try FlatJSONObject(parsing: text.utf8Span.span, members: ["a"], tree: Self.tree)
    let value = object.value(of: Self.tree)
    guard case .array(let elements)? = value?["b"]?.value else { return #expect(value == nil) }
    #expect(elements.count == 2)
    #expect(value?["c"] == nil)
    let flat = #"{"a":"x"}"#
    let without = try FlatJSONObject(parsing: flat.utf8Span.span, members: ["a"], tree: Self.tree)
    #expect(without.value(of: Self.tree) == nil)
  }

  @Test func treeHasBounds() {
    #expect(Self.treeProblem(#"{"t":[[[]]]}"#) == nil)
    #expect(Self.treeProblem(#"{"t":[[[[]]]]}"#)?.0 == .tooManyLevels)
    #expect(Self.treeProblem(#"{"t":"[[[[[[[["}"#) == nil)
    let values = { (count: Int) in #"{"t":["# + String(repeating: "1", count: count - 6) + "]}" }
    // Two braces, a colon and two brackets besides what is repeated, in a bound of 256 and 40.
    #expect(Self.treeProblem(values(297))?.0 == .number)
    #expect(Self.treeProblem(values(298))?.0 == .tooManyValues)
    #expect(Self.treeProblem(#"{"t":["# + String(repeating: " ", count: 1000) + "]}") == nil)
  }

  @Test func errorsAreInsideTheTreeOrNextToIt() {
    for (text, isInside) in [
      (#"{"t":{"x":1,"x":2}}"#, true), (#"{"a":"x","t":[}"#, true), (#"{"t":{"m":"a "b" c"}}"#, true),
      (#"{"a":"x","t":[[[["#, true), (#"{"\u0074":{"x":1,"x":2}}"#, false), (#"{"a":{"x":1,"x":2}}"#, false),
      (#"{"t":{},"t":{}}"#, false), (#"{"t":{}} x"#, false), (#"{"a":"x","a":"y","t":{}}"#, false),
      (#"{"t":{},"a":[}"#, false), (#"{"t":1,"u":{}}"#, false), ("", false),
    ] {
      #expect(Self.treeProblem(text)?.isInside == isInside, "\(text)")
    }
  }
}
