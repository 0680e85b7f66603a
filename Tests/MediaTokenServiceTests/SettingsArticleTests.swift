import Foundation
import Testing

@testable import MediaTokenService

/// The table of the article Operations says what the declarations say.
@Suite struct SettingsArticleTests {
  /// A row of the table.
  struct Row {
    let keys: [String]
    let values: String
    let standard: String
    let reload: String
  }

  static func article(_ name: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let article = root.appending(path: "Sources/MediaTokenService/MediaTokenService.docc/\(name).md")
    return try String(contentsOf: article, encoding: .utf8)
  }

  static func rows() throws -> [Row] {
    let text = try article("Operations")
    let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix("Configuration\n") })
    return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let keys = cells[0].split(separator: "`").filter { $0.contains { $0.isLetter } }.map { String($0) }
      return Row(keys: keys, values: cells[1], standard: cells[2], reload: cells[3])
    }
  }

  @Test func everySettingHasARowAndNothingElse() throws {
    let keys = try Self.rows().flatMap(\.keys)
    #expect(keys.count == Set(keys).count)
    #expect(Set(keys) == Set(Settings.all.map(\.key)))
  }

  @Test func everyRowSaysValuesDefaultAndReload() throws {
    let rows = try Self.rows()
    for placed in Settings.all {
      let row = try #require(rows.first { $0.keys.contains(placed.key) }, "\(placed.key)")
      let values = Self.bare(row.values)
      switch placed.setting.kind {
      case .integer(let range, _):
        #expect(values.contains("\(range.lowerBound) to \(range.upperBound)"), "\(placed.key)")
      case .word(let words), .list(.word(let words), _):
        #expect(words.allSatisfy { row.values.contains("`\($0)`") }, "\(placed.key)")
      default: break
      }
      if placed.setting.isRequired {
        #expect(row.standard.hasPrefix("required"), "\(placed.key)")
      } else {
        #expect(Self.bare(row.standard) == Self.bare(placed.setting.usual), "\(placed.key)")
      }
      #expect(Self.reload(of: placed).contains { row.reload.hasPrefix($0) }, "\(placed.key)")
      #expect(row.reload.isEmpty == Self.reload(of: placed).contains(""), "\(placed.key)")
    }
  }

  @Test(arguments: ["HTTPInterface", "Operations", "Proxies", "SharedAccounts"])
  func everyKeyInAnArticleIsDeclared(name: String) throws {
    let declared = Set(Settings.all.map(\.key))
    let sections = Set(declared.map { $0.prefix { $0.isLetter || $0.isNumber } }).subtracting([""])
    let quoted = try Self.article(name).split(separator: "`").filter {
      $0.allSatisfy { $0.isLetter || ".[]".contains($0) }
    }
    let keys = quoted.filter { $0.contains(".") && sections.contains($0.prefix { $0.isLetter }) }
    #expect(!keys.isEmpty)
    for key in keys { #expect(declared.contains(String(key)), "\(key)") }
  }

  /// How the cell begins.
  private static func reload(of placed: PlacedSetting) -> [String] {
    if placed.needsRestart { return ["no"] }
    if placed.setting.members.contains(where: { $0.reload == .needsRestart }) { return [""] }
    if case .takenWithin = placed.setting.reload { return ["yes, "] }
    return ["yes"]
  }

  /// Without what sets code off and groups digits.
  private static func bare(_ text: String) -> String { text.filter { !"`\",".contains($0) } }
}
