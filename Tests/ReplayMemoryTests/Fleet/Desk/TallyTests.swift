import Testing

@testable import MediaToken

/// What the nodes of a row say, a letter for each in order: `n`ew, `o`urs, o`x`ther, `f`orgotten, `a`head, and `.` for
/// nothing.
struct TallyRow: Sendable, CustomTestStringConvertible {
  let said: String
  let decision: UseOutcome?

  init(_ said: String, _ decision: UseOutcome?) { (self.said, self.decision) = (said, decision) }

  var testDescription: String { "\(said) → \(decision.map { "\($0)" } ?? "undecided")" }

  static func answer(_ letter: Character, ours: Ballot, standingSince second: UInt32? = nil) -> NodeAnswer? {
    switch letter {
    case "n": .new
    case "o": .present(Ballot(ours.id, second: second ?? ours.second))
    case "x": .present(Ballot(Ballot.ID(99, 99), second: ours.second))
    case "f": .forgotten
    case "a": .ahead
    default: nil
    }
  }
}

@Suite struct TallyTests {
  static let ballot = Ballot(Ballot.ID(1, 2), second: 1000)
  static let now = Instant(millisecondsSinceEpoch: 1_000_000)

  private static func decision(_ row: String, window: Int64? = nil, at now: Instant = now) -> UseOutcome? {
    var tally = Tally(nodes: row.count, ballot: ballot, retryWindowMilliseconds: window)
    for (index, letter) in row.enumerated() {
      if let answer = TallyRow.answer(letter, ours: ballot) { tally.count(answer, from: index + 1) }
    }
    return tally.decision(at: now)
  }

  @Test(arguments: [
    // One node is its own majority.
    TallyRow("n", .firstUse), TallyRow("o", .firstUse), TallyRow("x", .alreadyUsed), TallyRow("f", .predatesMemory),
    TallyRow("a", nil), TallyRow(".", nil),
    // Votes: more than half, whichever nodes give them; ours is one, as only this claim has its ballot.
    TallyRow("nn.", .firstUse), TallyRow(".nn", .firstUse), TallyRow("no.", .firstUse), TallyRow("oo.", .firstUse),
    TallyRow("n..", nil), TallyRow("nnx", .firstUse), TallyRow("nnf", .firstUse),
    TallyRow("nn..", nil), TallyRow("nnn.", .firstUse), TallyRow("nnxx", .alreadyUsed),
    TallyRow("nnff", .predatesMemory),
    TallyRow("nn...", nil), TallyRow("nnn..", .firstUse), TallyRow("nnnxx", .firstUse),
    TallyRow("nnn...", nil), TallyRow("nnnn..", .firstUse), TallyRow("nnnxxx", .alreadyUsed),
    TallyRow("nnn....", nil), TallyRow("nnnn...", .firstUse), TallyRow("nnnnxxx", .firstUse),
    // Refusals: only when no majority can come any more.
    TallyRow("x..", nil), TallyRow("xx.", .alreadyUsed), TallyRow("nxx", .alreadyUsed), TallyRow("nx.", nil),
    TallyRow("x...", nil), TallyRow("xx..", .alreadyUsed), TallyRow("xx...", nil), TallyRow("xxx..", .alreadyUsed),
    TallyRow("xx....", nil), TallyRow("xxx...", .alreadyUsed), TallyRow("xxx....", nil),
    TallyRow("xxxx...", .alreadyUsed),
    // One other is enough to say that it was used; else it may never have been.
    TallyRow("xf.", .alreadyUsed), TallyRow("ff.", .predatesMemory), TallyRow("f..", nil),
    TallyRow("nff", .predatesMemory),
    TallyRow("nxf", .alreadyUsed), TallyRow("fffx", .alreadyUsed), TallyRow("ff..", .predatesMemory),
    TallyRow("ff...", nil),
    // Ahead is neither.
    TallyRow("aaa", nil), TallyRow("naa", nil), TallyRow("nna", .firstUse),
    TallyRow("xaa", nil),
    TallyRow("xxa", .alreadyUsed), TallyRow("ffa", .predatesMemory), TallyRow("aan", nil),
  ])
  func `a ballot of chance`(row: TallyRow) {
    #expect(Self.decision(row.said) == row.decision)
  }

  @Test(arguments: [
    TallyRow("nn.", .firstUse), TallyRow("n..", nil), TallyRow("no.", .retry), TallyRow("oo.", .retry),
    TallyRow("o..", nil), TallyRow("nno", .firstUse), TallyRow("noo", .retry), TallyRow("xx.", .alreadyUsed),
    TallyRow("ox.", nil), TallyRow("oxx", .alreadyUsed), TallyRow("oof", .retry), TallyRow("off", .predatesMemory),
    TallyRow("o", .retry), TallyRow("n", .firstUse), TallyRow("nnoo", .retry), TallyRow("nnno", .firstUse),
    TallyRow("nnooo", .retry), TallyRow("oo...", nil), TallyRow("ooo..", .retry),
    TallyRow("oooo...", .retry),
    TallyRow("nnn.o..", .retry), TallyRow("nooo..", .retry),
  ])
  func `a request's ballot that is there already is not a vote for a first use`(row: TallyRow) {
    #expect(Self.decision(row.said, window: 2000) == row.decision)
  }

