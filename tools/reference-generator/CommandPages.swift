internal import MediaTokenCommandLine

/// The manual pages of a program: one of the program, and where it has commands one of each.
struct CommandPages {
  private let table: CommandTable
  private let date: String
  private let section: Int
  private let files: [(path: String, meaning: String)]
  private let related: [String]

  /// - Parameters:
  ///   - section: 1 for what users run, 8 for what runs as a service.
  ///   - files: what the program reads or makes, by default.
  ///   - related: other pages to read: `mediatokend(8)`.
  init(
    _ table: CommandTable, date: String, section: Int, files: [(path: String, meaning: String)] = [],
    related: [String]
  ) {
    (self.table, self.date, self.section) = (table, date, section)
    (self.files, self.related) = (files, related)
  }

  /// The pages, for a folder `manual`.
  var all: [GeneratedFile] {
    let own = GeneratedFile(path: path(of: table.program), text: programPage)
    let named = table.commands.filter { !$0.words.isEmpty }
    return [own] + named.map { GeneratedFile(path: path(of: name(of: $0)), text: page(of: $0)) }
  }

  private func path(of name: String) -> String { "manual/\(name).\(section)" }

  private func name(of command: Command) -> String { ([table.program] + command.words).joined(separator: "-") }

  private func head(_ name: String, _ summary: String) -> ManualText {
    let sentence = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
    return ManualText(
      name, section: section, program: "MediaToken", date: date, version: table.version,
      summary: sentence.prefix(1).lowercased() + sentence.dropFirst())
  }

  private var programPage: String {
    if let only = table.commands.first(where: { $0.words.isEmpty }) { return page(of: only) }
    var page = head(table.program, "verifier of Adobe Pass short media tokens")
    page.section("SYNOPSIS")
    page.macro("Nm")
    page.macro("Ar", "command")
    page.macro("Op", "Ar option ...")
    page.section("DESCRIPTION")
    page.text(table.purpose)
    page.paragraph()
    page.text("The commands, each of which has a page of its own:")
    page.macro("Bl", "-tag -width Ds")
    for command in table.commands {
      page.macro("It", "Cm \(ManualText.words(command.name))")
      page.text(command.summary)
    }
    page.macro("El")
    page.paragraph()
    page.text("Each command prints its options with --help; --version prints the version.")
    finish(&page, exitStatus: table.exitStatus, examples: [], related: table.commands.map { "\(name(of: $0))(1)" })
    return page.source
  }

  private func page(of command: Command) -> String {
    var page = head(name(of: command), command.summary)
    page.section("SYNOPSIS")
    page.macro("Nm", ([table.program] + command.words).map { ManualText.word($0) }.joined(separator: " "))
    if let operand = command.operand {
      let argument = ManualText.word(operand.kind.placeholder)
      operand.isOptional ? page.macro("Op", "Ar \(argument)") : page.macro("Ar", argument)
    }
    page.macro("Op", "Ar option ...")
    page.section("DESCRIPTION")
    page.text(command.summary)
    var (exitStatus, examples) = ("", [String]())
    for note in command.notes {
      switch note {
      case .text(let text):
        page.paragraph()
        page.text(text)
      case .exitStatus(let text): exitStatus = text
      case .example(let lines): examples.append(lines)
      }
    }
    page.paragraph()
    page.text("The options:")
    page.macro("Bl", "-tag -width Ds")
    for option in command.options + [Flag("help", "print the options and exit")] { add(option, to: &page) }
    page.macro("El")
    let others = command.words.isEmpty ? [] : ["\(table.program)(1)"]
    finish(&page, exitStatus: exitStatus, examples: examples, related: others)
    return page.source
  }

  private func add(_ option: any CommandOption, to page: inout ManualText) {
    var item = "Fl \(ManualText.word("-" + option.name))"
    switch option.kind {
    case .words(let words)?: item += " Cm " + words.map { ManualText.word($0) }.joined(separator: " Ns | Ns Cm ")
    case let kind?: item += " Ar \(ManualText.word(kind.placeholder))"
    case nil: break
    }
    page.macro("It", item)
    page.text(option.sentence.asSentence)
  }

  private func finish(_ page: inout ManualText, exitStatus: String, examples: [String], related others: [String]) {
    if !files.isEmpty {
      page.section("FILES")
      page.macro("Bl", "-tag -width Ds")
      for file in files {
        page.macro("It", "Pa \(ManualText.word(file.path))")
        page.text(file.meaning)
      }
      page.macro("El")
    }
    if !exitStatus.isEmpty {
      page.section("EXIT STATUS")
      page.text(exitStatus.hasSuffix(".") ? exitStatus : exitStatus + ".")
    }
    if !examples.isEmpty {
      page.section("EXAMPLES")
      for lines in examples { page.example(lines) }
    }
    page.seeAlso(others + related)
  }
}
