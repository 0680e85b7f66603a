internal import MediaTokenCommandLine
internal import MediaTokenFormats

extension Completion {
  /// For zsh: a function that compinit finds by its name.
  var zsh: String {
    let name = "_" + table.program
    let only = table.commands.first { $0.words.isEmpty }
    let dispatch = only.map { "  \(arguments(of: $0, indent: "    "))" } ?? self.dispatch
    return "#compdef \(table.program)\n" + comment + """
      \(name)() {
        local curcontext=$curcontext
        local -a commands
      \(dispatch)
      }

      \(name)_requestors() {
        compadd -- ${(f)"$(\(Self.requestors))"}
      }

      # The fingerprints of the keys that were typed before.
      \(name)_fingerprints() {
        local -a keys
        local index
        for ((index = 1; index < CURRENT; index++)); do
          [[ $words[index] != --keys ]] || keys+=(--keys ${~words[index + 1]})
        done
        (( ! $#keys )) || compadd "$@" -- ${(f)"$(mediatoken keys list $keys 2>/dev/null | \(Self.fingerprints))"}
      }

      \(name) "$@"

      """
  }

  private var dispatch: String {
    let firsts = firstWords.map { "\($0):\(summary(of: $0))" } + ["help:what a command's --help prints"]
    var text = """
        if (( CURRENT == 2 )); then
      \(described(firsts, indent: "    "))
          _describe -t commands command commands
          _arguments '--help[print the commands]' '--version[print the version]'
          return
        fi
        case $words[2] in

      """
    for word in firstWords {
      let group = group(word)
      text += "    \(word))\n"
      if group.isEmpty, let command = table.commands.first(where: { $0.words == [word] }) {
        text += "      shift words; (( CURRENT-- ))\n      \(arguments(of: command, indent: "        ")) ;;\n"
        continue
      }
      let seconds = group.map { "\($0.words[1]):\($0.summary.dropLast())" }
      text += """
              if (( CURRENT == 3 )); then
        \(described(seconds, indent: "          "))
                _describe -t commands command commands
                return
              fi
              case $words[3] in

        """
      for command in group {
        text += """
                  \(command.words[1]))
                    shift 2 words; (( CURRENT -= 2 ))
                    \(arguments(of: command, indent: "              ")) ;;

          """
      }
      text += "      esac ;;\n"
    }
    return text + """
          help)
            (( CURRENT > 3 )) || compadd -- \(firstWords.joined(separator: " ")) ;;
        esac
      """
  }

  private func described(_ words: [String], indent: String) -> String {
    "\(indent)commands=(\n" + words.map { "\(indent)  \(Self.quoted($0))\n" }.joined() + "\(indent))"
  }

  private func arguments(of command: Command, indent: String) -> String {
    var specifications = options(of: command).map { option in
      let explained = option.summary.replacing("[", with: "\\[").replacing("]", with: "\\]")
      let value = option.kind.map { ":\($0.placeholder.replacing(":", with: "\\:")):\(action($0.offer))" } ?? ""
      return Self.quoted("\(option.isRepeatable ? "*" : "")--\(option.name)[\(explained)]\(value)")
    }
    if let operand = command.operand {
      // A message in place of words would keep options from being offered.
      let words = operand.kind.offer == .nothing ? "()" : action(operand.kind.offer)
      specifications.append(Self.quoted(":\(operand.isOptional ? ":" : "")\(operand.kind.placeholder):\(words)"))
    }
    return "_arguments -S \\\n\(indent)" + specifications.joined(separator: " \\\n\(indent)")
  }

  private func action(_ offer: TextKind.Offer) -> String {
    switch offer {
    case .files: "_files"
    case .folders: "_files -/"
    case .programs: "_command_names -e"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .requestors: "_\(table.program)_requestors"
    case .fingerprints: "_\(table.program)_fingerprints"
    case .nothing: " "
    }
  }

  /// In single quotes, as all shells here have them.
  static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
