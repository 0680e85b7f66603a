internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenHandover
internal import MediaTokenSystem

/// The source of a command's token: an argument, standard input, or a decision of Adobe Pass.
enum TokenSource {
  static let optionalOperand = Command.Operand(.tokenOrInput, isOptional: true)
  static let decision = Option(
    ChoiceNames.decision.option, .text(.fileOrInput),
    "take the token from an answer of decisions/authorize of Adobe's REST API v2")

  /// For commands that have ``decision`` and an ``optionalOperand``; `other` is another option that gives tokens.
  /// Anything but exactly one source is a usage error.
  static func check(_ arguments: Arguments, or other: (any CommandOption)? = nil) throws(Problem) {
    let options = [decision, other].compactMap { $0 }
    let given = (arguments.operand == nil ? [] : ["TOKEN"]) + options.filter { arguments.has($0) }.map(\.usage)
    guard given.count != 1 else { return }
    guard given.isEmpty else {
      throw arguments.usage(
        "\(given.joined(separator: " and ")) are \(given.count == 2 ? "both" : "all") given; give one")
    }
    let names = ["TOKEN", "-"] + options.map(\.usage)
    throw arguments.usage(
      "there is no token; give \(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])")
  }

  /// For commands that have ``decision``; `resource` says which decision is meant. An error in the document is no
  /// verdict.
  static func read(_ arguments: Arguments, for resource: ExpectedResource) throws(Problem) -> GivenToken {
    guard let path = try arguments[decision] else { return .token(try read(arguments), nil) }
    let document = try document(path)
    switch try rethrow(document.answer(for: resource), as: broken(path)) {
    case .token(let token, let decision): return .token(Array(token.utf8), decision)
    case .noToken(let noToken): return .noToken(noToken)
    }
  }

  /// Nil if the command was given none.
  static func document(_ arguments: Arguments) throws(Problem) -> DecisionDocument? {
    try arguments[decision].map { (path) throws(Problem) in try document(path) }
  }

  private static func document(_ path: String) throws(Problem) -> DecisionDocument {
    let text = try text(of: path)
    return try rethrow(DecisionDocument(parsing: text.span), as: broken(path))
  }

  private static func broken(_ path: String) -> (Problem) -> Problem {
    { $0.about("no verdict: the decision document \(VerdictText.shown(path))") }
  }

  private static func text(of path: String) throws(Problem) -> [UInt8] {
    let most = DecisionDocument.mostBytes + 1
    do throws(SystemError) {
      if path == "-" { return try standardInput(atMost: most) }
      let file = try FileDescriptor(opening: path, for: .reading)
      return try ByteSource(file.number).bytes(atMost: most)
    } catch {
      throw Problem(
        "no verdict: cannot read the decision document \(VerdictText.shown(path)): \(error.description)")
    }
  }

  /// The argument itself, or standard input if it is `-`. Of standard input at most one byte more is read than a token
  /// may have: the rest changes no verdict.
  static func read(_ arguments: Arguments) throws(Problem) -> [UInt8] {
    guard let operand = arguments.operand else {
      throw arguments.usage("there is no token; give one, or - to read it from standard input")
    }
    guard operand == [UInt8(ascii: "-")] else {
      if looksLikeFileName(operand) {
        StandardError.say(
          "the argument is taken for the token itself, and looks like a file's name; to read it from"
            + " that file, type \(arguments.invocation) - <FILE")
      }
      return operand
    }
    return try rethrow(standardInput(atMost: Limits.receivedBytes + 1)) {
      (error: SystemError) in Problem("cannot read standard input: \(error.description)")
    }
  }

  private static func standardInput(atMost limit: Int) throws(SystemError) -> [UInt8] {
    let bytes = try ByteSource(StandardStreams.input).bytes(atMost: limit)
    if CurrentProcess.isTerminal(StandardStreams.input) { TerminalLine.warn(bytes.span) }
    return bytes
  }

  /// True if the argument does not begin like a token, and has a full stop, which no form of a token has, or names a
  /// file that exists.
  private static func looksLikeFileName(_ operand: [UInt8]) -> Bool {
    guard !operand.isEmpty, !Given.isToken(String(decoding: operand, as: UTF8.self)) else { return false }
    return operand.contains(UInt8(ascii: "."))
      || (try? FileStatus(ofFileAt: String(decoding: operand, as: UTF8.self))) != nil
  }
}

/// The kernel's treatment of long lines that are typed or pasted at a terminal.
enum TerminalLine {
  /// It keeps so many bytes of a line, and drops the rest (termios(3), canonical mode).
  static let longest = 4095

  static func warn(_ text: Span<UInt8>) {
    var start = 0
    while start < text.count {
      let end = text.firstIndex(of: UInt8(ascii: "\n"), from: start) ?? text.count
      if end - start == longest {
        return StandardError.say(
          "a terminal keeps \(longest) bytes of a line, and this one is that long: what was pasted is probably cut off there; "
            + "put it into a file with an editor and type <FILE, or give it through a pipe")
      }
      start = end + 1
    }
  }
}

enum GivenToken: Redacted {
  /// A received text, and the decision that it came in, if any.
  case token([UInt8], Decision?)
  case noToken(NoToken)
}

extension NoToken {
  /// It takes the place of a verdict. The result is the exit status.
  func print(_ arguments: Arguments) throws(Problem) -> Int32 {
    try StandardOutput.write(
      arguments.has(OutputOptions.json) ? OutputOptions.line { $0.members(of: self) } : text)
    return ExitStatus.refused
  }

  private var text: String {
    Self.firstLine + "\n" + (code.map { VerdictText.line("decisionError", $0) } ?? "")
  }
}

struct ByteSource {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Everything up to the end, or the first `limit` bytes. The bytes of a file that can't be read to the end are
  /// overwritten: they may be a secret.
  func bytes(atMost limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    var used = 0
    do throws(SystemError) {
      while used < limit {
        let count = try SystemCall.read(descriptor, into: &bytes, from: used)
        if count == 0 { break }
        used += count
      }
    } catch {
      bytes.overwrite()
      throw error
    }
    bytes.removeLast(limit - used)
    return bytes
  }
}
