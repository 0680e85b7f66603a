import BenchmarkTokens
import MediaToken

/// Step 7: spends, as the verifier does, through the protocol.
func contendUse() throws {
  let memory: any ReplayMemory = try halfFullTable()
  let now = Instant(millisecondsSinceEpoch: milliseconds())
  var rounds = Rounds()
  while let count = rounds.next() {
    let claims = (0..<count).map { _ in randomClaim(at: now) }
    rounds.begin()
    for claim in claims {
      guard try memory.spend(claim) == .firstUse else { fail("expected a first use") }
    }
    rounds.end()
  }
}
