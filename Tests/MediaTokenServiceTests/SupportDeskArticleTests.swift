import Foundation
import MediaToken
import Testing

/// The table of sentences in the article SupportDesk is the code's.
@Suite struct SupportDeskArticleTests {
  @Test func everySentenceIsTheCodes() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    let article = root.appending(path: "Sources/MediaTokenService/MediaTokenService.docc/SupportDesk.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let table = try #require(text.components(separatedBy: "## What to tell the viewer\n").last)
    var byReason: [String: String] = [:]
    var byAction: [String: String] = [:]
    var ofValid: String?
    for line in table.split(separator: "\n") where line.hasPrefix("| ") && !line.hasPrefix("| After") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let names = cells[0].split(separator: "`").enumerated().filter {
        $0.offset % 2 == (cells[0].hasPrefix("`") ? 0 : 1)
      }
      for (_, name) in names {
        if cells[0].hasPrefix("another") {
          byAction[String(name)] = cells[1]
        } else {
          byReason[String(name)] = cells[1]
        }
      }
      if names.isEmpty { ofValid = cells[1] }
    }
    #expect(ofValid == Action.nothing.viewerSentence)
    #expect(byAction.count == 3 && byReason.count == 9)
    for reason in Reason.allCases {
      #expect(reason.viewerSentence == byReason[reason.rawValue] ?? byAction[reason.action.rawValue], "\(reason)")
    }
    for name in byReason.keys { #expect(Reason(rawValue: name) != nil, "\(name)") }
  }
}
