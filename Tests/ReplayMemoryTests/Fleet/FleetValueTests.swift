import Testing

@testable import MediaToken

@Suite struct FleetDigestTests {
  /// By `printf 'mt2\nprod\n3600000\n60000\n0\na:6379\nb:6379\nc:6379\n' | sha256sum | cut -c 1-16`, and so on.
  @Test(arguments: [
    ("prod@a:6379,b:6379,c:6379", "d92bff7cb5686385"),
    ("prod@redis1.example:6379,redis2.example:6379,redis3.example:6379", "becfdb902241bd7b"),
  ])
  func `a fleet's digest is the one that other programs compute`(address: String, digest: String) throws {
    #expect(try FleetDigest(of: FleetAddress(redis: address), FleetPolicy(.standard)).description == digest)
  }

  @Test func `the times are in it`() throws {
    let policy = try Policy(
      maxTTLMilliseconds: 420_000, futureToleranceMilliseconds: 0, expiryToleranceMilliseconds: 1500)
    let digest = try FleetDigest(of: FleetAddress(redis: "one@/run/redis/node.sock"), FleetPolicy(policy))
    #expect(digest.description == "56e9834ff8377b2d")
  }

  @Test(arguments: [
    "prod@b:6379,a:6379,c:6379", "prod@a:6379,b:6379,c:6380", "prod@a:6379,b:6379,C:6379",
    "test@a:6379,b:6379,c:6379",
    "prod@a:6379,b:6379,c:6379,d:6379", "prod@a:6379",
  ])
  func `another order, spelling, name or number of nodes is another fleet`(address: String) throws {
    #expect(
      try FleetDigest(of: FleetAddress(redis: address), FleetPolicy(.standard)).description != "d92bff7cb5686385")
  }
}

@Suite struct FleetPolicyTests {
  @Test(arguments: [
    (3_600_000, 60_000, 0, 3601, 60), (420_000, 0, 0, 421, 0), (1, 1, 0, 2, 1), (1000, 1000, 0, 2, 1),
    (1001, 1001, 0, 3, 2), (999, 999, 1, 2, 1), (1000, 59_999, 1, 3, 60), (500, 60_001, 501, 3, 61),
  ])
  func `parts of seconds count as whole ones`(ttl: Int64, future: Int64, expiry: Int64, life: Int64, ahead: Int64)
    throws
  {
    let policy = FleetPolicy(
      try Policy(
        maxTTLMilliseconds: ttl, futureToleranceMilliseconds: future, expiryToleranceMilliseconds: expiry))
    #expect(policy.lifeSeconds == life)
    #expect(policy.aheadSeconds == ahead)
  }
}

@Suite struct BallotTests {
  private static func hex(_ ballot: Ballot) -> String {
    let bytes = ballot.bytes
    return bytes.indices.map { Self.digits(bytes[$0]) }.joined()
  }

  private static func digits(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16)
    return text.count == 1 ? "0" + text : text
  }

  @Test func `a ballot is twelve bytes and a second, the highest byte first`() throws {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0x65, 0x53, 0xF1, 0x00]
    let read = Ballot(bytes: bytes.span)
    let ballot = try #require(read)
    #expect(ballot.second == 0x6553_F100)
    #expect(Self.hex(ballot) == "0102030405060708090a0b0c6553f100")
  }

  @Test(arguments: [0, 1, 15, 17])
  func `nothing of another length is a ballot`(count: Int) {
    let ballot = Ballot(bytes: [UInt8](repeating: 1, count: count).span)
    #expect(ballot == nil)
  }

  @Test func `ballots of chance differ, and keep their second`() throws {
    var source = BallotSource()
    let fleet = try ScriptedFleet(nodes: 1).fleet
    var seen: Set<Ballot.ID> = []
    for _ in 0..<1000 {
      let new = try source.newClaim(claim(1), named: 7, of: .tcp, in: fleet)
      #expect(new.ballot.second == 1_700_000_000 && new.name == 7 && new.caller == .tcp)
      seen.insert(new.ballot.id)
    }
    #expect(seen.count == 1000)
    var other = BallotSource(atOnce: 1)
    for _ in 0..<2 {
      let id = try other.newClaim(claim(1), named: 0, of: .one, in: fleet).ballot.id
      #expect(seen.insert(id).inserted)
    }
  }

  /// By Python: `sha256(b'mt1 retry\n' + bytes(range(32)) + uid.to_bytes(4, 'big') + id.encode()).hexdigest()[:24]`.
  @Test(
    arguments: [
      (0, "r-1", "041a098a5c2712ffdafab42a"), (1000, "r-1", "a147f8b146dd9d3ed6e63cfc"),
      (0x0102_0304, "ä", "0fc5443b19176ff40be24326"),
    ] as [(UInt32, String, String)])
  func `a request's ballot is the one that other programs compute`(uid: UInt32, request: String, id: String) throws
  {
    let bytes = [UInt8](0..<32)
    let digest = SHA256Digest(bytes: bytes.span)
    let identity = TokenIdentity(digest: try #require(digest))
    var hasher = try SHA256Hasher()
    let found = try Ballot.ID.of(UseRequest(id: request, callerUID: uid), for: identity, &hasher)
    #expect(Self.hex(Ballot(found, second: 0)) == id + "00000000")
  }
}

@Suite struct ClaimBatchTests {
  @Test func `a node sees sixteen bytes of the identity, and the second of issue`() {
    let identity = TokenIdentity(digest: SHA256Digest(words: 0x0102_0304_0506_0708, 0x090A_0B0C_0D0E_0F10, 3, 4))
    let ballot = Ballot(Ballot.ID(1, 2), second: 3)
    for (milliseconds, second) in [(1_999, 1), (2_000, 2), (0, 0), (-1, -1)] as [(Int64, Int64)] {
      let claim = ClaimBatch.Claim(
        identity, issueTime: Instant(millisecondsSinceEpoch: milliseconds), ballot: ballot)
      #expect(claim.issueSecond == second)
      #expect(claim.identity.first == 0x0807_0605_0403_0201)
      #expect(claim.identity.second == 0x100F_0E0D_0C0B_0A09)
    }
  }
}

@Suite struct StoreWordsTests {
  @Test(arguments: [
    ("OOM x.", "OOM x"), ("MISCONF \u{1B}[2Jx", "MISCONF \\u{1b}[2Jx"), ("ERR 'a' \"b\"", "ERR 'a' \"b\""),
    ("", ""),
    (String(repeating: "x", count: 201), String(repeating: "x", count: 200) + "…"),
  ])
  func `what a store said is told, within bounds and in print`(text: String, told: String) {
    #expect(StoreWords(text).description == told)
  }
}
