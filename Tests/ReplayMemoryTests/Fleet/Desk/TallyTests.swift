import Testing

@testable import MediaToken

/// What a node says, as a letter: `n`ew, `o`urs, o`x`ther, `f`orgotten, `a`head, and `.` for nothing.
func answer(_ letter: Character, ours: Ballot) -> NodeAnswer? {
  switch letter {
  case "n": .new
  case "o": .present(ours)
  case "x": .present(Ballot(Ballot.ID(99, 99), second: ours.second))
  case "f": .forgotten
  case "a": .ahead
  default: nil
  }
}

/// Everything that so many nodes can say, a letter for each in order.
func rows(_ letters: String, nodes: Int) -> [[Character]] {
  nodes == 0 ? [[]] : rows(letters, nodes: nodes - 1).flatMap { row in letters.map { row + [$0] } }
}

@Suite struct TallyTests {
  static let ballot = Ballot(Ballot.ID(1, 2), second: 1000)
  static let now = Instant(millisecondsSinceEpoch: 1_000_000)

  private static func decision(_ row: Substring, window: Int64? = nil, at now: Instant = now) -> UseOutcome? {
    var tally = Tally(nodes: row.count, ballot: ballot, retryWindowMilliseconds: window)
    for (index, letter) in row.enumerated() {
      if let answer = answer(letter, ours: ballot) { tally.count(answer, from: index + 1) }
    }
    return tally.decision(at: now)
  }

  /// What is said, and the decision about a ballot of chance and about a request's: `F`irst use, `R`etry, `U`sed, `P`redates.
  /// A ballot of ours is a vote, as only this claim has it, but a request's ballot that is there already does not count for a first use.
  /// Refusals come only when no majority can come any more; one other is enough to say that it was used, else it may never
  /// have been; ahead is neither.
  @Test(
    arguments: """
      n FF, o FR, x UU, f PP, a --, . --, nn. FF, .nn FF, no. FR, oo. FR, n.. --, o.. --, nnx FF, nnf FF, nno FF, noo FR,
      nn.. --, nnn. FF, nnxx UU, nnff PP, nnoo FR, nnno FF, nn... --, nnn.. FF, nnnxx FF, nnooo FR, oo... --, ooo.. FR,
      nnn... --, nnnn.. FF, nnnxxx UU, nooo.. FR, nnn.... --, nnnn... FF, nnnnxxx FF, oooo... FR, nnn.o.. FR,
      x.. --, xx. UU, nxx UU, nx. --, ox. --, oxx UU, x... --, xx.. UU, xx... --, xxx.. UU, xx.... --, xxx... UU,
      xxx.... --, xxxx... UU, xf. UU, ff. PP, f.. --, nff PP, off PP, oof FR, nxf UU, fffx UU, ff.. PP, ff... --,
      aaa --, naa --, nna FF, xaa --, xxa UU, ffa PP, aan --
      """.split(separator: /,\s/)) func `each row has its decision`(row: Substring)
  {
    let decisions: [Character: UseOutcome] = ["F": .firstUse, "R": .retry, "U": .alreadyUsed, "P": .predatesMemory]
    let (said, expected) = (row.prefix { $0 != " " }, row.suffix(2))
    #expect([nil, 2000].map { Self.decision(said, window: $0) } == expected.map { decisions[$0] })
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

  /// Everything that up to five nodes can say, in every order, and each prefix of it.
  @Test(arguments: 1...5, [nil, 2000] as [Int64?])
  func `every row is decided as the rules say, and stays so`(nodes: Int, window: Int64?) {
    for row in rows("noxfa.", nodes: nodes) {
      var tally = Tally(nodes: nodes, ballot: Self.ballot, retryWindowMilliseconds: window)
      var counts: [Character: Int] = [:]
      var before = UseOutcome?.none
      for (index, letter) in row.enumerated() {
        counts[letter, default: 0] += 1
        if let answer = answer(letter, ours: Self.ballot) { tally.count(answer, from: index + 1) }
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

  @Test(arguments: [1, 3, 4, 5, 6, 7]) func `two ballots never both have the votes`(nodes: Int) {
    // Every node gives its vote to one of two claims, or to neither.
    for row in rows("01.", nodes: nodes) {
      var tallies = [Ballot.ID(1, 1), Ballot.ID(2, 2)].map { Tally(nodes: nodes, ballot: Ballot($0, second: 1)) }
      for (index, letter) in row.enumerated() {
        guard let winner = letter.wholeNumberValue else { continue }
        tallies[winner].count(.new, from: index + 1)
        tallies[1 - winner].count(.present(tallies[winner].ballot), from: index + 1)
      }
      #expect(tallies.filter { $0.decision(at: Self.now) == .firstUse }.count <= 1)
    }
  }
}
