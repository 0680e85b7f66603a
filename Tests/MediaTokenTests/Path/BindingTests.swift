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

  /// What a caller does not serve is not an empty text: nothing matches it, and nothing is spent.
  @Test func noMatchMatchesNoTokenAndSpendsNone() throws {
    let genuine = try GenuineToken()
    let verifier = try genuine.verifier(replayMemory: FailingMemory())
    func found(_ requestor: ExpectedRequestor, _ resource: ExpectedResource) -> Refusal? {
      refusal { () throws(Refusal) in
        try verifier.verify(
          genuine.vector.received.span, requestor: requestor, resource: resource, at: genuine.vector.now)
      }
    }
    #expect(found(.noMatch, .anyResource)?.reason == .unservedRequestor)
    #expect(found(.noMatch, .noMatch)?.reason == .unservedRequestor)
    #expect(found(.anyRequestor, .noMatch)?.reason == .otherResource)
    #expect(found(.anyRequestor, .anyResource) == .undecided(.internalFault), "a memory that was asked says so")
    #expect(Set([ExpectedRequestor.noMatch, .anyRequestor, .exactly("")]).count == 3)
    #expect(Set([ExpectedResource.noMatch, .anyResource, .exactly("")]).count == 3)
  }

  /// A memory whose answer shows that it was asked.
  private struct FailingMemory: Store {
    func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome { throw .internalFault }
  }

  /// Case 109, for lists: Swift's own sets would find either spelling.
  @Test func providersCompareByteByByte() {
    let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
    #expect(composed == decomposed)
    let list = MVPDList(allowing: [ExactText(composed)], denying: [ExactText(decomposed)])
    #expect(list.lists(ExactText(composed)) && !list.lists(ExactText(decomposed)))
    #expect(list.denies(ExactText(decomposed)) && !list.denies(ExactText(composed)))
  }

  @Test func emptyProviderIsNeverListed() {
    #expect(!MVPDList(allowing: ["", "A"]).lists(""))
    #expect(!MVPDList(allowing: []).lists("A"))
    #expect(MVPDList.all.lists(""))
    let denying = MVPDList(allowing: nil, denying: ["", "A"])
    #expect(denying.denies("A") && !denying.denies(""))
  }

  @Test func proxiesHaveAListOfTheirOwn() {
    let list = MVPDList(allowing: ["A"], allowingProxies: ["", "P"])
    #expect(list.lists("A") && !list.lists("P"))
    #expect(list.listsProxy("P") && !list.listsProxy("A") && !list.listsProxy("") && !list.listsProxy(nil))
    #expect(MVPDList.all.listsProxy(nil) && MVPDList(allowing: []).listsProxy("P"))
    #expect(!MVPDList(allowing: nil, allowingProxies: []).listsProxy("P"))
    #expect(!MVPDList(allowing: nil, allowingProxies: ["P"]).admitsAll && MVPDList.all.admitsAll)
    #expect(MVPDList(allowing: nil, allowingProxies: ["P", ""], denying: ["P"]).admitsNone && !list.admitsNone)
  }
}
