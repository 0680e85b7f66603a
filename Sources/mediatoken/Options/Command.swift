/// A command: one table that feeds the parser and `--help`.
struct Command: Sendable {
  /// The words that choose it: `verify`, or `keys list`.
  let words: [String]
  /// What it does, in one line.
  let summary: String
  /// What is expected beside options, or nil.
  let operand: Operand?
  /// The options that it has, beside `--help`.
  let options: [Option]
  /// What else a user must know; one paragraph each.
  let notes: [String]
  /// Does the work; the result is the exit status.
  let run: @Sendable (Arguments) throws(ToolError) -> Int32

  /// The words with spaces between them.
  var name: String { words.joined(separator: " ") }
}

/// The one argument of a command that is not an option.
struct Operand: Sendable {
  /// What the help calls it: `TOKEN|-`.
  let placeholder: String
  /// Whether the command can do without it.
  let isOptional: Bool
}

/// An option.
struct Option: Sendable {
  /// The name without the two hyphens.
  let name: String
  /// What the help calls the value; nil if the option has none.
  let value: String?
  /// Whether it may be given more than once.
  let isRepeatable: Bool
  /// What it does.
  let help: String

  /// An option that is there or not.
  static func flag(_ name: String, _ help: String) -> Option {
    Option(name: name, value: nil, isRepeatable: false, help: help)
  }

  /// An option with a value.
  static func value(_ name: String, _ value: String, repeatable: Bool = false, _ help: String) -> Option {
    Option(name: name, value: value, isRepeatable: repeatable, help: help)
  }

  /// Whether the value is the name of a file or folder.
  var namesFile: Bool { ["PATH", "FILE", "FILE|-", "DIR"].contains(value) }

  /// How to type it: `--keys PATH`.
  var usage: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}
