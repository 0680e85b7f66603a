import Foundation
import MediaTokenIssuer
import Testing

/// One case of `Tests/Cases/endpoints`, with one row of its table if it has one.
struct EndpointCase: CustomTestStringConvertible, Sendable {
  /// A line with those that continue it, which are indented.
  struct Line: Sendable {
    let place: String
    let first: String
    let more: [String]
    var text: String { ([first] + more).joined(separator: " ") }
  }

  let testDescription: String
  let lines: [Line]
  /// What the row has under each name of the table.
  let row: [String: String]

  static let all: [EndpointCase] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Cases/endpoints")
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension == "txt" }.sorted { $0.path < $1.path }.flatMap { file in
      cases(in: (try? String(contentsOf: file, encoding: .utf8)) ?? "", of: file.lastPathComponent)
    }
  }()

  /// What is before a file's first case begins every case of it.
  private static func cases(in text: String, of file: String) -> [EndpointCase] {
    var groups: [(name: String, lines: [Line])] = [("", [])]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.isEmpty || line.hasPrefix("# ") { continue }
      let last = groups.indices.last ?? 0
      if line.hasPrefix("== ") {
        groups.append((String(line.dropFirst(3)), []))
      } else if line.hasPrefix("  "), let begun = groups[last].lines.popLast() {
        let more = begun.more + [line.trimmingCharacters(in: .whitespaces)]
        groups[last].lines.append(Line(place: begun.place, first: begun.first, more: more))
      } else {
        groups[last].lines.append(Line(place: "\(file):\(index + 1)", first: String(line), more: []))
      }
    }
    return groups.dropFirst().flatMap { group in
      let table = group.lines.first { $0.first.hasPrefix("each ") }
      let lines = groups[0].lines + group.lines.filter { !$0.first.hasPrefix("each ") }
      return rows(of: table).map { row in
        let label = table.flatMap { $0.first.split(separator: " ").dropFirst().first.flatMap { row[String($0)] } }
        return EndpointCase(
          testDescription: "\(file): \(group.name)" + (label.map { ": \($0)" } ?? ""), lines: lines, row: row)
      }
    }
  }

  /// Of a table with one name each word is a row; of others each line, with two spaces between its cells.
  private static func rows(of table: Line?) -> [[String: String]] {
    guard let table else { return [[:]] }
    let names = table.first.split(separator: " ").dropFirst().map { String($0) }
    if names.count == 1 {
      return table.more.flatMap { $0.split(separator: " ") }.map { [names[0]: String($0)] }
    }
    return table.more.map { line in
      let cells = line.components(separatedBy: "  ").filter { !$0.isEmpty }
      precondition(cells.count == names.count, "\(table.place): \(line)")
      return Dictionary(
        uniqueKeysWithValues: zip(names, cells.map { $0.trimmingCharacters(in: .whitespaces) }))
    }
  }
}

/// What follows an arrow, and what follows the name of a token: words, `name=value`, `[Header: value]` and `` `text` ``.
enum EndpointWord {
  case word(String)
  case member(String, String)
  case header(String, String)
  case text(String)
  case noText(String)

  static func all(in text: String) -> [EndpointWord] {
    var (words, rest) = ([EndpointWord](), text[...])
    func take(_ end: String) -> String {
      let found = rest.range(of: end)
      defer { rest = found.map { rest[$0.upperBound...] } ?? "" }
      return String(rest[..<(found?.lowerBound ?? rest.endIndex)])
    }
    while let first = rest.first {
      switch first {
      case " ": rest.removeFirst()
      case "`":
        rest.removeFirst()
        words.append(.text(take("`")))
      case "!":
        rest.removeFirst(2)
        words.append(.noText(take("`")))
      case "[":
        let (name, value) = takeHeader(&rest)
        words.append(.header(name, value))
      default:
        let end = rest.firstIndex { $0 == " " || $0 == "=" } ?? rest.endIndex
        let name = String(rest[..<end])
        rest = rest[end...]
        guard rest.first == "=" else {
          words.append(.word(name))
          continue
        }
        rest.removeFirst()
        if rest.first == "`" {
          rest.removeFirst()
          words.append(.member(name, take("`")))
        } else {
          words.append(.member(name, take(" ")))
        }
      }
    }
    return words
  }

  /// `[Name: value]` at the start; the bracket that closes it has a space or nothing after it.
  static func takeHeader(_ rest: inout Substring) -> (String, String) {
    let whole = rest.range(of: "] ")?.lowerBound ?? rest.index(before: rest.endIndex)
    let field = rest[rest.index(after: rest.startIndex)..<whole]
    rest = rest[rest.index(after: whole)...]
    let name = field.prefix { $0 != ":" }
    return (String(name), String(field.dropFirst(name.count + 2)))
  }
}
