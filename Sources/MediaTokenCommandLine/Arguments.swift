package import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// The words that were typed after a command, checked against its table.
package struct Arguments: Sendable, Redacted {
  package let command: Command
  /// The words that lead to the command: `PROGRAM keys list`.
  package let invocation: String
  package private(set) var operand: [UInt8]?
  /// By the option's name; a flag has no text.
  private var given: [String: [String]] = [:]

  init(for command: Command, invocation: String) { (self.command, self.invocation) = (command, invocation) }

  /// The option's value, or its default. An error says what the option takes.
  package subscript<Value>(option: Option<Value>) -> Value {
    get throws(Problem) {
      let texts = given[option.name] ?? []
      return try option.read(texts.map { Given($0, of: option.usage, invocation) })
    }
  }

  /// The value of an option that cannot be left out here.
  package func required<Value>(_ option: Option<Value?>) throws(Problem) -> Value {
    guard let value = try self[option] else { throw usage("\(option.usage) is missing") }
    return value
  }

  package func has(_ option: any CommandOption) -> Bool { given[option.name] != nil }

  /// The texts as they were typed; empty if the option was not given.
  package func texts(of option: any CommandOption) -> [String] { given[option.name] ?? [] }

  package func usage(_ message: String) -> Problem { .usage(message, see: invocation) }
}

extension Arguments {
  /// The option may be given once.
  mutating func note(_ option: any CommandOption) throws(Problem) {
    guard given[option.name] == nil else { throw usage("\(option.usage) is given twice") }
    given[option.name] = []
  }

  mutating func note(_ option: any CommandOption, _ kind: FormKind, _ text: String) throws(Problem) {
    guard !text.isEmpty else { throw usage("the value of \(option.usage) is empty") }
    guard !kind.namesFile || !Given.isToken(text) else {
      throw usage("a token is in the place of the \(kind.placeholder) in \(option.usage)")
    }
    guard option.isRepeatable || given[option.name] == nil else { throw usage("\(option.usage) is given twice") }
    given[option.name, default: []].append(text)
  }

  /// The operand is not repeated in messages: it may be a token.
  mutating func note(operand bytes: [UInt8]) throws(Problem) {
    guard let kind = command.operand?.kind else {
      throw usage("only options are allowed here, and an argument does not begin with --")
    }
    guard operand == nil else {
      throw usage("more than one argument does not begin with --; give \(kind.placeholder) once")
    }
    guard !kind.namesFile || !Given.isToken(String(decoding: bytes, as: UTF8.self)) else {
      throw usage("a token is in the place of \(kind.placeholder)")
    }
    operand = bytes
  }
}
