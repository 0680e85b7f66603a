internal import MediaToken
internal import MediaTokenSystem

/// Reads what was typed after a command: `--name VALUE`, `--name=VALUE`, `--flag`, an operand, and `--` before
/// operands that look like options.
struct OptionParser {
  private let command: Command
  private var arguments: Arguments

  init(_ command: Command, invocation: String) {
    self.command = command
    arguments = Arguments(for: command, invocation: invocation)
  }

  /// Nil if the arguments ask for help and have nothing else. A caller may pass on as a token what someone else wrote, and
  /// that must not end in success. An error says what to type instead, and repeats names of options only.
  consuming func parse(_ typed: [[UInt8]]) throws(Problem) -> Arguments? {
    if typed.count == 1, Self.isHelp(typed[0]) { return nil }
    var rest = typed[...]
    while let argument = rest.popFirst() {
      if argument == Array("--".utf8) {
        for operand in rest { try arguments.note(operand: operand) }
        break
      }
      if Self.isHelp(argument) { throw arguments.usage("--help goes alone") }
      guard argument.count > 1, argument.first == UInt8(ascii: "-") else {
        try arguments.note(operand: argument)
        continue
      }
      try parse(option: argument, &rest)
    }
    return arguments
  }

  private static func isHelp(_ argument: [UInt8]) -> Bool {
    argument == Array("--help".utf8) || argument == Array("-h".utf8)
  }

  private mutating func parse(option argument: [UInt8], _ rest: inout ArraySlice<[UInt8]>) throws(Problem) {
    let equals = argument.firstIndex(of: UInt8(ascii: "="))
    let typed = argument[..<(equals ?? argument.endIndex)]
    guard let option = command.options.first(where: { typed.elementsEqual("--\($0.name)".utf8) }) else {
      throw unknown(typed)
    }
    guard let kind = option.kind else {
      guard equals == nil else { throw arguments.usage("\(option.usage) takes no value") }
      return try arguments.note(option)
    }
    if let equals {
      return try arguments.note(option, kind, try text(argument[(equals + 1)...], of: option))
    }
    guard let value = rest.first else {
      throw arguments.usage("the \(kind.placeholder) of --\(option.name) is missing")
    }
    guard !value.starts(with: "--".utf8) else {
      throw arguments.usage(
        "the \(kind.placeholder) of --\(option.name) is missing, and another option follows; "
          + "if that is the \(kind.placeholder), type --\(option.name)=\(kind.placeholder)")
    }
    rest.removeFirst()
    try arguments.note(option, kind, try text(value[...], of: option))
  }

  private func text(_ bytes: ArraySlice<UInt8>, of option: any CommandOption) throws(Problem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw arguments.usage("the value of \(option.usage) is not UTF-8")
    }
    return text
  }

  /// The name is repeated only if it looks like one: it may be a mistyped secret.
  private func unknown(_ typed: ArraySlice<UInt8>) -> Problem {
    let name = String(decoding: typed, as: UTF8.self)
    let isName =
      name.utf8.count <= 26
      && name.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      }
    let nearest = isName ? nearestOption(to: typed) : nil
    let advice = nearest.map { "; did you mean \($0.usage)" } ?? ""
    return arguments.usage("unknown option\(isName ? " " + name : "")\(advice)")
  }

  private func nearestOption(to typed: ArraySlice<UInt8>) -> (any CommandOption)? {
    let typed = Array(typed.drop { $0 == UInt8(ascii: "-") })
    let nearest = Spelling.nearest(to: typed, among: command.options.map(\.name))
    return command.options.first { $0.name == nearest }
  }
}
