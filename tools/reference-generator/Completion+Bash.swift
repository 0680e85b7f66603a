internal import MediaTokenCommandLine
internal import MediaTokenFormats

extension Completion {
  /// For bash 4.4 and later; needs nothing of the package bash-completion but its folder.
  var bash: String {
    let name = "_" + table.program
    return comment + """
      \(name)() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command="" index
        COMPREPLY=()
      \(commands)
        case "$command $previous" in
      \(values)
        esac
        case "$command" in
      \(options)
        esac
      }

      # Prints what begins with what is being typed.
      \(name)_offer() {
        mapfile -t COMPREPLY < <(compgen "$@" -- "$current")
      }

      \(name)_files() {
        compopt -o filenames
        \(name)_offer "$1"
      }

      \(name)_requestors() {
        \(name)_offer -W "$(\(Self.requestors))"
      }

      # The fingerprints of the keys that were typed before.
      \(name)_fingerprints() {
        local keys=()
        for ((index = 1; index < COMP_CWORD; index++)); do
          [[ ${COMP_WORDS[index]} != --keys ]] || keys+=(--keys "${COMP_WORDS[index + 1]/#\\~/$HOME}")
        done
        [[ ${#keys[@]} -eq 0 ]] || \(name)_offer -W "$(mediatoken keys list "${keys[@]}" 2>/dev/null | \(Self.fingerprints))"
      }

      complete -F \(name) \(table.program)

      """
  }

  /// Finds the command in the first words, or completes these.
  private var commands: String {
    guard !firstWords.isEmpty else { return "" }
    let offer = "_\(table.program)_offer -W"
    var text = """
        if [[ $COMP_CWORD -eq 1 ]]; then
          \(offer) '\((firstWords + ["help", "--help", "--version"]).joined(separator: " "))'
          return
        fi
        command=${COMP_WORDS[1]}
        case $command in

      """
    for word in firstWords {
      let seconds = group(word).map { $0.words[1] }
      guard !seconds.isEmpty else { continue }
      text += """
            \(word))
              [[ $COMP_CWORD -ne 2 ]] || { \(offer) '\(seconds.joined(separator: " ")) --help'; return; }
              command+=" ${COMP_WORDS[2]}" ;;

        """
    }
    return text + """
          help)
            [[ $COMP_CWORD -ne 2 ]] || \(offer) '\(firstWords.joined(separator: " "))'
            return ;;
        esac
      """
  }

  /// What completes the value of an option.
  private var values: String {
    var patterns: [TextKind.Offer: [String]] = [:]
    var order: [TextKind.Offer] = []
    for command in table.commands {
      for option in command.options {
        guard let offer = option.kind?.offer else { continue }
        if patterns[offer] == nil { order.append(offer) }
        patterns[offer, default: []].append("'\(command.name) --\(option.name)'")
      }
    }
    return order.map { offer in
      "    " + (patterns[offer] ?? []).joined(separator: " | \\\n    ") + ")\n      \(action(offer)); return ;;"
    }.joined(separator: "\n")
  }

  private func action(_ offer: TextKind.Offer) -> String {
    let name = "_" + table.program
    return switch offer {
    case .files: "\(name)_files -f"
    case .folders: "\(name)_files -d"
    case .programs: "\(name)_files -c"
    case .words(let words): "\(name)_offer -W '\(words.joined(separator: " "))'"
    case .requestors: "\(name)_requestors"
    case .fingerprints: "\(name)_fingerprints"
    case .nothing: ":"
    }
  }

  private var options: String {
    table.commands.map { command in
      let names = options(of: command).map { "--\($0.name)" }.joined(separator: " ")
      let operand = command.operand.flatMap { $0.kind.offer == .files ? $0 : nil }
      let others = operand == nil ? "" : "[[ $current == -* ]] || { _\(table.program)_files -f; return; }\n      "
      return "    '\(command.name)')\n      \(others)_\(table.program)_offer -W '\(names)' ;;"
    }.joined(separator: "\n")
  }
}
