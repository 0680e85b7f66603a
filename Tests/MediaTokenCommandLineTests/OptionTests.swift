import Testing

@testable import MediaTokenCommandLine

@Suite struct OptionTests {
  @Test func defaultsAreTheDeclarations() throws {
    let arguments = try TestTable.arguments()
    #expect(try arguments[TestTable.size] == 7)
    #expect(try arguments[TestTable.colour] == .blue)
    #expect(try arguments[TestTable.place] == nil)
    #expect(try arguments[TestTable.names] == [])
    #expect(try arguments[TestTable.moment] == "now")
    #expect(try arguments[TestTable.deep] == nil)
    #expect(!arguments.has(TestTable.quick) && !arguments.has(TestTable.size))
    #expect(arguments.operand == nil)
  }

  @Test func valuesAreTyped() throws {
    let arguments = try TestTable.arguments(
      "--size", "40", "--colour=red", "--place", "a b", "--name", "A", "--name=B", "--moment=x=y", "--deep=1",
      "--quick", "-")
    #expect(try arguments[TestTable.size] == 40)
    #expect(try arguments[TestTable.colour] == .red)
    #expect(try arguments[TestTable.place] == "a b")
    #expect(try arguments[TestTable.names] == ["A", "B"])
    #expect(try arguments[TestTable.moment] == "x=y")
    #expect(try arguments.required(TestTable.deep) == 1)
    #expect(arguments.has(TestTable.quick) && arguments.has(TestTable.size))
    #expect(arguments.operand == Array("-".utf8))
  }

  @Test(arguments: [
    "1", "41", "-3", "+3", " 3", "3 ", "3.0", "0x3", "1e1", "³", "99999999999999999999", "00000000000000000003",
  ])
  func otherNumbersAreRefused(_ text: String) throws {
    let arguments = try TestTable.arguments("--size=\(text)")
    #expect(
      message { _ = try arguments[TestTable.size] } == "expected a whole number from 2 to 40 in --size MS\n"
        + "  see: tool draw --help")
  }

  @Test(arguments: ["2", "40", "0000000000000000040"])
  func endsOfARangeAreInIt(_ text: String) throws {
    #expect(try TestTable.arguments("--size", text)[TestTable.size] == Int(text))
  }

  @Test func otherWordsAreRefused() throws {
    let arguments = try TestTable.arguments("--colour", "Red")
    #expect(
      message { _ = try arguments[TestTable.colour] }.hasPrefix("expected one of red, blue in --colour red|blue\n"))
  }

  @Test func whatIsRequiredIsNamed() throws {
    let arguments = try TestTable.arguments()
    #expect(
      message { _ = try arguments.required(TestTable.place) } == "expected --place DIR\n  see: tool draw --help")
  }

  @Test(arguments: [
    (["--quick", "--quick"], "expected --quick once"), (["--quick=1"], "expected --quick without a value"),
    (["--size=3", "--size", "3"], "expected --size MS once"), (["--size"], "expected --size MS, found no MS"),
    (["--size="], "expected a value that is not empty in --size MS"),
    (["--size", "--quick"], "expected --size MS, found another option; if that is the MS, type --size=MS"),
    (["--sise", "3"], "unknown option --sise; did you mean --size MS"), (["-q"], "unknown option -q"),
    (["--Size"], "unknown option"), (["a", "b"], "expected TOKEN|- once, found more arguments without --"),
    (["--place", "PHNpZ25hdHVyZUluZm8+AAAA"], "expected --place DIR, found a token in its place"),
  ])
  func whatIsNotInTheTableIsRefused(_ typed: [String], _ expected: String) throws {
    let parser = OptionParser(TestTable.draw, invocation: "tool draw")
    #expect(
      message { _ = try parser.parse(typed.map { Array($0.utf8) }) } == expected + "\n  see: tool draw --help")
  }

  @Test func textThatIsNotUTF8IsRefused() throws {
    let parser = OptionParser(TestTable.draw, invocation: "tool draw")
    #expect(
      message { _ = try parser.parse([Array("--place=".utf8) + [0xFF]]) }.hasPrefix(
        "expected UTF-8 in --place DIR\n"))
  }

  @Test func optionsEndAtTwoHyphens() throws {
    #expect(try TestTable.arguments("--", "--quick").operand == Array("--quick".utf8))
  }

  @Test(arguments: [["--help"], ["--size", "x", "-h"], ["x", "--help", "--nonsense"]])
  func helpIsAskedFor(_ typed: [String]) throws {
    #expect(try OptionParser(TestTable.draw, invocation: "tool draw").parse(typed.map { Array($0.utf8) }) == nil)
  }
}

/// What a usage error says; empty if there is none.
func message(_ body: () throws -> Void) -> String {
  do {
    try body()
    return ""
  } catch let error as ToolError {
    return error.description
  } catch {
    return "another error"
  }
}
