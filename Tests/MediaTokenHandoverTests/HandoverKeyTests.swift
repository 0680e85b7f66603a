import Foundation
import MediaToken
import MediaTokenHandover
import Testing

@Suite struct HandoverKeyTests {
  private let keys: KeyFixture

  init() throws { keys = try KeyFixture() }

  private static let notPKCS8 = "not one private key as PEM, BEGIN PRIVATE KEY, without a pass phrase"
  private static let notSecret = "not one line of 32 to 128 letters, digits, _ and -"

  private static func notDigits(_ least: Int) -> String {
    "not one line of \(least) to 128 hexadecimal digits, two for each byte: there is something else in it, or more than one line"
  }

  private static func digits(_ found: Int, _ least: Int) -> String {
    "expected one line of \(least) to 128 hexadecimal digits, two for each byte, found \(found) digits"
  }

  /// What is wrong with a key's file of this text; nil if it is taken.
  private func problem(_ text: String, _ format: HandoverFormat, mode: Int = 0o600) throws -> String? {
    let path = try keys.file(text, mode: mode)
    do throws(Problem) {
      _ = try HandoverMinter(.usual(format), keyFile: path)
      return nil
    } catch {
      #expect(error.description.hasPrefix("\(path): "))
      #expect(text.isEmpty || !error.description.contains(text.prefix(30)))
      return error.subject == path ? error.fact : error.description
    }
  }

