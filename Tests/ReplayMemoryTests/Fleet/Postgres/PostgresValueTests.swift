import MediaTokenSystem
import Testing

@testable import MediaToken

@Suite struct NodeSchemaTests {
  /// A change of the text is a change of the protocol, or of what every database was given: it is made on purpose.
  @Test func `the text is the one that was proved`() throws {
    var hasher = try SHA256Hasher()
    #expect(
      try hasher.digest(of: NodeSchema.template.utf8Span.span).description
        == "145e3e721f2a77e48f0aa5be6ff4c02107453ad2a226a8e76ba1ee732e711597")
  }

  @Test func `every mark has the fleet's value`() throws {
    let fleet = try #require(try FleetAddress(scheme: "postgres", "prod-1@db/tokens"))
    let policy = FleetPolicy(.standard)
    let digest = try FleetDigest(of: fleet, policy)
    for isUnlogged in [false, true] {
      let text = NodeSchema.text(fleet: fleet.name, policy, digest, isUnlogged: isUnlogged)
      #expect(!text.contains("{"))
      #expect(text.contains("COMMENT ON SCHEMA \"mp3_prod-1\" IS 'mediatoken mp3 \(digest)'"))
      #expect(text.contains("UNLOGGED TABLE") == isUnlogged)
      #expect(text.contains("FOR i IN 0..64 - 1 LOOP"))
    }
  }

  /// By `printf 'mp3\nprod\n3600000\n60000\n0\n45\n' | sha256sum | cut -c 1-16`.
  @Test(arguments: ["prod@db/tokens", "prod@a,b/other", "prod@/run/postgresql/tokens"])
  func `the members of a database are not in its fleet's digest`(address: String) throws {
    let fleet = try #require(try FleetAddress(scheme: "postgres", address))
    #expect(try FleetDigest(of: fleet, FleetPolicy(.standard)).description == "7ba70c1e108ec179")
    let other = try FleetOptions(address: fleet, policy: .standard, settings: FleetSettings(graceSeconds: 5))
      .digest()
    #expect(other.description == "b442318faa89a749")
  }

  /// A life in milliseconds; and seconds of a slot, and slots.
  @Test(arguments: [
    (2_000, 60, 4), (3_599_000, 60, 64), (3_658_000, 60, 65), (3_659_000, 120, 34), (43_200_000, 720, 63),
    (86_400_000, 1440, 63),
  ]) func `a long life has longer slots, and not more of them`(life: Int64, seconds: Int64, slots: Int64) throws {
    let policy = FleetPolicy(try Policy(maxTTLMilliseconds: life))
    #expect(policy.slotSeconds == seconds && NodeSchema.slots(policy) == slots)
  }

  @Test func `only a database has a grace, and one in its bounds`() throws {
    let (database, nodes) = (
      try #require(try FleetAddress(scheme: "postgres", "prod@db/tokens")), try FleetAddress(redis: "prod@a:1")
    )
    for grace in [4, 3601, -1] {
      let problem = #expect(throws: Problem.self) {
        try FleetOptions(address: database, policy: .standard, settings: FleetSettings(graceSeconds: grace)).times()
      }
      #expect(problem?.fact == "expected a grace of 5 to 3600 s, found \(grace)")
    }
    let problem = #expect(throws: Problem.self) {
      try FleetOptions(address: nodes, policy: .standard, settings: FleetSettings(graceSeconds: 45)).times()
    }
    #expect(problem?.cure == "leave it out with redis:")
    for (grace, seconds) in [(nil, 45), (5, 5), (3600, 3600)] as [(Int?, Int64)] {
      #expect(
        try FleetOptions(address: database, policy: .standard, settings: FleetSettings(graceSeconds: grace)).times()
          .graceSeconds == seconds)
    }
  }
}

