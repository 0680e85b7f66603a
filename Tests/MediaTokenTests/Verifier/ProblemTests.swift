import Foundation
import MediaTokenSystem
import MediaTokenTesting
import Testing

@testable import MediaToken

/// Names that others chose are in what is wrong, whole and escaped, and never in the place of the cure.
@Suite struct ProblemTests {
  private static let names = [
    "k; old.pem", "a\nb.pem", "say \"hi\"; bye.pem", "back\\slash.pem", "\u{1B}[31mred; x.pem", "a: b; c.pem",
    "it's; mine.pem", "no\r; \u{202E}mep.pem",
  ]
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "mt-problem-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// What can be in a file, with its mode, and what is wrong with it then.
  private static let files: [(content: String?, mode: Int, fact: String, hasCure: Bool)] = [
    (nil, 0o600, "cannot be opened: no such file or directory", false),
    ("", 0o600, "the file is empty", false),
    ("x", 0o600, "the file is not PEM, DER or a JKS keystore, or it is damaged", false),
    ("x", 0o666, "the file ", true),
    ("-----BEGIN RSA PUBLIC KEY-----\n", 0o600, "expected a public key, a certificate or a JKS keystore", true),
    ("-----BEGIN PUBLIC KEY-----\n", 0o600, "the PEM block has no END line", true),
  ]

  private func make(_ path: String, _ content: String?, _ mode: Int) throws {
    guard let content else { return }
    try content.write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private func check(_ problem: Problem?, _ path: String, _ fact: String, hasCure: Bool?) throws {
    let problem = try #require(problem)
    let shown = DisplayText.escaped(path)
    let whole = "\(problem.subject): \(problem.fact)"
    #expect(whole.contains(": \(shown)") || whole.hasPrefix(shown), "\(problem)")
    #expect(whole.contains(": \(fact)"), "\(problem)")
    #expect(!whole.replacing(shown, with: "").contains("; "), "\(problem)")
    if let hasCure { #expect((problem.cure != nil) == hasCure, "\(problem)") }
    #expect(problem.description == whole + (problem.cure.map { "; \($0)" } ?? ""))
    #expect(problem.description.unicodeScalars.allSatisfy(VisibleText.shows))
  }

  private func problems(_ body: () throws(SetupError) -> TokenVerifier) -> [Problem] {
    do throws(SetupError) {
      _ = try body()
      return []
    } catch {
      return error.problems
    }
  }

  @Test(arguments: names) func `a file of keys`(name: String) throws {
    let path = folder.appending(path: name).path
    for file in Self.files {
      try make(path, file.content, file.mode)
      let found = problems { () throws(SetupError) in
        try TokenVerifier(keys: .files(path), oneUse: .notEnforced)
      }
      #expect(found.map(\.subject) == ["keys"])
      try check(found.first, path, "", hasCure: file.hasCure)
      #expect(found.first?.fact.contains(file.fact) == true)
      let inMemory = KeyFile(name: name, bytes: Array("x".utf8))
      let problem = #expect(throws: Problem.self) { try TrustedKeys(parsing: [inMemory], consent: .none) }
      #expect(problem?.subject == DisplayText.escaped(name) && problem?.cure == nil)
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  @Test(arguments: names) func `a replay table`(name: String) throws {
    let path = folder.appending(path: name).path
    for (content, mode, fact) in [
      (nil, 0o600, "there is no file"), ("x", 0o600, "it is not a replay table, or half of one"),
      ("x", 0o640, "expected the mode 0600, or 0660 to share it with a group, found 0640"),
    ] as [(String?, Int, String)] {
      try make(path, content, mode)
      let found = problems { () throws(SetupError) in
        try TokenVerifier(keys: .pem("x"), oneUse: .shared(path))
      }
      #expect(found.map(\.subject) == ["keys", "oneUse"])
      #expect(found.last?.fact == "\(DisplayText.escaped(path)): \(fact)")
      try check(found.last, path, fact, hasCure: true)
    }
  }

  @Test(arguments: names) func `a file of secrets, and a line of credentials`(name: String) throws {
    let path = folder.appending(path: name).path
    try make(path, "1 user", 0o600)
    let line = #expect(throws: Problem.self) {
      try FleetCredentials(file: path, of: FleetAddress(redis: "f@a:1"))
    }
    #expect(line?.subject == DisplayText.escaped(path) && line?.fact.hasPrefix("line 1: not NUMBER") == true)
    try check(line, path, "line 1: not NUMBER", hasCure: false)
    try make(path, "", 0o604)
    let mode = #expect(throws: Problem.self) { try TrustedFile.secret(path) }
    try check(mode, path, "expected mode 0600 or 0640, found 0604", hasCure: true)
    #expect(mode?.cure?.hasPrefix("run: chmod 0600 ") == true)
  }

  @Test func `a problem inside another keeps its cure and its code`() {
    let problem = Problem("f", "it is so", cure: "do that", code: "c")
    #expect(problem.about("keys") == Problem("keys", "f: it is so", cure: "do that", code: "c"))
    #expect(Problem("it is so").about("keys").description == "keys: it is so")
    #expect(problem.sentence == "it is so; do that" && problem.cured("x").description == "f: it is so; x")
    #expect(Problem(.outOfMemory).fault == .outOfMemory && problem.fault == nil)
  }
}
