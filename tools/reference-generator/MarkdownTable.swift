/// A table of an article.
struct MarkdownTable: Sendable {
  private let head: [String]
  private let rows: [[String]]

  /// - Parameter rows: cells that are Markdown already; as many in each row as there are in the head.
  init(_ head: [String], _ rows: [[String]]) {
    precondition(rows.allSatisfy { $0.count == head.count }, "a row has as many cells as the head")
    (self.head, self.rows) = (head, rows)
  }

  /// The lines of the table, each with its line feed.
  var text: String {
    let lines = [Self.line(head), "|" + head.map { _ in "---|" }.joined()] + rows.map(Self.line)
    return lines.map { $0 + "\n" }.joined()
  }

  private static func line(_ cells: [String]) -> String {
    "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
  }

  /// Text that is typed as it is.
  static func code(_ text: String) -> String { "`\(text.replacing("|", with: "\\|"))`" }

  /// Words that are one of a few: `A`, `B` or `C`.
  static func choice(_ words: [String]) -> String {
    let words = words.map { code($0) }
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// A number with commas between its thousands.
  static func number(_ number: Int64) -> String {
    let digits = Array(String(number))
    return digits.indices.map { index in
      let isGroup = index > 0 && (digits.count - index) % 3 == 0 && digits[index - 1] != "-"
      return (isGroup ? "," : "") + String(digits[index])
    }.joined()
  }

  /// What a declaration says in plain text: words that are typed are set off as code, and nothing else means anything to Markdown.
  static func prose(_ text: String) -> String {
    let words = text.split(separator: " ")
    return words.enumerated().map { index, word in
      let opening = word.prefix { $0 == "(" }
      let closing = word.dropFirst(opening.count).reversed().prefix { ",;).".contains($0) }.reversed()
      let core = word.dropFirst(opening.count).dropLast(closing.count)
      // A colon ends what is typed only where no sentence goes on after it.
      let endsHere = !closing.isEmpty || index == words.count - 1
      return isTyped(core, endsHere: endsHere) ? opening + code(String(core)) + String(closing) : escaped(word)
    }.joined(separator: " ")
  }

  /// Options, names of headers, paths, addresses and names with a capital inside.
  private static func isTyped(_ word: Substring, endsHere: Bool) -> Bool {
    word.hasPrefix("--") || word.hasPrefix("X-") || word.contains { "/_=@".contains($0) }
      || word.dropLast().contains { ":.".contains($0) } || (endsHere && word.hasSuffix(":"))
      || zip(word, word.dropFirst()).contains { $0.isLowercase && $1.isUppercase }
  }

  private static func escaped(_ word: Substring) -> String {
    word.map { #"\`*_[]<>|"#.contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

extension GeneratedFile {
  /// An article with tables that are written again; all else in it stays as it is.
  ///
  /// - Parameters:
  ///   - path: of the article, from the root of the repository.
  ///   - text: what the article is now.
  ///   - tables: by the name that the comments before and after the table have: `<!-- settings: … -->` and
  ///     `<!-- end of settings -->`.
  /// - Throws: ``MissingPlace`` if the comments are not there, each once and in this order.
  init(
    article path: String, _ text: String, tables: KeyValuePairs<String, MarkdownTable>
  ) throws(MissingPlace) {
    var text = text
    for (name, table) in tables {
      let begin = "<!-- \(name): written by tools/reference -->\n"
      let (before, after) = try Self.parts(of: text, at: begin, path)
      let (_, rest) = try Self.parts(of: after, at: "<!-- end of \(name) -->\n", path)
      text = "\(before)\(begin)\n\(table.text)\n<!-- end of \(name) -->\n\(rest)"
    }
    self.init(path: path, text: text)
  }

  private static func parts(
    of text: String, at marker: String, _ path: String
  ) throws(MissingPlace) -> (String, String) {
    let lines = text.split(separator: marker, omittingEmptySubsequences: false)
    guard lines.count == 2 else { throw MissingPlace(path: path, marker: marker) }
    return (String(lines[0]), String(lines[1]))
  }

  /// An article has no place for a table, or more than one.
  struct MissingPlace: Error, CustomStringConvertible {
    let path: String
    let marker: String

    package var description: String { "\(path) needs this line once: \(marker)" }
  }
}
