import Testing

@testable import MediaToken

/// What follows for claims that joined another claim of their token, from its answer.
@Suite struct AskedIdentitiesTests {
  private typealias Asked = AskedIdentities<Int>

  /// A claim with or without a request that may be repeated.
  private static func claim(_ request: String?, uid: UInt32 = 0) -> UseClaim {
    ReplayMemoryTests.claim(1, request: request, uid: uid)
  }

  /// What follows for each that joins a claim of request `a` (or of none), in order; `asks` for the one that is asked next, and
  /// `waits` for those that have joined that.
  private static func ends(
    asker: String? = "a", _ result: Result<UseOutcome, Fault>, joined: [UseClaim], window: Bool = true,
    isOpen: Bool = true
  ) -> [String] {
    var asked = Asked()
    let begun = ([claim(asker)] + joined).indices.map { index in
      asked.begin(index == 0 ? claim(asker) : joined[index - 1], isRepeatable: window, index - 1)
    }
    #expect(begun == [true] + joined.map { _ in false }, "the first asks, and all others join it")
    let end = asked.end(claim(asker).identity, as: result) { _ in isOpen }
    var said = joined.map { _ in "waits" }
    for (number, outcome) in end?.answers ?? [] { said[number] = "\(outcome)" }
    if let next = end?.next { said[next] = "asks" }
    return said
  }

  private static let joined = [claim(nil), claim("a"), claim("b"), claim("a", uid: 7), claim("b")]

  @Test(
    arguments: [
      (.success(.firstUse), true, ["used", "retry", "used", "used", "used"]),
      (.success(.retry), true, ["used", "retry", "used", "used", "used"]),
      (.success(.firstUse), false, ["used", "used", "used", "used", "used"]),
      // Whether one of the other requests was the first to use it only the nodes know.
      (.success(.alreadyUsed), true, ["used", "used", "asks", "waits", "waits"]),
      (.success(.predatesMemory), true, ["predates", "predates", "predates", "predates", "predates"]),
      (.success(.expired), true, ["expired", "expired", "expired", "expired", "expired"]),
      (.failure(.replayMemoryUnavailable), true, ["asks", "waits", "waits", "waits", "waits"]),
      (.failure(.replayMemoryFull), true, ["asks", "waits", "waits", "waits", "waits"]),
    ] as [(Result<UseOutcome, Fault>, Bool, [String])])
  func `each takes what follows`(_ result: Result<UseOutcome, Fault>, isOpen: Bool, _ expected: [String]) {
    let names: [String: String] = [
      "\(UseOutcome.alreadyUsed)": "used", "\(UseOutcome.retry)": "retry", "\(UseOutcome.expired)": "expired",
      "\(UseOutcome.predatesMemory)": "predates",
    ]
    let said = Self.ends(result, joined: Self.joined, isOpen: isOpen)
    #expect(said.map { names[$0] ?? $0 } == expected)
  }

  @Test func `without a window a request's name means nothing`() {
    let used = "\(UseOutcome.alreadyUsed)"
    for result in [UseOutcome.firstUse, .alreadyUsed] {
      #expect(Self.ends(.success(result), joined: Self.joined, window: false) == Array(repeating: used, count: 5))
    }
  }

  @Test func `a claim without a request is never a repeated one`() {
    let said = Self.ends(asker: nil, .success(.firstUse), joined: [Self.claim(nil)])
    #expect(said == ["\(UseOutcome.alreadyUsed)"])
  }

  @Test(arguments: 2...5)
  func `each that joined is asked in turn after faults, and only one at a time`(count: Int) {
    var asked = Asked()
    let begun = (0..<count).map { asked.begin(Self.claim(nil), isRepeatable: true, $0) }
    #expect(begun == (0..<count).map { $0 == 0 })
    var order: [Int] = []
    while let end = asked.end(
      Self.claim(nil).identity, as: .failure(.replayMemoryUnavailable), isRetry: { _ in true })
    {
      #expect(end.answers.isEmpty)
      guard let next = end.next else { break }
      order.append(next)
    }
    #expect(order == Array(1..<count))
    let asksAgain = asked.begin(Self.claim(nil), isRepeatable: true, 9)
    #expect(asksAgain, "no one asks any more")
  }

  @Test func `who has left is neither asked nor answered`() {
    var asked = Asked()
    let identity = Self.claim(nil).identity
    for number in 0...4 { _ = asked.begin(Self.claim(nil), isRepeatable: false, number) }
    let failed = asked.end(identity, as: .failure(.internalFault), isWaiting: { $0 != 1 }, isRetry: { _ in false })
    #expect(failed?.next == 2)
    let answered = asked.end(identity, as: .success(.firstUse), isWaiting: { $0 != 3 }, isRetry: { _ in false })
    #expect(answered?.answers.map(\.waiter) == [4])
    let asksAgain = asked.begin(Self.claim(nil), isRepeatable: false, 5)
    #expect(asksAgain)
  }
}
