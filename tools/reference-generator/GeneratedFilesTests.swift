import Foundation
import MediaToken
import Testing

@testable import MediaTokenCommandLine
@testable import mediatoken
@testable import mediatokend

/// Files of the repository that are made of the tables: they are what these say now. tools/reference writes them.
@Suite("Generated files")
struct GeneratedFilesTests {
  private static let root = String(
    #filePath.dropLast("tools/reference-generator/GeneratedFilesTests.swift".count))

  private static func contents(_ path: String) throws -> String {
    try String(contentsOfFile: root + path, encoding: .utf8)
  }

  private static func article(
    _ path: String, tables: KeyValuePairs<String, MarkdownTable>
  ) throws -> GeneratedFile { try GeneratedFile(article: path, try contents(path), tables: tables) }

  private static func all() throws -> [GeneratedFile] {
    let (tool, daemon) = (CommandTable.mediatoken, DaemonCommand.table)
    let configuration = [
      (path: Completion.configuration, meaning: "What the installed service reads; see mediatokend.json(5).")
    ]
    return CommandPages(tool, date: Version.date, section: 1, related: ["mediatokend(8)"]).all
      + CommandPages(
        daemon, date: Version.date, section: 8, files: configuration,
        related: ["mediatoken(1)", "mediatokend.json(5)"]
      ).all
      + [
        SettingsPage.page(
          date: Version.date, version: Version.current, sample: try contents("deploy/mediatokend.sample.json")),
        HeaderPage.page(
          date: Version.date, version: Version.current,
          header: try contents("Sources/CMediaToken/include/mediatoken.h")),
        SettingsSchema.schema,
        try article(
          "Sources/mediatoken/mediatoken.docc/CommandLine.md",
          tables: [
            "commands": .commands(of: tool), "options of a hand-over": .options(HandoverOptions.all),
          ]),
      ] + Completion(tool).all + Completion(daemon).all
  }

  @Test func areWhatTheTablesSayAndNothingElseIsThere() throws {
    let files = try Self.all()
    if ProcessInfo.processInfo.environment["MEDIATOKEN_WRITE_REFERENCE"] == "yes" {
      for file in files { try file.text.write(toFile: Self.root + file.path, atomically: false, encoding: .utf8) }
    }
    for file in files {
      let found = try? Self.contents(file.path)
      #expect(
        found == file.text,
        "\(file.path) differs from the declarations; run tools/reference, and commit what it writes")
    }
    let paths = Set(files.map(\.path))
    for folder in ["manual", "deploy/completions"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: Self.root + folder) {
        #expect(paths.contains("\(folder)/\(name)"), "\(folder)/\(name) is made of no table; delete it")
      }
    }
  }
}
