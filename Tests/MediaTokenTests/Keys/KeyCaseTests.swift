import Foundation
import Testing

@testable import MediaToken

/// The cases of `Tests/Cases/keys`; `kinds.txt` begins with the words of a case.
@Suite("Keys: cases")
struct KeyCaseTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var lines: [String] = []
  }

  static let all: [Case] = ["files.txt", "kinds.txt"].flatMap { name in
    let file = KeyFixture.repository.appending(path: "Tests/Cases/keys/\(name)")
    var cases: [Case] = []
    for line in ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n") {
      if line.hasPrefix("== ") {
        cases.append(Case(testDescription: "\(name): \(line.dropFirst(3))"))
      } else if !line.hasPrefix("# "), !cases.isEmpty {
        cases[cases.count - 1].lines.append(String(line))
      }
    }
    return cases
  }

  @Test func casesAreThere() { #expect(Self.all.count >= 36) }

  /// The fixtures, with the modes of a folder that is trusted: a checkout may be writable by its group.
  private static let fixtures = Result { () throws -> ScratchFolder in
    let folder = try ScratchFolder()
    let source = KeyFixture.repository.appending(path: "Tests/Fixtures/keys").path(percentEncoded: false)
    #expect(try folder.run("cp '\(source)'/* . && chmod 600 *"))
    return folder
  }

  @Test(arguments: all) func keysOfACase(_ one: Case) throws {
    let (folder, fixtures) = (try ScratchFolder(), try Self.fixtures.get().path)
    var problem: Problem?
    for line in one.lines {
      if line == "cure" {
        let command = try Self.command(in: try #require(problem).description)
        #expect(
          try folder.run(command, input: String(repeating: KeyFixture.password + "\n", count: 3)), "\(command)")
      } else if line.hasPrefix("needs ") {
        if try !folder.run("command -v \(line.dropFirst("needs ".count))") { return }
      } else if line.hasPrefix("read ") {
        problem = try Self.read(line.replacing("$K", with: fixtures), folder.path, fixtures)
      } else {
        #expect(try folder.run("K='\(fixtures)'; umask 077; set -e; " + line), "\(line)")
      }
    }
  }

  private static func read(_ line: String, _ folder: String, _ fixtures: String) throws -> Problem? {
    let (asked, wanted) = try halves(of: line)
    var (paths, consent, password) = ([String](), WeakKeyConsent.any, String?.none)
    for word in words(of: asked).dropFirst() {
      if word.hasPrefix("password=") {
        password = String(word.dropFirst("password=".count))
      } else if word.hasPrefix("allow=") {
        consent = try self.consent(word.dropFirst("allow=".count))
      } else {
        paths.append(word.isEmpty || word.hasPrefix("/") ? word : word == "." ? folder : "\(folder)/\(word)")
      }
    }
    do throws(Problem) {
      let keys = try TrustedKeys(readingFiles: paths, consent: consent, keystorePassword: password).keys
      func short(_ text: String) -> String {
        text.replacing(fixtures + "/", with: "").replacing(folder + "/./", with: "").replacing(
          folder + "/", with: "")
      }
      let expected = wanted.split(separator: " ").map { String($0) }
      if expected.first == "!" { Issue.record("\(line): they are not refused") }
      switch expected.first {
      case "!": break
      case "files": #expect(keys.map { short($0.origin.file) } == Array(expected.dropFirst()), "\(line)")
      case "from": #expect("from " + short(keys.first?.origin.description ?? "") == wanted, "\(line)")
      case "set":
        #expect(Set(keys.map(\.fingerprint)) == Set(fingerprints(expected.dropFirst())), "\(line)")
        #expect(keys.count == expected.count - 1, "\(line)")
      default: #expect(keys.map(\.fingerprint) == fingerprints(expected[...]), "\(line)")
      }
      return nil
    } catch {
      let code = error.code.map { "[\($0)] " } ?? ""
      let found = (code + error.description).replacing(fixtures + "/", with: "").replacing(folder + "/", with: "")
      let text = withFingerprints(wanted.dropFirst(2))
      let isSaid = text.last == "$" ? found.hasSuffix(text.dropLast()) : found.contains(text)
      #expect(wanted.hasPrefix("! ") && isSaid, "\(line): \(found)")
      return error
    }
  }

  /// What a message says that is to be done, without the advice in parentheses after it.
  private static func command(in message: String) throws -> String {
    let start = try #require(message.firstMatch(of: #/(run|convert it|export a certificate): /#)).range.upperBound
    return message[start...].components(separatedBy: " (")[0].replacing("ALIAS", with: "signer")
  }

  private static func halves(of line: String) throws -> (String, String) {
    let arrow = try #require(line.range(of: " -> "), "\(line)")
    return (String(line[..<arrow.lowerBound]), String(line[arrow.upperBound...]))
  }

  /// Words without their quotation marks.
  private static func words(of line: String) -> [String] {
    line.matches(of: /(?:"[^"]*"|[^ "])+/).map { String($0.output).replacing("\"", with: "") }
  }

  private static func fingerprints(_ names: ArraySlice<String>) -> [Fingerprint?] {
    names.map { try? KeyFixture.fingerprint($0) }
  }

  private static func consent(_ names: Substring) throws -> WeakKeyConsent {
    if names == "none" { return .none }
    return .given(
      Set(
        try names.split(separator: ",").map { name in
          if name.hasPrefix("rsa") { return .sha256(try KeyFixture.fingerprint(String(name))) }
          return try #require(GivenFingerprint(hexadecimal: String(name)))
        }))
  }

  private static func withFingerprints(_ text: Substring) -> String {
    String(text).replacing(/\{(rsa\d+)\}/) {
      (try? KeyFixture.fingerprint(String($0.output.1)))?.description ?? "?"
    }
  }
}
