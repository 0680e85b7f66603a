/// A command: one table that feeds the parser and `--help`.
package struct Command: Sendable {
  /// The program that it is a command of: `mediatoken`.
  package let program: String
  /// The words that choose it: `verify`, or `keys list`.
  package let words: [String]
  /// What it does, in one line.
  package let summary: String
  /// What is expected beside options, or nil.
  package let operand: Operand?
  /// The options that it has, beside `--help`.
  package let options: [Option]
  /// What else a user must know; one paragraph each.
  package let notes: [String]
  /// Does the work; the result is the exit status.
  package let run: @Sendable (Arguments) throws(ToolError) -> Int32

  /// A command with these parts. A program that does one thing has no words.
  package init(
    program: String, words: [String], summary: String, operand: Operand?, options: [Option], notes: [String],
    run: @escaping @Sendable (Arguments) throws(ToolError) -> Int32
  ) {
    self.program = program
    self.words = words
    self.summary = summary
    self.operand = operand
    self.options = options
    self.notes = notes
    self.run = run
  }

  /// What is typed to get here: `mediatoken keys list`.
  package var invocation: String { ([program] + words).joined(separator: " ") }

  /// The words with spaces between them.
  package var name: String { words.joined(separator: " ") }
}

/// The one argument of a command that is not an option.
package struct Operand: Sendable {
  /// What the help calls it: `TOKEN|-`.
  package let placeholder: String
  /// Whether the command can do without it.
  package let isOptional: Bool

  package init(placeholder: String, isOptional: Bool) {
    self.placeholder = placeholder
    self.isOptional = isOptional
  }
}

/// An option.
package struct Option: Sendable {
  /// The name without the two hyphens.
  package let name: String
  /// What the help calls the value; nil if the option has none.
  package let value: String?
  /// Whether it may be given more than once.
  package let isRepeatable: Bool
  /// What it does.
  package let help: String

  /// An option that is there or not.
  package static func flag(_ name: String, _ help: String) -> Option {
    Option(name: name, value: nil, isRepeatable: false, help: help)
  }

  /// An option with a value.
  package static func value(_ name: String, _ value: String, repeatable: Bool = false, _ help: String) -> Option {
    Option(name: name, value: value, isRepeatable: repeatable, help: help)
  }

  /// Whether the value is the name of a file, folder or program.
  package var namesFile: Bool { ["PATH", "FILE", "FILE|-", "DIR", "PROGRAM"].contains(value) }

  /// How to type it: `--keys PATH`.
  package var usage: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}
