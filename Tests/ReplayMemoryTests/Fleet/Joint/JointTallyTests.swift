import Testing

@testable import MediaToken

/// What the old fleet says, what the new one says then, and what follows for a token that was issued before `until`, and for
/// a later one. Fleets say `1` (first use), `r`etry, `u`sed, `p`redates, `e`xpired, `?` (a fault), and the old one `R` (it is
/// retired); the new one is not asked where nothing is said.
private struct JointRow: Sendable, CustomTestStringConvertible {
  let said: String
  let (before, after): (Character, Character)

  init(_ said: String, _ before: Character, _ after: Character? = nil) {
    (self.said, self.before, self.after) = (said, before, after ?? before)
  }

  var testDescription: String { "\(said) → \(before)\(after)" }

  static func result(_ letter: Character) -> Result<UseOutcome, Fault> {
    switch letter {
    case "1": .success(.firstUse)
    case "r": .success(.retry)
    case "u": .success(.alreadyUsed)
    case "p": .success(.predatesMemory)
    case "e": .success(.expired)
    default: .failure(.replayMemoryUnavailable)
    }
  }
}

@Suite struct JointTallyTests {
  private static let until: Int64 = 1000

  /// Nil if the new fleet is to be asked and says nothing.
  private static func outcome(_ said: String, issued second: Int64) -> Result<UseOutcome, Fault>? {
    var tally = JointTally(issueTime: Instant(millisecondsSinceEpoch: second * 1000 + 999), until: until)
    #expect(tally.asks == .from)
    for (place, letter) in said.enumerated() {
      if letter == "R" {
        tally.retire()
        continue
      }
      #expect(tally.asks == (place == 0 ? .from : .to))
      if let outcome = tally.count(JointRow.result(letter)) { return outcome }
      #expect(tally.asks == .to)
    }
    return nil
  }

  @Test(arguments: [
    // A refusal and a fault of the old fleet are the outcome, and the new one is not asked.
    JointRow("u", "u"), JointRow("p", "p"), JointRow("e", "e"), JointRow("?", "?"),
    // Both must grant.
    JointRow("11", "1"), JointRow("1u", "u"), JointRow("1e", "e"), JointRow("1?", "?"),
    // What the new one cannot know is granted if it was issued before; a later one may have been granted and forgotten.
    JointRow("1p", "1", "p"), JointRow("rp", "r", "p"),
    // A retry of either is a retry.
    JointRow("1r", "r"), JointRow("r1", "r"), JointRow("rr", "r"), JointRow("ru", "u"), JointRow("r?", "?"),
    // The new one alone, which may have lost what it granted.
    JointRow("R1", "1"), JointRow("Rr", "r"), JointRow("Ru", "u"), JointRow("Rp", "p"), JointRow("R?", "?"),
    // Only one that has granted nothing is ever passed over.
    JointRow("1Rp", "1", "p"), JointRow("rR1", "r"),
  ]) private func follows(_ row: JointRow) {
    #expect(Self.outcome(row.said, issued: Self.until - 1) == JointRow.result(row.before))
    #expect(Self.outcome(row.said, issued: Self.until) == JointRow.result(row.after))
  }

  @Test(arguments: ["1", "r"]) func asksTheNewFleet(_ said: String) {
    #expect(Self.outcome(said, issued: Self.until) == nil)
  }
}