@Suite struct ServerStateTests {
  @Test(arguments: [
    ("MT001", ServerState.noEpoch), ("MT002", .refused(.otherFleet)), ("MT003", .clock), ("MT004", .hasEpoch),
    ("MT005", .refused(.isolation)), ("MT006", .refused(.notDurable)), ("MT007", .otherMember), ("MT008", .none),
    ("25006", .refused(.takesNoWrites(StoreWords("SQLSTATE 25006: words")))), ("57P01", .otherMember),
    ("57P03", .otherMember), ("40001", .again), ("40P01", .again),
    ("55P03", .again), ("57014", .again), ("53100", .again), ("53300", .again),
    ("28P01", .refused(.denied(StoreWords("words")))),
    ("28000", .refused(.denied(StoreWords("words")))), ("42501", .refused(.denied(StoreWords("words")))),
    ("42883", .refused(.noSchema)),
    ("3F000", .refused(.noSchema)), ("XX000", .none), ("", .none),
  ]) func `a code means one thing, and one that is not known is no answer`(code: String, meaning: ServerState) {
    #expect(ServerState(code, "words") == meaning)
  }
}

@Suite struct ServerErrorTests {
  @Test(
    arguments: [
      (
        #"connection to server at "127.0.0.1", port 5432 failed: FATAL:  28000: pg_hba.conf rejects connection for host "127.0.0.1""#,
        "28000", #"pg_hba.conf rejects connection for host "127.0.0.1""#
      ),
      (
        "connection to server on socket \"/run/x\" failed: FATAL:  53300: too many connections for role \"m\"",
        "53300", "too many connections for role \"m\""
      ),
      ("FEHLER:  42501: keine Berechtigung für Schema mt1_x: y", "42501", "keine Berechtigung für Schema mt1_x: y"),
    ]) func `a server's words are told as they are, in whatever language`(
      line: String, state: String, words: String
    )
  {
    let found = DatabaseCaller.serverError(in: line)
    #expect(found?.state == state && found?.message == words)
  }

  @Test(arguments: [
    "", "connection to server at \"a\", port 5432 failed: Connection refused", "FATAL: 28000: x", "FATAL:  2800: x",
  ])
  func `what is libpq's own is none of the server's`(line: String) {
    #expect(DatabaseCaller.serverError(in: line) == nil)
  }

  @Test func `words of a server are cut and made visible`() {
    let said = NodeRefusal.denied(StoreWords("\u{1B}]0;x\u{7}\u{202E}" + String(repeating: "x", count: 1000)))
      .description
    #expect(said.utf8.count < 600 && said.unicodeScalars.allSatisfy(VisibleText.shows))
  }
}

