import BenchmarkTokens
import MediaToken

/// Step 7: prepares and spends, as the verifier does, through the protocol.
///
/// The verifier prepares before RSA, which gives the memory time to fetch what it will look at; here others' spends do.
func contendUse() throws {
  let memory: any ReplayMemory = try halfFullTable()
  let now = Instant(millisecondsSinceEpoch: milliseconds())
  let ahead = 16
  var rounds = Rounds()
  while let count = rounds.next() {
    let claims = (0..<count).map { _ in randomClaim(at: now) }
    rounds.begin()
    for index in claims.indices {
      if index + ahead < count { memory.prepare(for: claims[index + ahead].identity) }
      guard try memory.spend(claims[index]) == .firstUse else { fail("expected a first use") }
    }
    rounds.end()
  }
}
