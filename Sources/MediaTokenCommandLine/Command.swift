package import MediaToken
package import MediaTokenFormats

/// A command: its arguments, its work, and its help.
package struct Command: Sendable {
  /// The words that choose it: `verify`, or `keys list`. None in a program that does one thing.
  package let words: [String]
  package let summary: String
  package let operand: Operand?
  /// `--help` is not among them.
  package let options: [any CommandOption]
  /// More that a user must know, in the order of the help.
  package let notes: [Note]
  /// The result is the exit status.
  package let run: @Sendable (Arguments) throws(Problem) -> Int32

  package init(
    words: [String] = [], summary: String, operand: Operand? = nil, options: [any CommandOption], notes: [Note],
    run: @escaping @Sendable (Arguments) throws(Problem) -> Int32
  ) {
    (self.words, self.summary, self.operand) = (words, summary, operand)
    (self.options, self.notes, self.run) = (options, notes, run)
  }

  package var name: String { words.joined(separator: " ") }

  /// The one argument of a command that is not an option.
  package struct Operand: Sendable {
    package let kind: FormKind
    package let isOptional: Bool

    package init(_ kind: TextKind, isOptional: Bool = false) {
      (self.kind, self.isOptional) = (.text(kind), isOptional)
    }
  }

  /// A paragraph of the help after the options. A literal is text.
  package enum Note: Sendable, ExpressibleByStringLiteral {
    case text(String)
    /// The meanings of the exit statuses.
    case exitStatus(String)
    /// One or more lines that can be typed.
    case example(String)

    package init(stringLiteral text: String) { self = .text(text) }
  }
}

extension Problem {
  /// The status that a program ends with.
  package var exitStatus: Int32 { code == Self.usage ? ExitStatus.usage : ExitStatus.undecided }
}
