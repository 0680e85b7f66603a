import Foundation
import MediaToken
import MediaTokenSystem
import Testing

@Suite struct FleetCredentialsTests {
  private func parse(_ text: String, nodes: Int = 3) throws -> FleetCredentials {
    try FleetCredentials(parsing: Array(text.utf8), of: "nodes", nodes: nodes)
  }

  @Test func `a node has its own line's user, or all others'`() throws {
    let credentials = try parse("# nodes\n\n2 two p2\n* all pa\n3 three p#3\n")
    #expect([1, 2, 3].map { credentials.credential(ofNode: $0)?.user } == ["all", "two", "three"])
    #expect([1, 2, 3].map { credentials.credential(ofNode: $0)?.password } == ["pa", "p2", "p#3"])
    #expect(try parse("2 two p2").credential(ofNode: 1) == nil)
    #expect(try parse("").credential(ofNode: 1) == nil)
  }

  private static let form =
    "not NUMBER USER PASSWORD or * USER PASSWORD, three words of printable ASCII with one space between them"
  private static let node = "it begins neither with the number of a node, 1 to 3, nor with *"
  private static let again = "an earlier line is for the same node or keyword"

  @Test(arguments: [
    ("1 user", 1, Self.form), ("\n1 user secret more", 2, Self.form),
    ("1  user secret", 1, Self.form), (" 1 user secret", 1, Self.form), ("1 user secret ", 1, Self.form),
    ("1 user sec\tret", 1, Self.form),
    ("1 user secret\r\n", 1, Self.form), ("1 user sécret", 1, Self.form), ("1 user sec\u{0}ret", 1, Self.form),
    ("1 user secret\n4 user secret", 2, Self.node), ("0 user secret", 1, Self.node),
    ("01 user secret", 1, Self.node), ("+1 user secret", 1, Self.node), ("x user secret", 1, Self.node),
    ("1 user secret\n1 user secret", 2, Self.again), ("* user secret\n* user secret", 2, Self.again),
  ]) func `a line that is wrong is named, and nothing that is in it`(
    text: String, line: Int, problem: String
  ) throws {
    let error = try #require(throws: Problem.self) { try parse(text) }
    #expect(error.description == "nodes: line \(line): \(problem)")
    #expect(!error.description.contains("secret") && !"\(error)".contains("ret"))
  }

  @Test func `no text shows a password`() throws {
    let credentials = try parse("1 user secret\n* others hidden\n")
    let one = try #require(credentials.credential(ofNode: 1))
    let inUse = Monitor(credentials)
    var dumped = ""
    for value in [credentials, one, [credentials], [1: one], inUse] as [Any] {
      dumped += "\(value) \(String(reflecting: value)) "
      dump(value, to: &dumped)
    }
    for word in ["secret", "hidden"] { #expect(!dumped.contains(word)) }
  }

  @Test func `a file is read if others may not read it`() throws {
    let fleet = try FleetAddress(redis: "test@a:1,b:1,c:1")
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "mt-c-\(UInt32.random(in: 0 ... .max))"
    ).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    for (mode, isRead) in [
      (0o600, true), (0o640, true), (0o400, true), (0o440, true), (0o644, false), (0o660, false), (0o604, false),
      (0o700, false), (0o4600, false),
    ] {
      try? FileManager.default.removeItem(atPath: path)
      #expect(FileManager.default.createFile(atPath: path, contents: Data("1 user word-of-node-1\n".utf8)))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      if isRead {
        #expect(try FleetCredentials(file: path, of: fleet).credential(ofNode: 1)?.user == "user")
        continue
      }
      let error = try #require(throws: Problem.self) { try FleetCredentials(file: path, of: fleet) }
      // A file that others may write is refused, like every file that decides something.
      let said = error.description
      #expect(
        said.hasPrefix("\(path): expected mode") || said.hasPrefix("\(path): the file \(path) may be changed"))
      #expect(said.contains(" 0\(String(mode, radix: 8))") && !said.contains("word-of-node"))
    }
    #expect(throws: Problem.self) { try FleetCredentials(file: path + "-missing", of: fleet) }
  }
}
