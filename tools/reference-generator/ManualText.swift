/// A manual page in the making, in the language of mdoc(7), which man-db and mandoc set.
struct ManualText {
  private(set) var source: String

  /// The page's head.
  ///
  /// - Parameters:
  ///   - date: `2026-11-23`.
  ///   - summary: what the page is about, in a few words, without a full stop.
  init(_ name: String, section: Int, program: String, date: String, version: String, summary: String) {
    source = """
      .\\" Written by tools/reference from the tables of the programs. Change these, then run it.
      .Dd \(Self.longDate(date))
      .Dt \(name.uppercased()) \(section)
      .Os \(program) \(version)
      .Sh NAME
      .Nm \(Self.word(name))
      .Nd \(Self.words(summary))

      """
  }

  /// `November 23, 2026`, as mdoc has dates.
  private static func longDate(_ date: String) -> String {
    let parts = date.split(separator: "-").compactMap { Int($0) }
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ]
    precondition(parts.count == 3 && (1...12).contains(parts[1]), "a date is a year, a month and a day")
    return "\(months[parts[1] - 1]) \(parts[2]), \(parts[0])"
  }

  /// A heading.
  mutating func section(_ title: String) { macro("Sh", title) }

  /// A new paragraph; nothing at the start of a section, which is one.
  mutating func paragraph() {
    let last = source.split(separator: "\n").last ?? ""
    if !last.hasPrefix(".Sh ") && !last.hasPrefix(".Ss ") { macro("Pp") }
  }

  /// A line that begins with a macro, whose arguments are written as mdoc has them.
  mutating func macro(_ name: String, _ arguments: String = "") {
    source += arguments.isEmpty ? ".\(name)\n" : ".\(name) \(arguments)\n"
  }

  /// Text that is set as it comes; what is indented in it stays as it is, and an empty line begins a paragraph.
  mutating func text(_ text: String) {
    var isLiteral = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(" ") != isLiteral {
        isLiteral.toggle()
        macro(isLiteral ? "Bd" : "Ed", isLiteral ? "-literal -offset indent" : "")
      }
      if line.isEmpty {
        macro("Pp")
      } else {
        source += isLiteral ? Self.literal(line.drop { $0 == " " }) + "\n" : Self.sentences(line)
      }
    }
    if isLiteral { macro("Ed") }
  }

  /// Lines that are typed or shown as they are.
  mutating func example(_ lines: String) {
    macro("Bd", "-literal -offset indent")
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
      source += Self.literal(line) + "\n"
    }
    macro("Ed")
  }

  /// The last section: other pages, by section and then by name.
  ///
  /// - Parameter pages: as readers write them: `mediatokend(8)`.
  mutating func seeAlso(_ pages: [String]) {
    section("SEE ALSO")
    let sorted = pages.map { $0.dropLast().split(separator: "(") }.sorted { ($0[1], $0[0]) < ($1[1], $1[0]) }
    for (index, page) in sorted.enumerated() {
      macro("Xr", "\(page[0]) \(page[1])" + (index == sorted.count - 1 ? "" : " ,"))
    }
  }

  /// A macro's argument that is typed as it is.
  static func word(_ text: some StringProtocol) -> String { guarded(escaped(text, hyphen: "\\-")) }

  /// Several arguments, none of which is taken for a macro.
  static func words(_ text: some StringProtocol) -> String {
    text.split(separator: " ").map { guarded(prose($0)) }.joined(separator: " ")
  }

  /// A line for each sentence: mdoc sets the space after one by that.
  private static func sentences(_ text: some StringProtocol) -> String {
    var (lines, line) = ("", "")
    for word in text.split(separator: " ") {
      line += (line.isEmpty ? "" : " ") + word
      guard word.hasSuffix(".") || word.hasSuffix(".)"), !word.hasSuffix("..") else { continue }
      lines += prose(line) + "\n"
      line = ""
    }
    return line.isEmpty ? lines : lines + prose(line) + "\n"
  }

  /// A line of text. Only what is typed has hyphens that a reader may copy.
  static func prose(_ text: some StringProtocol) -> String {
    let words = text.split(separator: " ").map { word in
      escaped(word, hyphen: word.hasPrefix("-") || word.hasPrefix("(-") || word == "-" ? "\\-" : "-")
    }
    return lineStart(words.joined(separator: " "))
  }

  private static func literal(_ text: some StringProtocol) -> String { lineStart(escaped(text, hyphen: "\\-")) }

  /// A full stop or an apostrophe at the start of a line would make it a request.
  private static func lineStart(_ text: String) -> String {
    text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  /// Names of macros have two or three letters, the first in upper case: `It`, `No`, `%T`.
  private static func guarded(_ word: String) -> String {
    let scalars = word.unicodeScalars
    let isShort = (2...3).contains(scalars.count)
    return isShort && (scalars.first?.properties.isUppercase == true || word.hasPrefix("%")) ? "\\&" + word : word
  }

  private static func escaped(_ text: some StringProtocol, hyphen: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": hyphen
      case "\"": "\\(dq"
      // In ASCII, for terminals without Unicode.
      case "…": "..."
      case "±": "\\(+-"
      case _ where scalar.isASCII: String(scalar)
      default:
        "\\[u" + String(repeating: "0", count: max(0, 4 - hexadecimal(scalar).count)) + hexadecimal(scalar) + "]"
      }
    }.joined()
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    String(scalar.value, radix: 16, uppercase: true)
  }
}

extension String {
  /// What the tables say in lower case and without a full stop, as a sentence. A first word that is typed or written as it is,
  /// such as `shared:PATH` or `sessionGUID`, stays so.
  var asSentence: String {
    let first = prefix { $0 != " " }
    let isLiteral = first.contains(":") || first.dropFirst().contains(where: \.isUppercase)
    return (isLiteral ? self : prefix(1).uppercased() + dropFirst()) + "."
  }
}
