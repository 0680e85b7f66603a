import Foundation
import MediaTokenHandover
import Testing

@Suite struct HandoverKeyTests {
  private let keys: KeyFixture

  init() throws { keys = try KeyFixture() }

  /// What is wrong with a key's file of this text; nil if it is taken.
  private func problem(_ text: String, _ format: HandoverFormat, mode: Int = 0o600) throws -> HandoverError
    .KeyProblem?
  {
    let path = try keys.file(text, mode: mode)
    do throws(HandoverError) {
      _ = try HandoverMinter(.usual(format), keyFile: path)
      return nil
    } catch {
      guard case .key(path, let problem) = error else { throw error }
      #expect(text.isEmpty || !error.description.contains(text.prefix(30)))
      return problem
    }
  }

  @Test(arguments: [(HandoverFormat.akamaiEdgeAuth, 32), (.commonAccessToken, 64), (.jwtHS256, 64)])
  func `an HMAC's key is one line of hexadecimal digits`(format: HandoverFormat, least: Int) throws {
    let digits = String(repeating: "0aF9", count: 40)
    for count in [2, 24, 30, 31, 32, 33, 34, 62, 63, 64, 65, 66, 128, 129, 130] {
      let isTaken = (least...128).contains(count) && count.isMultiple(of: 2)
      for end in ["", "\n", "\r", "\r\n"] {
        let problem = try problem(digits.prefix(count) + end, format)
        #expect(problem == (isTaken ? nil : .notHexadecimal(least: least, found: count)))
        #expect(problem?.description.contains("found \(count) digits") != false)
      }
    }
    #expect(try problem("", format) == .notHexadecimal(least: least, found: 0))
    #expect(try problem("\n", format) == .notHexadecimal(least: least, found: 0))
    let line = String(digits.prefix(64))
    for text in [
      line + "\n\n", "\n" + line, line + "\r\r\n", "\r" + line, " " + line, line + " ", line + "\n" + line,
      "0x" + line,
      line.dropLast() + "g", line.dropLast(2) + "é", line + "\n\r", "\u{FEFF}" + line,
    ] { #expect(try problem(text, format) == .notHexadecimal(least: least, found: nil)) }
  }

  @Test func `nginx's secret is one line that needs no quotes`() throws {
    let text = String(repeating: "aZ0_-9", count: 30)
    for (count, isTaken) in [(31, false), (32, true), (128, true), (129, false)] {
      #expect(try problem(String(text.prefix(count)), .nginxSecureLink) == (isTaken ? nil : .notSecret))
      #expect(try problem(text.prefix(count) + "\n", .nginxSecureLink) == (isTaken ? nil : .notSecret))
    }
    for end in ["\r", "\r\n"] { #expect(try problem(text.prefix(40) + end, .nginxSecureLink) == .carriageReturn) }
    for last in ["$", " ", ";", "\"", "{", "+", "/", "=", "\t", "é", "\u{0}"] {
      #expect(try problem(text.prefix(40) + last, .nginxSecureLink) == .notSecret)
    }
  }

  private func fixture(_ name: String) throws -> String {
    try String(contentsOf: KeyFixture.fixtures.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func `a private key is one PEM in PKCS8 and of the right kind`() throws {
    let (rsa, curve) = (try fixture("rsa.private.pem"), try fixture("ec.private.pem"))
    #expect(try problem(rsa, .cloudFrontCookie) == nil)
    #expect(try problem(curve, .jwtES256) == nil)
    #expect(try problem(curve, .cloudFrontCookie) == .notRSA2048)
    #expect(try problem(rsa, .jwtES256) == .notP256)
    for (text, format) in [(rsa, HandoverFormat.cloudFrontCookie), (curve, .jwtES256)] {
      #expect(try problem(text.replacing("\n", with: "\r\n"), format) == nil)
      for wrong in [
        "", "\u{0}", text + text, "text\n" + text, text + "text\n",
        text.replacing("PRIVATE KEY", with: "RSA PRIVATE KEY"),
        text.replacing("PRIVATE KEY", with: "ENCRYPTED PRIVATE KEY"), String(text.dropLast(30)),
        text.replacing("\n", with: ""), text.replacing("\n", with: "\r"),
        text.replacing("M", with: "N"),
      ] { #expect(try problem(wrong, format) == .notPKCS8) }
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
    #expect(try problem(text + lines[lines.count - 1], format) == .damaged)
  }

  @Test func `a file that others may read is no key`() throws {
    let line = String(repeating: "0", count: 64)
    for mode in [0o600, 0o640, 0o400, 0o440] { #expect(try problem(line, .jwtHS256, mode: mode) == nil) }
    for mode in [0o644, 0o604, 0o660, 0o602, 0o700] {
      guard case .file(let error) = try problem(line, .jwtHS256, mode: mode) else {
        Issue.record("mode \(String(mode, radix: 8)) is taken")
        continue
      }
      #expect(error.contains("0\(String(mode, radix: 8))"))
    }
    #expect(throws: HandoverError.self) { try HandoverMinter(.usual(.jwtHS256), keyFile: "/nonexistent/key") }
    #expect(throws: HandoverError.self) { try HandoverMinter(.usual(.jwtHS256), keyFile: "/tmp") }
    #expect(throws: HandoverError.self) { try HandoverMinter(.usual(.jwtHS256), keyFile: "") }
  }
}
