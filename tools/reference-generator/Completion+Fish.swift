internal import MediaTokenCommandLine
internal import MediaTokenFormats

extension Completion {
  /// For fish 3.4 and later.
  var fish: String {
    let name = "__\(table.program)"
    var text =
      comment + """
        function \(name)_requestors
            \(Self.requestors)
        end

        # The fingerprints of the keys that were typed before.
        function \(name)_fingerprints
            set -l typed (commandline -opc)
            set -l keys
            for index in (seq (count $typed))
                if test "$typed[$index]" = --keys -a $index -lt (count $typed)
                    set -a keys --keys $typed[(math $index + 1)]
                end
            end
            test (count $keys) -gt 0; and mediatoken keys list $keys 2>/dev/null | \(Self.fingerprints)
        end

        complete -c \(table.program) -f

        """
    if !firstWords.isEmpty { text += commands }
    for command in table.commands {
      for option in options(of: command) { text += line(for: option, of: command) }
      if command.operand?.kind.offer == .files { text += "complete -c \(table.program)\(condition(command)) -F\n" }
    }
    return text
  }

  /// The words that choose a command, and the function that knows whether they were typed.
  private var commands: String {
    let name = "__\(table.program)"
    var text = """

      # Whether these words were typed after the program, and nothing after them if -x is first.
      function \(name)_after
          set -l typed (commandline -opc)[2..]
          if test "$argv[1]" = -x
              test "$typed" = "$argv[2..]"
          else
              test "$typed[1..$(count $argv)]" = "$argv"
          end
      end

      complete -c \(table.program) -n '\(name)_after -x' -l version -d 'print the version'
      complete -c \(table.program) -n '\(name)_after -x' -l help -d 'print the commands'

      """
    func word(_ word: String, after words: String, _ summary: String) {
      text +=
        "complete -c \(table.program) -n '\(name)_after -x\(words)' -a \(word) -d \(Self.fishQuoted(summary))\n"
    }
    for first in firstWords {
      word(first, after: "", summary(of: first))
      for command in group(first) { word(command.words[1], after: " " + first, command.summary) }
    }
    word("help", after: "", "what a command's --help prints")
    for first in firstWords { word(first, after: " help", summary(of: first)) }
    return text
  }

  private func condition(_ command: Command) -> String {
    command.words.isEmpty ? "" : " -n '__\(table.program)_after \(command.name)'"
  }

  private func line(for option: any CommandOption, of command: Command) -> String {
    let value = option.kind.map { " " + action($0.offer) } ?? ""
    return
      "complete -c \(table.program)\(condition(command)) -l \(option.name)\(value) -d \(Self.fishQuoted(option.summary))\n"
  }

  private func action(_ offer: TextKind.Offer) -> String {
    switch offer {
    case .files, .programs: "-r -F"
    case .folders: "-x -a '(__fish_complete_directories)'"
    case .words(let words): "-x -a '\(words.joined(separator: " "))'"
    case .requestors: "-x -a '(__\(table.program)_requestors)'"
    case .fingerprints: "-x -a '(__\(table.program)_fingerprints)'"
    case .nothing: "-x"
    }
  }

  /// In single quotes, in which fish knows two escapes.
  private static func fishQuoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