  @Test(arguments: [(HandoverFormat.akamaiEdgeAuth, 32), (.commonAccessToken, 64), (.jwtHS256, 64)])
  func `an HMAC's key is one line of hexadecimal digits`(format: HandoverFormat, least: Int) throws {
    let digits = String(repeating: "0aF9", count: 40)
    for count in [2, 24, 30, 31, 32, 33, 34, 62, 63, 64, 65, 66, 128, 129, 130] {
      let isTaken = (least...128).contains(count) && count.isMultiple(of: 2)
      for end in ["", "\n", "\r", "\r\n"] {
        let problem = try problem(digits.prefix(count) + end, format)
        #expect(problem == (isTaken ? nil : Self.digits(count, least)))
      }
    }
    #expect(try problem("", format) == Self.digits(0, least))
    #expect(try problem("\n", format) == Self.digits(0, least))
    let line = String(digits.prefix(64))
    for text in [
      line + "\n\n", "\n" + line, line + "\r\r\n", "\r" + line, " " + line, line + " ", line + "\n" + line,
      "0x" + line,
      line.dropLast() + "g", line.dropLast(2) + "é", line + "\n\r", "\u{FEFF}" + line,
    ] { #expect(try problem(text, format) == Self.notDigits(least)) }
  }

  @Test func `nginx's secret is one line that needs no quotes`() throws {
    let text = String(repeating: "aZ0_-9", count: 30)
    for (count, isTaken) in [(31, false), (32, true), (128, true), (129, false)] {
      #expect(try problem(String(text.prefix(count)), .nginxSecureLink) == (isTaken ? nil : Self.notSecret))
      #expect(try problem(text.prefix(count) + "\n", .nginxSecureLink) == (isTaken ? nil : Self.notSecret))
    }
    for end in ["\r", "\r\n"] {
      #expect(try problem(text.prefix(40) + end, .nginxSecureLink)?.hasPrefix("the line ends with CR LF") == true)
    }
    for last in ["$", " ", ";", "\"", "{", "+", "/", "=", "\t", "é", "\u{0}"] {
      #expect(try problem(text.prefix(40) + last, .nginxSecureLink) == Self.notSecret)
    }
  }

  private func fixture(_ name: String) throws -> String {
    try String(contentsOf: KeyFixture.fixtures.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func `a private key is one PEM in PKCS8 and of the right kind`() throws {
    let (rsa, curve) = (try fixture("rsa.private.pem"), try fixture("ec.private.pem"))
    #expect(try problem(rsa, .cloudFrontCookie) == nil)
    #expect(try problem(curve, .jwtES256) == nil)
    #expect(try problem(curve, .cloudFrontCookie) == "not an RSA key of 2048 bits")
    #expect(try problem(rsa, .jwtES256) == "not an elliptic curve's key on P-256")
    for (text, format) in [(rsa, HandoverFormat.cloudFrontCookie), (curve, .jwtES256)] {
      #expect(try problem(text.replacing("\n", with: "\r\n"), format) == nil)
      for wrong in [
        "", "\u{0}", text + text, "text\n" + text, text + "text\n",
        text.replacing("PRIVATE KEY", with: "RSA PRIVATE KEY"),
        text.replacing("PRIVATE KEY", with: "ENCRYPTED PRIVATE KEY"), String(text.dropLast(30)),
        text.replacing("\n", with: ""), text.replacing("\n", with: "\r"),
        text.replacing("M", with: "N"),
      ] { #expect(try problem(wrong, format) == Self.notPKCS8) }
    }
  }

  @Test(arguments: [("rsa.private.pem", HandoverFormat.cloudFrontCookie), ("ec.private.pem", .jwtES256)])
  func `a key whose numbers do not match each other is damaged`(name: String, format: HandoverFormat) throws {
    let lines = try fixture(name).split(separator: "\n")
    var key = try #require(Data(base64Encoded: lines.dropFirst().dropLast().joined()))
    // RSA: the last number is the coefficient. P-256: the last one is the public point, and the private number is before it.
    let place = format == .cloudFrontCookie ? key.count - 1 : key.count - 70 - 1
    key[place] ^= 1
    let text = "\(lines[0])\n\(key.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed]))\n"
    #expect(
      try problem(text + lines[lines.count - 1], format)
        == "the numbers of the key do not match each other; the file is damaged")
  }

  @Test func `a file that others may read is no key`() throws {
    let line = String(repeating: "0", count: 64)
    for mode in [0o600, 0o640, 0o400, 0o440] { #expect(try problem(line, .jwtHS256, mode: mode) == nil) }
    for mode in [0o644, 0o604, 0o660, 0o602, 0o700] {
      #expect(try problem(line, .jwtHS256, mode: mode)?.contains(" 0\(String(mode, radix: 8))") == true)
    }
    #expect(throws: Problem.self) { try HandoverMinter(.usual(.jwtHS256), keyFile: "/nonexistent/key") }
    #expect(throws: Problem.self) { try HandoverMinter(.usual(.jwtHS256), keyFile: "/tmp") }
    #expect(throws: Problem.self) { try HandoverMinter(.usual(.jwtHS256), keyFile: "") }
  }

  @Test(arguments: [
    ("k; old.key", "k; old.key"), ("a\nb", #"a\u{a}b"#), ("say \"hi\"; x", #"say \"hi\"; x"#),
    ("back\\slash", #"back\\slash"#), ("\u{1B}[31m; red", #"\u{1b}[31m; red"#),
  ])
  func `a file's name is whole and escaped, whatever is in it`(name: String, shown: String) throws {
    for (text, format, cure) in [
      ("0", HandoverFormat.jwtHS256, "make one with: openssl rand -hex 32, and give it"),
      ("x", .jwtES256, "convert"),
      ("", .nginxSecureLink, "make one with: openssl rand -hex 32"),
      (try fixture("rsa.private.pem"), .jwtES256, "make"),
    ] {
      let path = try keys.file(text, named: name)
      let problem = #expect(throws: Problem.self) { try HandoverMinter(.usual(format), keyFile: path) }
      #expect(problem?.subject.hasSuffix("/\(shown)") == true && problem?.fact.contains("; ") == false, "\(shown)")
      #expect(problem?.cure?.hasPrefix(cure) == true, "\(problem?.description ?? "-")")
      try FileManager.default.removeItem(atPath: path)
    }
  }
}
