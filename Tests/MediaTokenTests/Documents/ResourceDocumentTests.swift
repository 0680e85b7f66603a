import Testing

@testable import MediaToken

@Suite("Resources that are documents")
struct ResourceDocumentTests {
  private static let short = #"<rss version="2.0"><channel><title>TNT</title></channel></rss>"#

  @Test func everyCaseOfTheModelAgrees() throws {
    #expect(DocumentCase.all.count >= 330)
    for row in DocumentCase.all {
      let expected = try row.expectation()
      let found = refusal { () throws(Refusal) in try expected.check(ExactText(row.resource)) }
      #expect(found?.reason?.rawValue == row.reason, "\(row.name): \(found as Any)")
      #expect(try expected.matches(ExactText(row.resource)) == (row.reason == nil), "\(row.name)")
    }
  }

  /// What is broken as a token's resource can't be expected either.
  @Test func brokenDocumentsCannotBeExpected() {
    #expect(DocumentCase.broken.count > 140)
    for row in DocumentCase.broken { #expect(documentError(row.resource) != nil, "\(row.name)") }
    #expect(documentError("TNT") == .plainText)
    #expect(documentError("") == .plainText)
  }

  @Test func everyErrorIsProvoked() {
    var found = Set(DocumentCase.broken.compactMap { documentError($0.resource) })
    found.insert(documentError("TNT") ?? .outOfMemory)
    found.insert(
      documentError(Self.short + String(repeating: " ", count: 65_537 - Self.short.utf8.count)) ?? .outOfMemory)
    do throws(ResourceDocumentError) {
      _ = try ResourceDocument(parsing: Self.holding([0xFF]).span)
    } catch {
      found.insert(error)
    }
    for id in ["", "<rss/>", " \u{FEFF}<"] {
      do throws(ResourceDocumentError) { _ = try ChannelID(id) } catch { found.insert(error) }
    }
    // Tests can't take libxml2's memory away; a scenario does.
    #expect(Set(ResourceDocumentError.allCases).subtracting(found) == [.outOfMemory])
    #expect(Set(ResourceDocumentError.allCases.map(\.description)).count == ResourceDocumentError.allCases.count)
  }

  @Test func lengthHasALimit() {
    let room = 65_536 - Self.short.utf8.count
    #expect(documentError(Self.short + String(repeating: " ", count: room - 1)) == nil)
    #expect(documentError(Self.short + String(repeating: " ", count: room)) == nil)
    #expect(documentError(Self.short + String(repeating: " ", count: room + 1)) == .tooLong)
  }

  @Test func bytesThatAreNotUTF8AreRefused() {
    for bad: [UInt8] in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] {
      #expect(throws: ResourceDocumentError.notUTF8) { try ResourceDocument(parsing: Self.holding(bad).span) }
    }
    #expect(throws: Never.self) { try ResourceDocument(parsing: Self.holding([0xC3, 0xA9]).span) }
  }

  /// A document whose title has these bytes.
  private static func holding(_ bytes: [UInt8]) -> [UInt8] {
    Array("<rss version=\"2.0\"><channel><title>".utf8) + bytes + Array("</title></channel></rss>".utf8)
  }

  @Test func differencesNameElementsAndNoValues() throws {
    func document(_ items: String, title: String = "P", ratings: String = "") -> String {
      "<rss version='2.0' xmlns:m='http://search.yahoo.com/mrss/'><channel><title>\(title)</title>\(ratings)\(items)</channel></rss>"
    }
    let one = document("<item><title>T</title><guid>G</guid><m:rating scheme='s'>r</m:rating></item>")
    let rows: [(String, DocumentParts)] = [
      (document("", title: "P"), [.itemCount, .itemTitles, .itemGUIDs, .itemRatings]),
      (document("<item><title>secret</title><guid>G</guid><m:rating scheme='s'>r</m:rating></item>"), .itemTitles),
      (
        document("<item><title>T</title><guid isPermaLink='true'>G</guid><m:rating scheme='s'>r</m:rating></item>"),
        .itemGUIDs
      ),
      (document("<item><title>T</title><guid>G</guid><m:rating>r</m:rating></item>"), .itemRatings),
      (
        document("<item><title>T</title><guid>G</guid></item>", ratings: "<m:rating scheme='s'>r</m:rating>"),
        [.channelRatings, .itemRatings]
      ),
      (
        document("<item><title>T</title><guid>G</guid><m:rating scheme='s'>r</m:rating></item>", title: "secret"),
        .channelTitle
      ),
    ]
    let expected = try ResourceDocument(one)
    for (other, parts) in rows {
      guard
        case .rejected(let rejection)? = refusal({ () throws(Refusal) in
          try expected.check(ExactText(other))
        })
      else {
        Issue.record("not refused: \(other)")
        continue
      }
      #expect(rejection.reason == .otherResource && rejection.finding == .difference(parts))
      #expect(!rejection.detail.contains("secret") && parts.names.allSatisfy { rejection.detail.contains($0) })
    }
    let (first, second) = (
      document("<item><title>a</title><guid>1</guid></item><item><title>b</title><guid>2</guid></item>"),
      document("<item><title>a</title><guid>2</guid></item><item><title>b</title><guid>1</guid></item>")
    )
    #expect(try ResourceDocument(first).differences(from: ResourceDocument(second)) == .grouping)
    #expect(try ResourceDocument(first).differences(from: ResourceDocument(first)) == [])
  }

  /// A fixed resource admits a question only if every token that answers the question would do for both.
  @Test func whatIsFixedAdmitsTheSameAndTheNarrower() throws {
    let tall = Self.short.replacing("><", with: ">\n<")
    let document = try ExpectedResource.sameDocument(as: Self.short)
    let other = try ExpectedResource.sameDocument(as: Self.short.replacing("TNT", with: "HBO"))
    let channel = try ExpectedResource.channel("TNT")
    let hbo = try ExpectedResource.channel("HBO")
    let all: [ExpectedResource] = [
      .exactly("TNT"), .exactly(tall), document, other, channel, hbo, .anyResource, .noMatch,
    ]
    func admitted(by fixed: ExpectedResource) throws -> [ExpectedResource] {
      try all.filter { try fixed.admits($0) }
    }
    #expect(try admitted(by: .exactly("TNT")) == [.exactly("TNT"), .noMatch])
    #expect(try admitted(by: document) == [.exactly(tall), document, .noMatch])
    #expect(try admitted(by: channel) == [.exactly("TNT"), .exactly(tall), document, channel, .noMatch])
    #expect(try admitted(by: hbo) == [other, hbo, .noMatch])
    #expect(try admitted(by: .anyResource) == all)
    #expect(try admitted(by: .noMatch) == [.noMatch])
  }
}
