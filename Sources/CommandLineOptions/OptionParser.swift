/// Reads what was typed after a command: `--name VALUE`, `--name=VALUE`, `--flag`, an operand, and `--` before
/// operands that look like options.
package struct OptionParser {
  private let command: Command

  package init(_ command: Command) { self.command = command }

  /// What the arguments ask for.
  package enum Result {
    case helpWanted
    case arguments(Arguments)
  }

  /// - Throws: a usage error that says what to type instead. It repeats names of options only.
  package func parse(_ arguments: [[UInt8]]) throws(ToolError) -> Result {
    var parsed = Arguments(for: command)
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == Array("--".utf8) {
        for operand in rest { try parsed.setOperand(operand) }
        break
      }
      if argument == Array("--help".utf8) || argument == Array("-h".utf8) { return .helpWanted }
      guard argument.count > 1, argument.first == UInt8(ascii: "-") else {
        try parsed.setOperand(argument)
        continue
      }
      try parse(option: argument, &rest, into: &parsed)
    }
    return .arguments(parsed)
  }

  private func parse(
    option argument: [UInt8], _ rest: inout ArraySlice<[UInt8]>, into parsed: inout Arguments
  ) throws(ToolError) {
    let equals = argument.firstIndex(of: UInt8(ascii: "="))
    let typed = argument[..<(equals ?? argument.endIndex)]
    guard let option = command.options.first(where: { typed.elementsEqual("--\($0.name)".utf8) }) else {
      throw unknown(typed)
    }
    guard let placeholder = option.value else {
      guard equals == nil else { throw parsed.usage("expected --\(option.name) without a value") }
      return try parsed.set(option)
    }
    if let equals {
      return try parsed.set(option, try text(argument[(equals + 1)...], of: option))
    }
    guard let value = rest.first else { throw parsed.usage("expected \(option.usage), found no \(placeholder)") }
    guard !value.starts(with: "--".utf8) else {
      throw parsed.usage(
        "expected \(option.usage), found another option; "
          + "if that is the \(placeholder), type --\(option.name)=\(placeholder)"
      )
    }
    rest.removeFirst()
    try parsed.set(option, try text(value[...], of: option))
  }

  private func text(_ bytes: ArraySlice<UInt8>, of option: Option) throws(ToolError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .usage("expected UTF-8 in \(option.usage)", command: command)
    }
    return text
  }

  /// The name is repeated only if it looks like one: it may be a mistyped secret.
  private func unknown(_ typed: ArraySlice<UInt8>) -> ToolError {
    let name = String(decoding: typed, as: UTF8.self)
    let isName =
      name.utf8.count <= 26
      && name.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      }
    let nearest = isName ? nearestOption(to: name) : nil
    let advice = nearest.map { "; did you mean \($0.usage)" } ?? ""
    return .usage("unknown option\(isName ? " " + name : "")\(advice)", command: command)
  }

  private func nearestOption(to name: String) -> Option? {
    let typed = name.utf8.drop { $0 == UInt8(ascii: "-") }
    let nearest = Spelling.nearest(to: Array(typed), among: command.options.map(\.name))
    return command.options.first { $0.name == nearest }
  }
}
