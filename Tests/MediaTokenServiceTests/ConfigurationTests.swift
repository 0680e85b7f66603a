import Foundation
import Glibc
import MediaToken
import MediaTokenSystem
import Testing

@testable import MediaTokenService

@Suite struct ConfigurationTests {
  static func parse(_ text: String) throws -> Configuration {
    try ConfigurationFile.parse(Array(text.utf8).span)
  }

  /// A complete configuration in which one line is replaced or added; the line that is changed is number 3.
  static func text(_ line: String) -> String {
    let sections = [
      ("socket", #"{"path": "/run/s"}"#), ("keys", #"["/k"]"#), ("replay", #"{"address": "shared:/t"}"#),
      ("tenants", #"[{"requestor": "A"}, {"requestor": "B", "resources": ["x"]}]"#),
    ]
    let name = String(line.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" })
    let kept = sections.filter { $0.0 != name }.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
    return "{\n\n\(line),\n\(kept)\n}"
  }

  @Test func sampleIsACompleteConfiguration() throws {
    let path =
      #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/deploy/mediatokend.sample.json"
    let copy = "/tmp/mediatoken-sample-\(getpid()).json"
    // A checkout may be writable by its group, and such a file is refused.
    let bytes = try #require(try? TrustedFileCopy.copy(path, to: copy))
    defer { _ = unsafe unlink(copy) }
    #expect(bytes > 0)
    let configuration = try ConfigurationFile.read(copy)
    #expect(configuration.socket.path == "/run/mediatokend/mediatokend.sock")
    #expect(configuration.replay.address == .shared(path: "/var/lib/mediatoken/replay.table", capacity: 1_000_000))
    #expect(configuration.tenants.map(\.requestor) == ["REF30"])
    #expect(configuration.tenants[0].policy.maxTTLMilliseconds == Policy.standard.maxTTLMilliseconds)
    #expect(configuration.auth?.routes.count == 3)
    // What the sample shows as limits, deadlines and log is what there is without them.
    #expect(configuration.limits == SizeLimits())
    #expect(configuration.deadlines == Deadlines())
    #expect(configuration.log == LogSettings())
  }

  private static let mistakes: [(String, String)] = {
    let file = URL(filePath: #filePath).appending(path: "../../Cases/settings.txt").standardizedFileURL
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { row in
      let cells = row.components(separatedBy: "  ")
      return (cells[0], cells[1])
    }
  }()

  @Test func mistakesAreThere() { #expect(Self.mistakes.count > 80) }

  @Test(arguments: mistakes)
  func everyMistakeNamesItsKey(key: String, line: String) {
    do {
      _ = try Self.parse(Self.text(line))
      Issue.record("accepted: \(line)")
    } catch let error as Problem {
      #expect(error.code == key, "\(error)")
      let named = error.inFile("/etc/f.json").description
      #expect(named.hasPrefix("/etc/f.json: \(key): "), "\(named)")
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func brokenJSONNamesTheLine() {
    let texts = [
      ("{\n\"keys\": [,]\n}", 2), ("{\n\n\"keys\": 1,\n\"keys\": 2}", 4), ("{\"a\": \"\u{0}\"}", 1), ("[]", 1),
      ("", 1),
    ]
    for (text, line) in texts {
      let error = #expect(throws: Problem.self) { try Self.parse(text) }
      #expect(
        error?.description.hasPrefix("line \(line): ") == true, "\(text): \(error.map { $0.description } ?? "-")")
    }
  }

  @Test func keysAreFoundWhateverTheLayout() {
    // Strings with brackets, commas, quotes and line breaks' escapes in them.
    let text = #"""
      {"socket": {"path": "/a\"],{\\"},
       "keys"
         :
       ["/k,]}", "\u005b"
       ], "replay": {"address":
        "none:"}, "tenants": [ {"requestor":"A"},
        {"requestor":"B"}, { "requestor":
        "C", "resources": ["x",

        1]}]}
      """#
    let error = #expect(throws: Problem.self) { try Self.parse(text) }
    #expect(error?.code == "tenants[2].resources[1]")
  }

  @Test(arguments: ["c; old.json", "a\nb", "say \"hi\"; x", "back\\slash", "\u{1B}[31m; red"])
  func aFilesNameIsWholeAndEscaped(name: String) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "mt-\(UInt64.random(in: 0 ... .max))-\(name)")
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let shown = DisplayText.escaped(path)
    let missing = #expect(throws: Problem.self) { try ConfigurationFile.read(path) }
    #expect(missing?.description == "\(shown): cannot be opened: no such file or directory")
    for (text, subject, sentence) in [
      ("{\n,", shown, "line 2: not JSON"), (Self.text(#""threads": "x""#), "\(shown): threads", "expected "),
    ] {
      try text.write(toFile: path, atomically: false, encoding: .utf8)
      let problem = #expect(throws: Problem.self) { try ConfigurationFile.read(path) }
      #expect(
        problem?.subject == subject && problem?.fact.hasPrefix(sentence) == true, "\(problem?.description ?? "-")")
    }
  }

  /// `String ==` takes one spelling for the other: two tenants, two resources and two routes would be one.
  @Test func spellingsThatLookAlikeAreTwoNames() throws {
    let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
    #expect(composed == decomposed)
    let configuration = try Self.parse(
      """
      {"socket": {"path": "/run/s"}, "keys": ["/k"], "replay": {"address": "shared:/t"},
       "tenants": [{"requestor": "\(composed)", "resources": ["\(composed)", "\(decomposed)"]},
                   {"requestor": "\(decomposed)", "resources": ["\(decomposed)"]}],
       "auth": {"tokenHeader": "X-A", "routes": [
         {"prefix": "/\(composed)", "requestor": "\(composed)", "resource": "\(decomposed)"},
         {"prefix": "/\(decomposed)", "requestor": "\(decomposed)", "resource": "\(decomposed)"}]}}
      """)
    #expect(configuration.tenants.map(\.requestor) == [ExactText(composed), ExactText(decomposed)])
    #expect(configuration.tenants[0] != configuration.tenants[1])
    #expect(configuration.auth.map { Set($0.routes).count } == 2)
    // A tenant's resources are its own: the second one does not have the first one's spelling.
    let error = #expect(throws: Problem.self) {
      try Self.parse(
        """
        {"socket": {"path": "/run/s"}, "keys": ["/k"], "replay": {"address": "shared:/t"},
         "tenants": [{"requestor": "A", "resources": ["\(decomposed)"]}],
         "auth": {"tokenHeader": "X-A", "routes": [{"prefix": "/", "requestor": "A", "resource": "\(composed)"}]}}
        """)
    }
    #expect(error?.code == "auth.routes")
  }

  /// A file's name is bytes: a socket or a table whose new name only looks like the old one needs a restart.
  @Test(arguments: ["socket", "replay"])
  func pathThatLooksLikeTheOldOneIsAnotherPath(section: String) throws {
    func configuration(_ name: String) throws -> Configuration {
      try Self.parse(
        Self.text(
          section == "socket"
            ? "\"socket\": {\"path\": \"/run/\(name)\"}" : "\"replay\": {\"address\": \"shared:/\(name)\"}"))
    }
    let (old, new) = (try configuration("Caf\u{E9}"), try configuration("Cafe\u{301}"))
    #expect(new.sectionThatNeedsRestart(comparedWith: old) == section)
    #expect(old.sectionThatNeedsRestart(comparedWith: old) == nil)
  }

  @Test func retryWindowNeedsAHeader() {
    let error = #expect(throws: Problem.self) {
      try Self.parse(Self.text(#""replay": {"address": "shared:/t", "retryWindowMilliseconds": 1000}"#))
    }
    #expect(error?.sentence.contains("requestIDHeader") == true)
  }

  @Test func valuesAreNeverRepeatedInMessages() {
    let secret = "PHNpZ25hdHVyZUluZm8-secret"
    for line in [
      #""replay": {"address": "\#(secret)"}"#, #""replay": {"address": "redis:prod@user:\#(secret)@a:1"}"#,
      #""replay": {"address": "redis:\#(secret)@a:1"}"#, #""replay": {"address": "redis:prod@a:\#(secret)"}"#,
      #""replay": {"address": "redis:prod@a:1", "fleet": {"localTable": "redis:prod@u:\#(secret)@b:1"}}"#,
      #""allowRSA1024": ["\#(secret)"]"#, #""\#(secret)": 1"#,
      #""log": {"verdicts": "\#(secret)"}"#, #""socket": {"path": "/s", "owner": "\#(secret)"}"#,
    ] {
      let error = #expect(throws: Problem.self) { try Self.parse(Self.text(line)) }
      #expect(error?.description.contains("secret") == false)
    }
  }
}

/// Copies a file so that only its owner may write it.
enum TrustedFileCopy {
  static func copy(_ path: String, to copy: String) throws -> Int {
    let input = unsafe open(path, O_RDONLY)
    let output = unsafe open(copy, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer {
      close(input)
      close(output)
    }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe read(input, &bytes, bytes.count)
    return unsafe write(output, bytes, max(0, count))
  }
}
