/// The manual page of the C interface, mediatoken(3): the header's own comments and declarations.
enum HeaderPage {
  /// - Parameter header: the text of mediatoken.h. Its comments begin at the start of a line, and an empty line ends what a
  ///   comment is about.
  static func page(date: String, version: String, header: String) -> GeneratedFile {
    var page = ManualText(
      "mediatoken", section: 3, program: "MediaToken", date: date, version: version,
      summary: "verification of Adobe Pass short media tokens in C")
    page.section("SYNOPSIS")
    page.macro("In", "mediatoken.h")
    page.section("DESCRIPTION")
    for part in parts(of: header) {
      switch part {
      case .heading(let title): page.macro("Ss", title)
      case .comment(let lines): add(lines, to: &page)
      case .declaration(let lines): page.example(lines.joined(separator: "\n"))
      }
    }
    page.seeAlso(["mediatoken(1)", "mediatokend(8)"])
    return GeneratedFile(path: "manual/mediatoken.3", text: page.source)
  }

  private enum Part {
    case heading(String)
    case comment([Substring])
    case declaration([Substring])
  }

  private static func parts(of header: String) -> [Part] {
    var parts: [Part] = []
    var lines = header.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = lines.first {
      if line.hasPrefix("/*") {
        let comment = take(&lines) { $0.hasSuffix("*/") }
        parts.append(heading(in: comment).map { .heading($0) } ?? .comment(comment.compactMap(text)))
      } else if line.isEmpty || isForCompilers(line) {
        lines.removeFirst()
      } else {
        parts.append(.declaration(take(&lines) { $0.isEmpty }.filter { !$0.isEmpty }))
      }
    }
    return parts
  }

  /// What neither documents nor declares anything: guards, includes and what C++ needs.
  private static func isForCompilers(_ line: Substring) -> Bool {
    ["#if", "#endif", "#include", "#define MEDIATOKEN_H", "extern \"C\"", "}"].contains { line.hasPrefix($0) }
      && !line.hasSuffix(";")
  }

  /// Lines up to and including the first that is the last one.
  private static func take(_ lines: inout ArraySlice<Substring>, upTo isLast: (Substring) -> Bool) -> [Substring] {
    var taken: [Substring] = []
    while let line = lines.popFirst() {
      taken.append(line)
      if isLast(line) { break }
    }
    return taken
  }

  /// The title of `/* ---- Title ---- */`.
  private static func heading(in comment: [Substring]) -> String? {
    guard comment.count == 1, comment[0].hasPrefix("/* ---- ") else { return nil }
    return comment[0].split(separator: " ").filter { $0.contains { $0.isLetter } }.joined(separator: " ")
  }

  /// A comment's line without what makes it one; nil if it has nothing else.
  private static func text(_ line: Substring) -> Substring? {
    var text = line
    if text.hasSuffix("*/") { text = text.dropLast(2) }
    if text.hasPrefix("/*") { text = text.dropFirst(2) } else if text.hasPrefix(" *") { text = text.dropFirst(2) }
    if text.hasPrefix(" ") { text = text.dropFirst() }
    while text.hasSuffix(" ") { text = text.dropLast() }
    let isDelimiter = text.isEmpty && line != " *"
    return isDelimiter ? nil : text
  }

  /// Paragraphs, items that begin with a hyphen, and indented lines, which stay as they are.
  private static func add(_ lines: [Substring], to page: inout ManualText) {
    var isInList = false
    var rest = lines[...]
    while let line = rest.popFirst() {
      guard !line.isEmpty else { continue }
      let isItem = line.hasPrefix("- ")
      let isExample = line.hasPrefix(" ")
      var paragraph = [isItem ? line.dropFirst(2) : line]
      while let next = rest.first, !next.isEmpty, !next.hasPrefix("- "), isItem || next.hasPrefix(" ") == isExample
      {
        paragraph.append(next)
        rest.removeFirst()
      }
      let texts = paragraph.map { $0.drop { $0 == " " } }
      if isItem != isInList { page.macro(isItem ? "Bl" : "El", isItem ? "-dash" : "") }
      isInList = isItem
      if isItem { page.macro("It") } else if !isExample { page.paragraph() }
      if isExample { page.example(texts.joined(separator: "\n")) } else { page.text(texts.joined(separator: " ")) }
    }
    if isInList { page.macro("El") }
  }
}
