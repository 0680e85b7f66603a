import BenchmarkTokens
import CFloor
import Glibc
import MediaToken
import MediaTokenIssuer
import MediaTokenReplay

/// The same with one use enforced: every token is another one, and is spent in a table that is half full.
func measureWithTable(_ name: String, key path: String) throws {
  let times = 1000
  let tokens = try issue(times * (pairs + 1), privateKey: path + ".private.pem", at: wallClock())
  let (signature, signed) = Vector(token: tokens[0]).cut()
  guard let floor = floor_new(path + ".pem", signature, signature.count, signed, signed.count) else {
    fatalError("the floor cannot verify with \(path)")
  }
  defer { floor_free(floor) }

  let table = try SharedReplayTable(anonymousWithCapacity: 1_000_000, policy: .standard)
  // Not before the table, which takes no clock that is behind its own.
  let now = wallClock()
  try fill(table, with: 500_000, at: now)
  let verifier = try TokenVerifier(
    trustedKeys: Vector.trustedKeys(readingFile: path + ".pem"), replayMemory: table)
  func verify(_ tokens: ArraySlice<[UInt8]>) {
    for token in tokens {
      let verified = try? verifier.verify(token.span, requestor: .exactly("sports"), resource: .exactly("final"), at: now)
      guard verified?.use == .first else { fatalError("not valid") }
    }
  }
  verify(tokens[..<times])
  compare(name, floor: { guard floor_verify(floor, times) == times else { fatalError("floor failed") } }) { pair in
    verify(tokens[(times * (pair + 1))..<(times * (pair + 2))])
  }
}

private func wallClock() -> Instant { Instant(millisecondsSinceEpoch: Int64(time(nil)) * 1000) }

private func issue(_ count: Int, privateKey path: String, at now: Instant) throws -> [[UInt8]] {
  var issuer = try DevelopmentTokenIssuer(DevelopmentKeyPair(privateKeyPEM: contents(of: path).span))
  var tokens: [[UInt8]] = []
  for number in 0..<count {
    let token = DevelopmentToken(
      requestorID: "sports", resourceID: "final", issueTime: now, sessionGUID: "viewer \(number)")
    var bytes: [UInt8] = []
    try issuer.issue(token, as: .raw, into: &bytes)
    tokens.append(bytes)
  }
  return tokens
}

/// Other tokens, so that the table is as large in the caches as one at work.
private func fill(_ table: SharedReplayTable, with count: UInt64, at now: Instant) throws {
  var generator = SystemRandomNumberGenerator()
  for _ in 0..<count {
    let words: [UInt64] = [generator.next(), generator.next(), generator.next(), generator.next()]
    let digest = words.withUnsafeBytes { SHA256Digest(bytes: $0.bindMemory(to: UInt8.self).span) }!
    let claim = UseClaim(
      identity: TokenIdentity(digest: digest), issueTime: now, ttlMilliseconds: 300_000, now: now, request: nil)
    guard try table.spend(claim) == .firstUse else { fatalError("a random identity was used before") }
  }
}

