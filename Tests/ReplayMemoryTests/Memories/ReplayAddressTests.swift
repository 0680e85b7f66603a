import MediaToken
import Testing

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
  }

  @Test(arguments: [
    ("", ReplayMemoryError.address(.scheme(found: nil))),
    ("none", .address(.scheme(found: nil))),
    ("/a", .address(.scheme(found: nil))),
    (":", .address(.scheme(found: ""))),
    ("None:", .address(.scheme(found: "None"))),
    (" none:", .address(.scheme(found: " none"))),
    ("none: ", .address(.textAfterNone)),
    ("Redis:prod@a:1", .address(.scheme(found: "Redis"))),
    ("redis:", .fleet(.address(.name))),
    ("redis://h", .fleet(.address(.name))),
    ("redis://:secret@h:1", .fleet(.address(.name))),
    ("redis:prod@:secret@h:1", .fleet(.address(.seat(1)))),
    ("redis:prod@a:1,b:1,user:secret@c:1", .fleet(.address(.seat(3)))),
    ("redis:prod@a:1?x=1", .fleet(.address(.seat(1)))),
    ("redis:prod@a:1,b:1,a:1", .fleet(.address(.sameSeat(1, 3)))),
    ("redis:prod@a:1,b:1", .fleet(.address(.count(2)))),
    ("shared:", .address(.emptyPath)),
    ("shared:?capacity=1", .address(.emptyPath)),
    ("shared:a\0b", .address(.emptyPath)),
    ("shared:a?", .address(.parameter(found: ""))),
    ("shared:a?capacity=1&", .address(.parameter(found: ""))),
    ("shared:a?Capacity=1", .address(.parameter(found: "Capacity"))),
    ("shared:a?capacity=1&capacity=1", .address(.repeated("capacity"))),
    ("shared:a?capacity", .address(.capacity(found: ""))),
    ("shared:a?capacity=", .address(.capacity(found: ""))),
    ("shared:a?capacity=0", .address(.capacity(found: "0"))),
    ("shared:a?capacity=01", .address(.capacity(found: "01"))),
    ("shared:a?capacity=+1", .address(.capacity(found: "+1"))),
    ("shared:a?capacity=1 ", .address(.capacity(found: "1 "))),
    ("shared:a?capacity=1?", .address(.capacity(found: "1?"))),
    ("shared:a?capacity=4294967297", .address(.capacity(found: "4294967297"))),
    ("shared:a?capacity=99999999999999999999", .address(.capacity(found: "99999999999999999999"))),
  ])
  func everythingElseIsRefused(_ text: String, _ error: ReplayMemoryError) {
    #expect(throws: error) { try ReplayAddress(text) }
  }

  @Test func fleetsAreRead() throws {
    let text = "prod@a.example:6379,[::1]:6380,/run/seat.sock"
    let fleet = try FleetAddress(redis: text)
    #expect(try ReplayAddress("redis:" + text) == .fleet(fleet))
    #expect(fleet.description == "redis:" + text)
    let database = try #require(try FleetAddress(scheme: "postgres", "prod@db.example/tokens"))
    #expect(try ReplayAddress("postgres:prod@db.example/tokens") == .fleet(database))
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
      let sentence = (error as? ReplayMemoryError)?.description ?? ""
      return !sentence.isEmpty && !sentence.contains("secret") && !sentence.contains("user:")
    }
  }

  @Test func onlyShortWordsAreRepeatedInMessages() {
    let secret = "<signatureInfo>0123456789"
    for error in [
      ReplayAddress.Problem.scheme(found: secret), .parameter(found: secret), .capacity(found: secret),
      .scheme(found: "0123456789abcdef01234"),
    ] {
      #expect(error.description.contains("another text"))
      #expect(!error.description.contains("0123456789"))
    }
    #expect(ReplayAddress.Problem.scheme(found: "file").description.hasSuffix("found the scheme file"))
    #expect(
      ReplayAddress.Problem.scheme(found: nil).description.hasSuffix(
        "found no scheme; a table's path is written shared:PATH"))
  }
}