@Suite struct ClaimsAnswerTests {
  private static let ours = Array(UInt8(1)...16)
  private static let header: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 11, 134]

  private static func array(_ words: [[UInt8]]) -> [UInt8] {
    header + [0, 0, 0, UInt8(words.count), 0, 0, 0, 1] + words.flatMap { [0, 0, 0, UInt8($0.count)] + $0 }
  }

  private static func word(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// A row as the server sends it; without letters, or what is there, they are null.
  private static func row(_ letters: String?, _ standing: [UInt8]?, time: Int = 7) -> [UInt8] {
    let values = [(20, word(time >> 32) + word(time)), (25, letters.map { Array($0.utf8) }), (2951, standing)]
    return word(3) + values.flatMap { type, bytes in word(type) + word(bytes?.count ?? -1) + (bytes ?? []) }
  }

  private func answers(_ letters: String, _ standing: [UInt8]?, count: Int? = nil) -> [NodeAnswer]? {
    ClaimsAnswer(Self.row(letters, standing), count: count ?? letters.utf8.count)?.answers
  }

  @Test func `each letter is an answer, and what is there comes in order`() throws {
    let other = [UInt8](repeating: 9, count: 16)
    let (a, b) = (Ballot(bytes: Self.ours.span), Ballot(bytes: other.span))
    let (one, two) = (try #require(a), try #require(b))
    #expect(
      answers("npfap", Self.array([Self.ours, other])) == [.new, .present(one), .forgotten, .ahead, .present(two)])
    #expect(answers("nn", nil) == [.new, .new])
    #expect(answers("n", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 134]) == [.new])
  }

  @Test(
    arguments: [
      ("nn", nil, 1), ("n", nil, 2), ("", nil, 1), ("x", nil, 1), ("N", nil, 1), ("p", nil, 1),
      ("p", Self.array([]), 1), ("pp", Self.array([Self.ours]), 2), ("n", Self.array([Self.ours]), 1),
      ("p", Self.array([Array(Self.ours.dropLast())]), 1), ("p", Array(Self.array([Self.ours]).dropLast()), 1),
      ("p", [0, 0, 0, 1, 0, 0, 0, 1] + Self.array([Self.ours]).dropFirst(8), 1),
      ("p", [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 25] + Self.array([Self.ours]).dropFirst(12), 1),
      ("p", Self.header + [0, 0, 0, 1, 0, 0, 0, 1, 255, 255, 255, 255] + Self.ours, 1), ("p", [], 1),
    ] as [(String, [UInt8]?, Int)]) func `what does not answer every claim is refused`(
      letters: String, standing: [UInt8]?, count: Int
    )
  {
    #expect(answers(letters, standing, count: count) == nil)
  }

  @Test func `an answer has a time`() {
    #expect(ClaimsAnswer(Self.row("n", nil), count: 1)?.time == 7)
    for time in [-1, Int.max] { #expect(ClaimsAnswer(Self.row("n", nil, time: time), count: 1) == nil) }
  }

  @Test func `a row that is cut off, longer, of other types or without letters is refused`() {
    let whole = Self.row("np", Self.array([Self.ours]))
    #expect(ClaimsAnswer(whole, count: 2) != nil)
    for count in 0..<whole.count { #expect(ClaimsAnswer(Array(whole.prefix(count)), count: 2) == nil) }
    #expect(ClaimsAnswer(whole + [0], count: 2) == nil)
    // How many values there are, and the last byte of each type.
    for index in [3, 7, 23, 33] {
      var other = whole
      other[index] ^= 1
      #expect(ClaimsAnswer(other, count: 2) == nil)
    }
    #expect(ClaimsAnswer(Self.row(nil, nil), count: 0) == nil)
    #expect(ClaimsAnswer(Self.row(nil, nil), count: 1) == nil)
  }
}

@Suite struct ConnectionKeywordsTests {
  private func parse(_ text: String) throws -> FleetCredentials {
    try FleetCredentials(parsingKeywords: Array(text.utf8), of: "db")
  }

  @Test func `what the operator writes replaces what is usual`() throws {
    let member = PostgresAddress.Member(host: "db.example", port: 5432)
    func values(_ text: String) throws -> [String: String] {
      let keywords = ConnectionKeywords.all(member, database: "tokens", try parse(text).keywords)
      return Dictionary(uniqueKeysWithValues: keywords.map { ($0.name, $0.value) })
    }
    let usual = try values("# nothing\n")
    #expect(usual["sslmode"] == "verify-full" && usual["user"] == "mediatoken" && usual["passfile"] == "/dev/null")
    #expect(usual["host"] == "db.example" && usual["dbname"] == "tokens" && usual["hostaddr"] == nil)
    #expect(usual.values.allSatisfy { !$0.isEmpty })
    let chosen = try values("user app\npassword se=cr#et\nsslmode require\nsslrootcert /ca.pem\n")
    #expect(chosen["user"] == "app" && chosen["password"] == "se=cr#et" && chosen["sslmode"] == "require")
    #expect(chosen["sslrootcert"] == "/ca.pem")
  }

  private static let form = "not KEYWORD VALUE, two words of printable ASCII with one space between them"
  private static let keyword = "the keyword is not user, password, sslmode, "
  private static let again = "an earlier line is for the same node or keyword"

  @Test(arguments: [
    ("user", 1, Self.form), ("user a b", 1, Self.form),
    ("\npassword  secret", 2, Self.form), ("password secret\r\n", 1, Self.form), ("host secret", 1, Self.keyword),
    ("options -csecret", 1, Self.keyword), ("sslmode secret", 1, Self.keyword), ("sslmode allow", 1, Self.keyword),
    ("sslcert secret.pem", 1, Self.keyword), ("user a\nuser secret", 2, Self.again),
    ("* user secret", 1, Self.form),
  ]) func `a line that is wrong is named, and nothing that is in it`(
    text: String, line: Int, problem: String
  ) throws {
    let error = try #require(throws: Problem.self) { try parse(text) }
    #expect(error.description.hasPrefix("db: line \(line): \(problem)"))
    #expect(!error.description.contains("secret"))
  }
}
