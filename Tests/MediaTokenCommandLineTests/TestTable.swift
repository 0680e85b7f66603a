import MediaToken
import Testing

@testable import MediaTokenCommandLine

/// A program that exists in these tests alone.
enum TestTable {
  enum Colour: String, CaseIterable {
    case red
    case blue
  }

  static let size = Option("size", .number(2...40, .milliseconds), default: 7, "how long")
  static let colour = Option("colour", .words(Colour.self), default: .blue, "which colour")
  static let place = Option("place", .text(.folder), described: "here", "where")
  static let names = Option("name", each: .text(.requestor), "whose")
  static let moment = Option("moment", .text(.instant), default: "now", described: "when it is read", "when")
  static let deep = Option("deep", .number(1...3), "how deep")
  static let quick = Flag("quick", "no pauses")

  static let draw = Command(
    words: ["draw"], summary: "Draw something.", operand: Command.Operand(.tokenOrInput, isOptional: true),
    options: [size, colour, place, names, moment, deep, quick],
    notes: ["A note.", .exitStatus("0 drawn."), .example("tool draw \\\n  --quick")]
  ) { (arguments) throws(Problem) in try Int32(arguments[size]) }
  static let listKeys = Command(
    words: ["keys", "list"], summary: "List keys.", operand: Command.Operand(.file), options: [], notes: []
  ) { (_) throws(Problem) in 0 }
  static let makeKeys = Command(words: ["keys", "make"], summary: "Make keys.", options: [], notes: []) {
    (_) throws(Problem) in 0
  }

  static let table = CommandTable(
    program: "tool", version: "1.2", purpose: "tool draws.", exitStatus: "0 done",
    commands: [draw, listKeys, makeKeys], prepare: {})

  /// What is read after `tool draw`.
  static func arguments(_ typed: String...) throws -> Arguments {
    try #require(try OptionParser(draw, invocation: "tool draw").parse(typed.map { Array($0.utf8) }))
  }
}
