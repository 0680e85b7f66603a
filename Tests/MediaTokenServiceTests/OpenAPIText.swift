import Foundation

/// `openapi.yaml`, as far as a test has to understand it: blocks by their indentation, and lists in brackets.
struct OpenAPIText {
  private let lines: [Substring]

  private init(lines: [Substring]) { self.lines = lines }

  static func document() throws -> Self {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appending(path: "Sources/MediaTokenService/openapi.yaml")
    let text = try String(contentsOf: file, encoding: .utf8)
    return Self(lines: text.split(separator: "\n").filter { !$0.allSatisfy { $0 == " " } })
  }

  /// What is below a key, and below another one in that, and so on. Empty if a key is missing.
  subscript(_ keys: String...) -> Self { keys.reduce(self) { $0.block($1) } }

  /// The keys at the top of this block.
  var keys: [String] { tops.compactMap { Self.key(of: lines[$0]) } }

  /// The text in one line.
  var text: String { lines.map { $0.drop { $0 == " " } }.joined(separator: " ") }

  /// The elements of the first list with this name, which is in brackets.
  func list(_ name: String = "enum") -> [String] {
    guard let start = text.range(of: "\(name): [")?.upperBound else { return [] }
    return text[start...].prefix { $0 != "]" }.split(separator: ",").map { element in
      element.trimmingCharacters(in: CharacterSet(charactersIn: " '"))
    }
  }

  /// The names that a table in this block has, with their numbers.
  var numbers: [String: Int] {
    var numbers: [String: Int] = [:]
    for line in lines {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
      if cells.count > 3, let number = Int(cells[2]) { numbers[cells[1]] = number }
    }
    return numbers
  }

  /// Where the lines are that are indented least.
  private var tops: [Int] {
    let least = lines.map(Self.indentation).min() ?? 0
    return lines.indices.filter { Self.indentation(lines[$0]) == least }
  }

  private func block(_ key: String) -> Self {
    let tops = tops
    guard let place = tops.firstIndex(where: { Self.key(of: lines[$0]) == key }) else { return Self(lines: []) }
    let end = place + 1 < tops.count ? tops[place + 1] : lines.count
    let below = lines[(tops[place] + 1)..<end]
    return Self(lines: below.isEmpty ? [lines[tops[place]].drop { $0 != ":" }] : Array(below))
  }

  private static func indentation(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }

  /// The key that a line begins with, without quotes; nil if it begins with none.
  private static func key(of line: Substring) -> String? {
    let text = line.drop { $0 == " " }
    guard !text.hasPrefix("- "), let end = text.range(of: ":")?.lowerBound else { return nil }
    return text[..<end].trimmingCharacters(in: CharacterSet(charactersIn: "'"))
  }
}
