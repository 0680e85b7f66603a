/// A command: what can be typed after its words, what it does, and what its help says.
package struct Command: Sendable {
  /// The words that choose it: `verify`, or `keys list`. None in a program that does one thing.
  package let words: [String]
  /// What it does, in one line.
  package let summary: String
  /// What is expected besides options, or nil.
  package let operand: Operand?
  /// The options that it has, besides `--help`.
  package let options: [any CommandOption]
  /// What else a user must know, in the order of the help.
  package let notes: [Note]
  /// Does the work; the result is the exit status.
  package let run: @Sendable (Arguments) throws(ToolError) -> Int32

  /// A command with these parts.
  package init(
    words: [String] = [], summary: String, operand: Operand? = nil, options: [any CommandOption], notes: [Note],
    run: @escaping @Sendable (Arguments) throws(ToolError) -> Int32
  ) {
    (self.words, self.summary, self.operand) = (words, summary, operand)
    (self.options, self.notes, self.run) = (options, notes, run)
  }

  /// The words with spaces between them.
  package var name: String { words.joined(separator: " ") }

  /// The one argument of a command that is not an option.
  package struct Operand: Sendable {
    /// What it is.
    package let kind: ValueKind
    /// Whether the command can do without it.
    package let isOptional: Bool

    package init(_ kind: ValueKind, isOptional: Bool = false) { (self.kind, self.isOptional) = (kind, isOptional) }
  }

  /// A paragraph of the help after the options. A literal is text.
  package enum Note: Sendable, ExpressibleByStringLiteral {
    /// Any text.
    case text(String)
    /// What the exit statuses mean.
    case exitStatus(String)
    /// What can be typed, on one or more lines.
    case example(String)

    package init(stringLiteral text: String) { self = .text(text) }
  }
}
