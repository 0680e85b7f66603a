import Testing

@testable import MediaToken

@Suite("Step 6: binding")
struct BindingTests {
  /// Case 111: an empty expectation is not "any".
  @Test func emptyExpectationMatchesNoToken() throws {
    let genuine = try GenuineToken()
    let verifier = try genuine.verifier()
    func found(_ requestor: ExpectedRequestor, _ resource: ExpectedResource) -> Reason? {
      refusal { () throws(Refusal) in
        try verifier.verify(
          genuine.vector.received.span, requestor: requestor, resource: resource, at: genuine.vector.now)
      }?.reason
    }
    #expect(found(.exactly(""), .anyResource) == .otherRequestor)
    #expect(found(.anyRequestor, .exactly("")) == .otherResource)
    #expect(found(.anyRequestor, .anyResource) == nil)
  }

  /// Case 109, for lists: Swift's own sets would find either spelling.
  @Test func providersCompareByteByByte() {
    let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
    #expect(composed == decomposed)
    let list = MVPDList(allowing: [composed], denying: [decomposed])
    #expect(list.lists(composed) && !list.lists(decomposed))
    #expect(list.denies(decomposed) && !list.denies(composed))
  }

  @Test func emptyProviderIsNeverListed() {
    #expect(!MVPDList(allowing: ["", "A"]).lists(""))
    #expect(!MVPDList(allowing: []).lists("A"))
    #expect(MVPDList.all.lists(""))
  }
}
