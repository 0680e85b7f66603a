import Testing

@testable import MediaToken

/// A document has two locks. Each is tried with the other one open.
@Suite("Resources that are documents: the two locks")
struct DocumentLockTests {
  /// What only the second lock knows: how many elements there are, attributes, and what prefixes mean.
  private static let onlySecondKnows = [
    "two-channels", "no-channel", "empty-rss", "no-title", "two-titles", "title-after-item-twice",
    "two-item-titles",
    "two-guids", "no-version", "version-1", "version-space", "version-case", "version-twice", "rss-other-attribute",
    "xml-lang", "xml-space", "channel-attribute", "title-attribute", "guid-other-attribute", "permalink-yes",
    "permalink-empty", "permalink-on-title", "rating-other-attribute", "rating-prefixed-scheme",
    "rating-scheme-twice",
    "rating-two-schemes", "rating-undeclared-prefix", "rating-prefix-out-of-scope",
    "rating-other-namespace", "rating-namespace-no-slash", "rating-namespace-case", "rating-namespace-space",
    "rating-namespace-ampersand", "rating-rebound-prefix", "rating-xml-prefix", "rating-xmlns-prefix",
    "default-namespace", "default-namespace-on-title", "prefix-undeclared-again", "xmlns-prefix-declared",
    "xml-prefix-elsewhere", "other-prefix-for-xml", "text-4097", "scheme-4097", "text-4097-in-pieces",
  ]

  /// What only the gate knows: libxml2 allows it, and does not report it.
  private static let onlyGateKnows = [
    "reference-between", "reference-in-item", "nine-attributes", "byte-order-mark", "declaration-latin1",
    "declaration-utf7",
  ]

  private func passing(_ isBroken: (String) -> Bool) -> Set<String> {
    Set(DocumentCase.broken.filter { !isBroken($0.resource) }.map { String($0.name.dropFirst("broken-".count)) })
  }

  @Test func gateAloneRefusesWhatIsNotAboutNumbersAndNamespaces() {
    let passed = passing { text in
      do throws(ResourceDocumentError) {
        _ = try DocumentGate.check(text.utf8Span.span)
        return false
      } catch {
        return true
      }
    }
    #expect(passed == Set(Self.onlySecondKnows), "\(passed.symmetricDifference(Self.onlySecondKnows).sorted())")
  }

  @Test func secondLockAloneRefusesWhatLibxml2Reports() {
    let passed = passing { documentError($0, locks: .secondOnly) != nil }
    #expect(passed == Set(Self.onlyGateKnows), "\(passed.symmetricDifference(Self.onlyGateKnows).sorted())")
  }

  /// libxml2 gets a document in pieces; what is found must not depend on where it is cut.
  @Test(arguments: [1, 2, 3, 7, 100])
  func piecesMakeNoDifference(chunk: Int) throws {
    let texts = Set(DocumentCase.all.map(\.resource)).filter { $0.utf8.count < 4000 || chunk == 100 }
    #expect(texts.count > 200)
    for text in texts {
      for locks in [FieldLocks.both, .secondOnly] {
        let (whole, inPieces) = (found(text, locks, 70_000), found(text, locks, chunk))
        #expect(whole == inPieces, "\(text.prefix(100))")
      }
    }
  }

  private func found(_ text: String, _ locks: FieldLocks, _ chunk: Int) -> Result<
    ResourceDocument, ResourceDocumentError
  > {
    Result { () throws(ResourceDocumentError) in
      try ResourceDocument(parsing: text.utf8Span.span, locks: locks, chunk: chunk)
    }
  }
}
