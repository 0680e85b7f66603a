import Testing

@testable import MediaToken

@Suite("ReplayAddress")
struct ReplayAddressTests {
  @Test(arguments: [
    ("none:", ReplayAddress.none),
    ("shared:/a/b", .shared(path: "/a/b", capacity: nil)),
    ("shared:a", .shared(path: "a", capacity: nil)),
    ("shared:a:b=c&d", .shared(path: "a:b=c&d", capacity: nil)),
    ("shared:/a?capacity=1", .shared(path: "/a", capacity: 1)),
    ("shared:/a?capacity=4294967296", .shared(path: "/a", capacity: 4_294_967_296)),
  ])
  func addressesAreRead(_ text: String, _ address: ReplayAddress) throws {
    #expect(try ReplayAddress(text) == address)
    let (nodes, database) = ("prod@a.example:6379,[::1]:6380,/run/node.sock", "prod@db.example/tokens")
    #expect(try ReplayAddress("redis:" + nodes) == .fleet(FleetAddress(redis: nodes)))
    #expect(
      try ReplayAddress("postgres:" + database) == FleetAddress(scheme: "postgres", database).map { .fleet($0) })
  }

  @Test(arguments: [
    ("", Problem.scheme(found: nil)),
    ("none", .scheme(found: nil)),
    ("/a", .scheme(found: nil)),
    (":", .scheme(found: "")),
    ("None:", .scheme(found: "None")),
    (" none:", .scheme(found: " none")),
    ("none: ", .textAfterNone),
    ("Redis:prod@a:1", .scheme(found: "Redis")),
    ("redis:", .fleetName),
    ("redis://h", .fleetName),
    ("shared:", .emptyPath),
    ("shared:?capacity=1", .emptyPath),
    ("shared:a\0b", .emptyPath),
    ("shared:a?", .parameter(found: "")),
    ("shared:a?capacity=1&", .parameter(found: "")),
    ("shared:a?Capacity=1", .parameter(found: "Capacity")),
    ("shared:a?capacity=1&capacity=1", Problem("capacity is given twice")),
    ("shared:a?capacity", .capacity(found: "")),
    ("shared:a?capacity=", .capacity(found: "")),
    ("shared:a?capacity=0", .capacity(found: "0")),
    ("shared:a?capacity=01", .capacity(found: "01")),
    ("shared:a?capacity=+1", .capacity(found: "+1")),
    ("shared:a?capacity=1 ", .capacity(found: "1 ")),
    ("shared:a?capacity=1?", .capacity(found: "1?")),
    ("shared:a?capacity=4294967297", .capacity(found: "4294967297")),
    ("shared:a?capacity=99999999999999999999", .capacity(found: "99999999999999999999")),
  ])
  func everythingElseIsRefused(_ text: String, _ error: Problem) {
    #expect(throws: error) { try ReplayAddress(text) }
  }

  @Test(arguments: [
    "redis:prod@user:secret@a:1,b:1,c:1", "redis://user:secret@a:1", "redis:secret", "redis:prod@a:1?auth=secret",
    "postgres:prod@user:secret@db/tokens", "postgres://user:secret@db/tokens",
    "postgres:prod@db/tokens?password=secret",
  ])
  func messagesAboutFleetsRepeatNothing(_ text: String) {
    #expect {
      _ = try ReplayAddress(text)
    } throws: { error in
      let sentence = (error as? Problem)?.description ?? ""
      return !sentence.isEmpty && !sentence.contains("secret") && !sentence.contains("user:")
    }
  }

  @Test func onlyShortWordsAreRepeatedInMessages() {
    let secret = "<signatureInfo>0123456789"
    for error in [
      Problem.scheme(found: secret), .parameter(found: secret), .capacity(found: secret),
      .scheme(found: "0123456789abcdef01234"),
    ] {
      #expect(error.description.contains("another text"))
      #expect(!error.description.contains("0123456789"))
    }
    #expect(Problem.scheme(found: "file").description.hasSuffix("found the scheme file"))
    #expect(
      Problem.scheme(found: nil).description.hasSuffix(
        "found no scheme; a table's path is written shared:PATH"))
  }
}

extension Problem {
  fileprivate static let textAfterNone = Problem("there is text after none:")

  fileprivate static func parameter(found: String) -> Problem {
    Problem("expected capacity in shared:PATH?capacity=N, found \(shown(found))")
  }

  fileprivate static func capacity(found: String) -> Problem {
    Problem("expected 1 to 4294967296 in capacity=N, found \(shown(found))")
  }
}
