import Testing

@testable import MediaToken

/// What decides who may watch is compared by UTF-8 bytes. Swift's `String ==`, sets and dictionaries are about characters.
@Suite("Names are compared by bytes")
struct ExactTextTests {
  /// Texts that `String ==` takes for each other.
  static let pairs = [("Caf\u{E9}", "Cafe\u{301}"), ("TO\u{212A}EN", "TOKEN"), ("\u{1100}\u{1161}", "\u{AC00}")]

  @Test(arguments: pairs)
  func textsThatLookAlikeDiffer(_ one: String, _ other: String) {
    #expect(one == other && Set([one, other]).count == 1, "or this test shows nothing")
    func areDistinct<Value: Hashable>(_ make: (String) -> Value) -> Bool {
      make(one) == make(one) && make(one) != make(other) && Set([make(one), make(one), make(other)]).count == 2
    }
    #expect(areDistinct { ExactText($0) })
    #expect(areDistinct { ExpectedRequestor.exactly($0) })
    #expect(areDistinct { ExpectedResource.exactly($0) })
    #expect(areDistinct { UseRequest(id: $0, callerUID: 7) })
    #expect(areDistinct { MVPDList(allowing: [ExactText($0)]) })
    #expect(areDistinct { MVPDList(allowing: nil, denying: [ExactText($0)]) })
  }

  /// A hash of a text does not depend on how it is stored.
  @Test func textsOfTheSameBytesAreEqual() {
    let long = String(repeating: "é", count: 100)
    #expect(ExactText(long) == ExactText(String(decoding: Array(long.utf8), as: UTF8.self)))
    #expect(ExactText(String(long.dropFirst(99))) == "é")
    #expect(Set<ExactText>(["é", ExactText(String(long.dropFirst(99)))]).count == 1)
  }
}
