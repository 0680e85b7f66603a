import CMediaToken
import Foundation
import MediaToken
import Testing

@testable import MediaTokenABI

@Suite("C interface: warnings about keys")
struct KeyWarningsTests {
  private static func fixture(_ name: String) throws -> [UInt8] {
    let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try Array(Data(contentsOf: repository.appending(path: "Tests/Fixtures/keys/\(name)")))
  }

  private static func set(_ names: String...) throws -> KeySet {
    let set = KeySet()
    for name in names { try set.add(parsing: KeyFile(name: name, bytes: fixture(name))) }
    return set
  }

  private static func warnings(_ set: KeySet, _ index: Int = 0, at instant: Instant) -> String? {
    var length = 0
    guard let text = unsafe set.giveWarnings(of: index, at: instant, &length) else { return nil }
    let copy = unsafe String(cString: text)
    #expect(copy.utf8.count == length)
    return copy
  }

  /// When the certificate of Adobe's production key ended, and a moment later.
  private static let end = Instant(millisecondsSinceEpoch: 1_321_487_999_000)
  private static let after = Instant(millisecondsSinceEpoch: 1_321_487_999_001)

  @Test func certificateThatExpiresWhileTheProgramRunsIsSaid() throws {
    let set = try Self.set("certificate-production.pem")
    #expect(try #require(Self.warnings(set, at: Self.end)).contains("expired") == false)
    #expect(try #require(Self.warnings(set, at: Self.after)).contains("the certificate expired at 2011-11-16"))
    #expect(try #require(Self.warnings(set, at: Self.end)).contains("expired") == false)
  }

  @Test func textThatWasGivenStaysWhatItWas() throws {
    let set = try Self.set("certificate-production.pem")
    guard let first = unsafe set.giveWarnings(of: 0, at: Self.end, nil) else {
      Issue.record("there is no such key")
      return
    }
    let text = unsafe String(cString: first)
    for moment in [Self.after, Self.end, Self.after] { _ = Self.warnings(set, at: moment) }
    #expect(unsafe String(cString: first) == text)
    // The same answer is the same text, however often it is asked for.
    let again = unsafe set.giveWarnings(of: 0, at: Self.after, nil)
    let isSame = unsafe set.giveWarnings(of: 0, at: Self.after, nil) == again
    #expect(isSame)
  }

  @Test func consentChangesTheAnswer() throws {
    let set = try Self.set("rsa1024.pem")
    #expect(
      try #require(Self.warnings(set, at: Self.end)).hasSuffix(
        "it is not trusted, because its fingerprint was not allowed"))
    set.allow(try #require(set.candidate(0)).fingerprint)
    #expect(
      try #require(Self.warnings(set, at: Self.end)).hasSuffix("it is trusted because its fingerprint was allowed"))
  }

  @Test func addedKeysHaveAnswersAndUnusableSetsHaveNone() throws {
    let set = try Self.set("rsa2048.pem")
    #expect(Self.warnings(set, at: Self.end) == "")
    #expect(Self.warnings(set, 1, at: Self.end) == nil)
    try set.add(parsing: KeyFile(name: "weak", bytes: Self.fixture("rsa1024.pem")))
    #expect(Self.warnings(set, 1, at: Self.end)?.contains("1024 bits") == true)
    #expect(throws: (any Error).self) { try set.add(parsing: KeyFile(name: "broken", bytes: [1])) }
    #expect(Self.warnings(set, 0, at: Self.end) == nil)
  }
}