  @Test(arguments: [(1_000_000, true), (1_001_999, true), (1_002_000, false), (1_003_000, false), (999_000, true)])
  func `a retry is one until its window ends, and used from then on`(now: Int64, isRetry: Bool) {
    let decision = Self.decision("oo.", window: 2000, at: Instant(millisecondsSinceEpoch: now))
    #expect(decision == (isRetry ? .retry : .alreadyUsed))
  }

  @Test func `the window begins with the earliest of the ballots`() {
    for order in [[998, 1000], [1000, 998]] as [[UInt32]] {
      var tally = Tally(nodes: 3, ballot: Self.ballot, retryWindowMilliseconds: 2000)
      for (index, second) in order.enumerated() {
        tally.count(.present(Ballot(Self.ballot.id, second: second)), from: index + 1)
      }
      #expect(tally.decision(at: Instant(millisecondsSinceEpoch: 999_999)) == .retry)
      #expect(tally.decision(at: Instant(millisecondsSinceEpoch: 1_000_000)) == .alreadyUsed)
    }
  }

  @Test func `a node counts once, with the first thing that it says`() {
    var tally = Tally(nodes: 3, ballot: Self.ballot)
    for _ in 0..<3 { tally.count(.new, from: 1) }
    tally.count(.forgotten, from: 1)
    #expect(tally.decision(at: Self.now) == nil)
    tally.count(.forgotten, from: 2)
    tally.count(.new, from: 2)
    #expect(tally.decision(at: Self.now) == nil)
    tally.count(.new, from: 3)
    #expect(tally.decision(at: Self.now) == .firstUse)
  }

  @Test func `a node that said ahead may vote when it is asked again`() {
    var tally = Tally(nodes: 1, ballot: Self.ballot)
    tally.count(.ahead, from: 1)
    #expect(tally.decision(at: Self.now) == nil)
    tally.count(.new, from: 1)
    #expect(tally.decision(at: Self.now) == .firstUse)
  }

  /// Everything that up to five nodes can say, in every order: 6⁵ rows, and each prefix of them.
  @Test(arguments: 1...5, [nil, 2000] as [Int64?])
  func `every row is decided as the rules say, and stays so`(nodes: Int, window: Int64?) {
    for number in 0..<Self.power(6, nodes) {
      var tally = Tally(nodes: nodes, ballot: Self.ballot, retryWindowMilliseconds: window)
      var counts: [Character: Int] = [:]
      var before = UseOutcome?.none
      var rest = number
      for node in 1...nodes {
        let letter = Array("noxfa.")[rest % 6]
        rest /= 6
        counts[letter, default: 0] += 1
        if let answer = TallyRow.answer(letter, ours: Self.ballot) { tally.count(answer, from: node) }
        let decision = tally.decision(at: Self.now)
        #expect(decision == Self.rule(counts, nodes: nodes, isRequest: window != nil))
        #expect(Self.mayFollow(before, decision, isRequest: window != nil))
        before = decision
      }
    }
  }

  /// The rules of step 4 once more, by what could still come.
  private static func rule(_ counts: [Character: Int], nodes: Int, isRequest: Bool) -> UseOutcome? {
    func count(_ letters: String) -> Int { letters.reduce(0) { $0 + (counts[$1] ?? 0) } }
    let votes = isRequest ? count("n") : count("no")
    if 2 * votes > nodes { return .firstUse }
    if 2 * count("no") > nodes { return .retry }
    // If all who said nothing against it were to vote.
    if 2 * (nodes - count("xf")) > nodes { return nil }
    return count("x") > 0 ? .alreadyUsed : .predatesMemory
  }

  /// Whether one more answer may lead from one decision to another.
  private static func mayFollow(_ one: UseOutcome?, _ next: UseOutcome?, isRequest: Bool) -> Bool {
    switch one {
    case nil: true
    case .granted(.first), .alreadyUsed: next == one
    case .granted(.retry): next == .retry || next == .firstUse && isRequest
    case .predatesMemory: next == .predatesMemory || next == .alreadyUsed
    default: false
    }
  }

  private static func power(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { power, _ in power * base }
  }

  @Test func `two ballots never both have the votes`() {
    // Every node gives its vote to one of two claims, or to neither.
    for nodes in [1, 3, 4, 5, 6, 7] {
      for number in 0..<Self.power(3, nodes) {
        let ids = [Ballot.ID(1, 1), Ballot.ID(2, 2)]
        var tallies = ids.map { Tally(nodes: nodes, ballot: Ballot($0, second: 1)) }
        var rest = number
        for node in 1...nodes {
          let winner = rest % 3
          rest /= 3
          guard winner < 2 else { continue }
          tallies[winner].count(.new, from: node)
          tallies[1 - winner].count(.present(tallies[winner].ballot), from: node)
        }
        #expect(tallies.filter { $0.decision(at: Self.now) == .firstUse }.count <= 1)
      }
    }
  }
}
