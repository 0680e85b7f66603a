import MediaToken
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
      message { _ = try arguments[TestTable.size] } == "the value of --size MS is not a whole number from 2 to 40\n"
        + "  see: tool draw --help")
  }

  @Test(arguments: ["2", "40", "0000000000000000040"])
  func endsOfARangeAreInIt(_ text: String) throws {
    #expect(try TestTable.arguments("--size", text)[TestTable.size] == Int(text))
  }

  @Test func otherWordsAreRefused() throws {
    let arguments = try TestTable.arguments("--colour", "Red")
    #expect(
      message { _ = try arguments[TestTable.colour] }.hasPrefix(
        "the value of --colour red|blue is not one of red, blue\n"))
  }

  @Test func whatIsRequiredIsNamed() throws {
    let arguments = try TestTable.arguments()
    #expect(
      message { _ = try arguments.required(TestTable.place) } == "--place DIR is missing\n  see: tool draw --help")
  }

  @Test(arguments: [
    (["--quick", "--quick"], "--quick is given twice"), (["--quick=1"], "--quick takes no value"),
    (["--size=3", "--size", "3"], "--size MS is given twice"), (["--size"], "the MS of --size is missing"),
    (["--size="], "the value of --size MS is empty"),
    (
      ["--size", "--quick"],
      "the MS of --size is missing, and another option follows; if that is the MS, type --size=MS"
    ),
    (["--sise", "3"], "unknown option --sise; did you mean --size MS"), (["-q"], "unknown option -q"),
    (["--Size"], "unknown option"),
    (["a", "b"], "more than one argument does not begin with --; give TOKEN|- once"),
    (["--place", "PHNpZ25hdHVyZUluZm8+AAAA"], "a token is in the place of the DIR in --place DIR"),
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
        "the value of --place DIR is not UTF-8\n"))
  }

  @Test func optionsEndAtTwoHyphens() throws {
    #expect(try TestTable.arguments("--", "--quick").operand == Array("--quick".utf8))
  }

  @Test(arguments: ["--help", "-h"]) func helpIsAskedFor(_ typed: String) throws {
    #expect(try OptionParser(TestTable.draw, invocation: "tool draw").parse([Array(typed.utf8)]) == nil)
  }

  /// A script that passes a text on as a token must not take help for success.
  @Test(arguments: [["--size", "1", "-h"], ["x", "--help", "--nonsense"], ["--help", "--help"]])
  func helpGoesAlone(_ typed: [String]) {
    let parser = OptionParser(TestTable.draw, invocation: "tool draw")
    #expect(message { _ = try parser.parse(typed.map { Array($0.utf8) }) }.hasPrefix("--help goes alone\n"))
  }
}

/// What a usage error says; empty without an error.
func message(_ body: () throws -> Void) -> String {
  do {
    try body()
    return ""
  } catch let error as Problem {
    return error.description
  } catch {
    return "another error"
  }
}
