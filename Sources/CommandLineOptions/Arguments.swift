internal import MediaToken

/// What was typed after a command, checked against its table.
package struct Arguments: Sendable {
  package let command: Command
  package fileprivate(set) var operand: [UInt8]?
  fileprivate var values: [String: [String]] = [:]
  fileprivate var flags: Set<String> = []

  init(for command: Command) { self.command = command }

  /// Whether an option without value was given.
  package func has(_ option: Option) -> Bool {
    flags.contains(option.name) || values[option.name] != nil
  }

  /// The value of an option that may be given once.
  package func text(_ option: Option) -> String? { values[option.name]?.first }

  /// The values of an option that may be repeated, in order.
  package func texts(_ option: Option) -> [String] { values[option.name] ?? [] }

  /// The value of an option that must be given.
  package func required(_ option: Option) throws(ToolError) -> String {
    guard let text = text(option) else { throw usage("expected \(option.usage)") }
    return text
  }

  /// The value of an option that is a whole number.
  package func number(_ option: Option, in range: ClosedRange<Int64>) throws(ToolError) -> Int64? {
    guard let text = text(option) else { return nil }
    let isNumber = (1...19).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isNumber, let number = Int64(text), range.contains(number) else {
      throw usage(
        "expected a whole number from \(range.lowerBound) to \(range.upperBound) in \(option.usage)")
    }
    return number
  }

  /// The value of an option that is one of a few words.
  package func word<Words: RawRepresentable & CaseIterable>(
    _ option: Option, of words: Words.Type
  ) throws(ToolError) -> Words? where Words.RawValue == String {
    guard let text = text(option) else { return nil }
    guard let word = Words(rawValue: text) else {
      let all = Words.allCases.map(\.rawValue).joined(separator: ", ")
      throw usage("expected one of \(all) in \(option.usage)")
    }
    return word
  }

  /// A usage error of this command.
  package func usage(_ message: String) -> ToolError { .usage(message, command: command) }
}

extension Arguments {
  /// Notes an option without value. Twice is once too often, whatever it means.
  mutating func set(_ option: Option) throws(ToolError) {
    guard flags.insert(option.name).inserted else { throw usage("expected --\(option.name) once") }
  }

  /// Notes an option's value.
  mutating func set(_ option: Option, _ text: String) throws(ToolError) {
    guard !text.isEmpty else { throw usage("expected a value that is not empty in \(option.usage)") }
    guard !option.namesFile || !Self.isToken(text) else {
      throw usage("expected \(option.usage), found a token in its place")
    }
    guard option.isRepeatable || values[option.name] == nil else { throw usage("expected \(option.usage) once") }
    values[option.name, default: []].append(text)
  }

  /// Whether a token was typed where a file's name belongs: messages repeat names of files, and a token is secret.
  package static func isToken(_ text: String) -> Bool {
    let bytes = text.utf8Span.span
    return Armor.form(of: bytes.extracting(Armor.trimmedRange(of: bytes))) != nil
  }

  /// Notes the argument that is no option. It is not repeated in messages: it may be a token.
  mutating func setOperand(_ bytes: [UInt8]) throws(ToolError) {
    guard let expected = command.operand else {
      throw usage("expected options only, found an argument without --")
    }
    guard operand == nil else {
      throw usage("expected \(expected.placeholder) once, found more arguments without --")
    }
    guard expected.placeholder != "FILE" || !Self.isToken(String(decoding: bytes, as: UTF8.self)) else {
      throw usage("expected \(expected.placeholder), found a token in its place")
    }
    operand = bytes
  }
}
