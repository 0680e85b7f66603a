import MediaTokenMemories
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
    ("", ReplayAddressError.scheme(found: nil)),
    ("none", .scheme(found: nil)),
    ("/a", .scheme(found: nil)),
    (":", .scheme(found: "")),
    ("None:", .scheme(found: "None")),
    (" none:", .scheme(found: " none")),
    ("none: ", .textBehindNone),
    ("redis://h", .notYet("redis")),
    ("shared:", .emptyPath),
    ("shared:?capacity=1", .emptyPath),
    ("shared:a\0b", .emptyPath),
    ("shared:a?", .parameter(found: "")),
    ("shared:a?capacity=1&", .parameter(found: "")),
    ("shared:a?Capacity=1", .parameter(found: "Capacity")),
    ("shared:a?capacity=1&capacity=1", .repeated("capacity")),
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
  func everythingElseIsRefused(_ text: String, _ error: ReplayAddressError) {
    #expect(throws: error) { try ReplayAddress(text) }
  }

  @Test func onlyShortWordsAreRepeatedInMessages() {
    let secret = "<signatureInfo>0123456789"
    for error in [
      ReplayAddressError.scheme(found: secret), .parameter(found: secret), .capacity(found: secret),
      .scheme(found: "0123456789abcdef01234"),
    ] {
      #expect(error.description.contains("another text"))
      #expect(!error.description.contains("0123456789"))
    }
    #expect(ReplayAddressError.scheme(found: "file").description.hasSuffix("found file"))
  }
}
