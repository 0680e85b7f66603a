internal import CommandLineOptions

extension Help {
  /// `mediatoken --help`.
  static var overview: String {
    var text = """
      mediatoken decides whether an Adobe Pass short media token is genuine.

      usage: mediatoken COMMAND [OPTION...]

      commands:

      """
    let width = Tool.commands.map(\.name.utf8.count).max() ?? 0
    for command in Tool.commands { text += "  \(padded(command.name, width))  \(command.summary)\n" }
    text += """

      mediatoken COMMAND --help   the options of a command
      mediatoken --version        the version

      exit status: 0 valid or done, 1 refused, 2 the command line is not understood, 3 no verdict

      """
    return text
  }
}

extension Command {
  /// A command of this program.
  init(
    words: [String], summary: String, operand: Operand?, options: [Option], notes: [String],
    run: @escaping @Sendable (Arguments) throws(ToolError) -> Int32
  ) {
    self.init(
      program: "mediatoken", words: words, summary: summary, operand: operand, options: options, notes: notes,
      run: run)
  }
}
