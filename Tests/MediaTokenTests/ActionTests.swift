import Foundation
import Testing

@testable import MediaToken

/// What comes next after a refusal is an interface, and the article Actions says it.
@Suite("Actions")
struct ActionTests {
  /// The rules, copied and not derived.
  private static let newToken =
    "empty too-long unknown-form broken-percent-escape base64-character base64-alphabets base64-padding "
    + "base64-trailing-bits decoded-unknown-form signature-missing signature-not-base64 second-marker "
    + "signed-bytes-missing expired expired-for-replay-memory predates-replay-memory already-used other-resource "
    + "resource-not-a-document"
  private static let retry = "issued-in-future"

  @Test func theListIsClosed() {
    #expect(Action.allCases.map(\.rawValue) == ["none", "new-token", "retry", "report"])
  }

  @Test func reasonsHaveTheActionsOfTheSpecification() {
    let newToken = Set(Self.newToken.split(separator: " ").map(String.init))
    let retry = Set(Self.retry.split(separator: " ").map(String.init))
    #expect(newToken.union(retry).isSubset(of: Reason.allCases.map(\.rawValue)))
    for reason in Reason.allCases {
      let expected: Action =
        newToken.contains(reason.rawValue) ? .newToken : retry.contains(reason.rawValue) ? .retry : .report
      #expect(reason.action == expected, "\(reason)")
    }
    for fault in Fault.allCases { #expect(Refusal.undecided(fault).action == .retry) }
  }

  @Test func theArticlesTableIsTheCodes() throws {
    let rows = try Self.rows(after: "| Reasons | Verdict | Action | Adobe's code |").flatMap { row in
      row[0].components(separatedBy: "`, `").map { [$0] + row.dropFirst() }
    }
    let expected = Reason.allCases.map { reason in
      let answer = reason.verdict.answer
      return [reason.rawValue, answer.wireName, reason.action.rawValue, answer.adobeCode.rawValue]
    }
    #expect(rows == expected)
  }

  @Test func everyActionHasASentenceForViewersButTheOneThatPlays() throws {
    let rows = try Self.rows(after: "| Action | What the player does next | What it may show to the viewer |")
    #expect(rows.map { $0[0] } == Action.allCases.map(\.rawValue) && rows.allSatisfy { !$0[1].isEmpty })
    #expect(rows.map { $0[2] } == Action.allCases.map { $0 == .nothing ? "" : $0.viewerSentence })
  }

  /// The rows of the article's table with this head, without marks for code.
  private static func rows(after head: String) throws -> [[String]] {
    let article = URL(filePath: #filePath).appending(
      path: "../../../Sources/MediaToken/MediaToken.docc/Actions.md")
    let text = try String(contentsOf: article.standardizedFileURL, encoding: .utf8)
    let table = try #require(text.components(separatedBy: head + "\n").dropFirst().first)
    return table.components(separatedBy: "\n").dropFirst().prefix { $0.hasPrefix("|") }.map { line in
      line.components(separatedBy: "|").dropFirst().dropLast().map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
      }
    }
  }
}
