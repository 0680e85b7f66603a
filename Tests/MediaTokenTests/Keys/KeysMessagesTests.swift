import Foundation
internal import MediaTokenSystem
import Testing

@testable import MediaToken

@Suite("Keys: messages, warnings and cures")
struct KeysMessagesTests {
  private static let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)

  // Case 74.
  @Test func expiredCertificateIsAWarningWithItsDate() throws {
    let key = try KeyFixture.keys("certificate-production.pem")[0]
    let end = Instant(millisecondsSinceEpoch: 1_321_487_999_000)
    #expect(key.warnings(at: Self.now) == [.weakModulus(bits: 1024), .certificateExpired(end)])
    #expect(KeyWarning.certificateExpired(end).description.contains("expired at 2011-11-16T23:59:59.000Z;"))
    // The last instant is inside (RFC 5280, section 4.1.2.5).
    #expect(key.warnings(at: end) == [.weakModulus(bits: 1024)])
    let after = Instant(millisecondsSinceEpoch: end.millisecondsSinceEpoch + 1)
    #expect(key.warnings(at: after).contains(.certificateExpired(end)))
    #expect(key.certificate?.subject == "CN=certificate-production,O=Test Licensor,C=US")
    #expect(key.certificate?.issuer == "CN=Test CA,O=Test Licensor")
    #expect(key.certificate?.notBefore?.description == "2009-11-16T00:00:00.000Z")
  }

  // Case 74.
  @Test func certificateOfTheFutureIsAWarning() throws {
    let key = try KeyFixture.keys("certificate-future.pem")[0]
    let start = try #require(key.certificate?.notBefore)
    #expect(start.description == "2098-01-01T00:00:00.000Z")
    #expect(key.warnings(at: Self.now) == [.certificateNotYetValid(start)])
    #expect(key.warnings(at: start).isEmpty)
  }

  @Test func certificatesUseIsAWarning() throws {
    #expect(try KeyFixture.keys("certificate-current.pem")[0].warnings(at: Self.now).isEmpty)
    #expect(
      try KeyFixture.keys("certificate-encipherment.pem")[0].warnings(at: Self.now)
        == [.certificateForbidsSignatures])
    #expect(
      try KeyFixture.keys("certificate-authority.pem")[0].warnings(at: Self.now)
        == [.certificateForbidsSignatures, .certificateOfAuthority])
  }

  @Test func bareKeyHasNoWarnings() throws {
    #expect(try KeyFixture.keys("rsa2048.pem")[0].warnings(at: Self.now).isEmpty)
    #expect(try KeyFixture.keys("rsa2047.pem")[0].warnings(at: Self.now) == [.weakModulus(bits: 2047)])
  }

  /// Fixtures that convert to the key rsa2048.
  private static let convertible = [
    "pkcs1.pem", "pkcs1.der", "private.pem", "private-pkcs1.pem", "private.der", "private-pkcs1.der", "trusted.pem",
    "request.pem", "request.der", "pkcs7.pem", "pkcs7.p7b", "private-encrypted.pem",
    "private-encrypted.der", "private-pkcs1-encrypted.pem",
  ]

  private static let hasSSHKeygen = FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh-keygen")

  @Test(
    arguments: convertible + (hasSSHKeygen ? ["openssh.pub"] : []), ["", "it's \"my\" ü key ", "-in", "\u{1B}\n"])
  func printedCommandConverts(_ fixture: String, _ prefix: String) throws {
    let scratch = try ScratchFolder()
    try scratch.copy(fixture, as: prefix + fixture)
    let command = try printedCommand(prefix + fixture, scratch)
    #expect(try scratch.run(command, input: KeyFixture.password + "\n"), "\(command)")
    let converted = scratch.path(prefix + fixture + ".public.pem")
    let keys = try TrustedKeys(readingFiles: [converted], consent: .none).keys
    #expect(try keys.map(\.fingerprint) == [KeyFixture.fingerprint("rsa2048")])
  }

  /// Files that look right where they are shown.
  @Test(
    arguments: [
      OtherKeyForm.markedPEM, .utf16PEM, .escapedPEM, .carriageReturnPEM, .oneLinePEM, .indentedPEM, .bareBase64,
    ], ["", " "])
  func printedCommandMendsWhatLooksRight(_ form: OtherKeyForm, _ inPlaceOfLineEnds: String) throws {
    let scratch = try ScratchFolder()
    let pem = String(decoding: try KeyFixture.bytes("rsa2048.pem"), as: UTF8.self)
    let spoiled: [UInt8] =
      switch form {
      case .markedPEM: Array("\u{FEFF}\(pem)".utf8)
      case .utf16PEM: "\u{FEFF}\(pem)".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      case .escapedPEM where inPlaceOfLineEnds.isEmpty: Array(pem.replacing("\n", with: "\\n").utf8)
      // As PHP writes JSON.
      case .escapedPEM:
        Array("{\"key\": \"\(pem.replacing("/", with: "\\/").replacing("\n", with: "\\r\\n"))\"}".utf8)
      case .indentedPEM: Array((inPlaceOfLineEnds + "key: |\n  " + pem.replacing("\n", with: "\n\t ")).utf8)
      case .bareBase64 where inPlaceOfLineEnds.isEmpty: Array(Data(pem.utf8).base64EncodedData())
      case .bareBase64:
        Array(pem.split(separator: "\n").dropFirst().dropLast().joined(separator: inPlaceOfLineEnds + "\r\n").utf8)
      case .carriageReturnPEM: Array(pem.replacing("\n", with: "\r").utf8)
      default: Array(pem.replacing("\n", with: inPlaceOfLineEnds).utf8)
      }
    #expect(KeyFixture.refusal(spoiled) == .otherForm(form))
    try Data(spoiled).write(to: URL(filePath: scratch.path("it's a key.pem")))
    #expect(try scratch.run(printedCommand("it's a key.pem", scratch)))
    let ending = form == .bareBase64 ? "der" : "pem"
    let keys = try TrustedKeys(readingFiles: [scratch.path("it's a key.pem.public.\(ending)")], consent: .none).keys
    #expect(try keys.map(\.fingerprint) == [KeyFixture.fingerprint("rsa2048")])
  }

  /// What the message says after a phrase, without the advice in parentheses after it.
  private func printedCommand(_ name: String, _ scratch: ScratchFolder) throws -> String {
    // The command runs in the folder, so a relative name that begins with a hyphen is a relative name.
    let file = try KeyFile(name: name, bytes: KeyFixture.bytes(at: scratch.path(name)))
    let error = KeyFixture.error { () throws(Problem) in _ = try TrustedKeys(parsing: [file], consent: .none) }
    let message = try #require(error?.description)
    #expect(!message.unicodeScalars.contains { $0.value < 0x20 })
    let command = try #require(message.components(separatedBy: "convert it: ").dropFirst().first)
    return command.components(separatedBy: " (")[0]
  }

  // Case 78: errors show no line of any file.
  @Test func noMessageShowsTheContent() throws {
    let folder = KeyFixture.repository.appending(path: "Tests/Fixtures/keys").path(percentEncoded: false)
    var refused = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name != "make.sh" {
      let bytes = try KeyFixture.bytes(name)
      let error = KeyFixture.error { () throws(Problem) in
        _ = try KeyFixture.keys(bytes, named: name, consent: .none, password: "Sesame")
      }
      guard let message = error?.description else { continue }
      refused += 1
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.utf8.count >= 16 }
      #expect(!lines.contains { message.contains($0) && !$0.hasPrefix("-----") })
      #expect(message.hasPrefix(name) && !message.hasSuffix(".") && message.utf8.count < 500)
      #expect(!message.contains("Sesame"))
    }
    #expect(refused > 40)
  }

  @Test(arguments: [
    ("", "''"), ("a.pem", "a.pem"), ("-a", "./-a"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("é", "'é'"),
    ("a\nb", #"$'a\x0ab'"#), ("'\u{7F}", #"$'\x27\x7f'"#), ("$x", "'$x'"), ("a\u{202E}b", #"$'a\xe2\x80\xaeb'"#),
  ])
  func nameIsOneWordForTheShell(_ name: String, _ word: String) {
    #expect(DisplayText.shellWord(Array(name.utf8)) == word)
  }

  @Test func longNameIsCutForDisplay() {
    #expect(DisplayText.escaped("abc", limit: 3) == "abc")
    #expect(DisplayText.escaped("abcd", limit: 3) == "abc…")
  }
}

extension KeyFixture {
  static func bytes(at path: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: path))) }
}
