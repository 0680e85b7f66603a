import Foundation
import Testing

@testable import MediaTokenService

/// Articles name no setting that is not declared.
@Suite struct SettingsArticleTests {
  static func article(_ name: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let article = root.appending(path: "Sources/MediaTokenService/MediaTokenService.docc/\(name).md")
    return try String(contentsOf: article, encoding: .utf8)
  }

  @Test(arguments: ["HTTPInterface", "Operations", "SetUp", "Runbooks", "Proxies", "SharedAccounts"])
  func everyKeyInAnArticleIsDeclared(name: String) throws {
    let declared = Set(ConfigurationFile.settings.map(\.key))
    let sections = Set(declared.map { $0.prefix { $0.isLetter || $0.isNumber } }).subtracting([""])
    let quoted = try Self.article(name).split(separator: "`").filter {
      $0.allSatisfy { $0.isLetter || ".[]".contains($0) }
    }
    let keys = quoted.filter { $0.contains(".") && sections.contains($0.prefix { $0.isLetter }) }
    #expect(!keys.isEmpty)
    for key in keys { #expect(declared.contains(String(key)), "\(key)") }
  }
}
