import Foundation
import Testing

@testable import MediaTokenHTTP

extension HTTPTests {
  /// The cases of `Tests/Cases/exchanges.txt`, each with a server of its own.
  @Suite("Cases")
  struct HTTPCaseTests {
    struct Case: Sendable, CustomTestStringConvertible {
      let testDescription: String
      var lines: [String] = []
    }

    static let all: [Case] = {
      let file = URL(filePath: #filePath).appending(path: "../../Cases/exchanges.txt").standardizedFileURL
      var cases: [Case] = []
      for line in ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n") {
        if line.hasPrefix("== ") {
          cases.append(Case(testDescription: String(line.dropFirst(3))))
        } else if !line.hasPrefix("# "), !cases.isEmpty {
          cases[cases.count - 1].lines.append(String(line))
        }
      }
      return cases.flatMap(rows)
    }()

    /// The case once for each row of its table: one word, or one cell for each name with two spaces between them.
    private static func rows(of one: Case) -> [Case] {
      guard let names = one.lines.first(where: { $0.hasPrefix("each ") })?.split(separator: " ").dropFirst() else {
        return [one]
      }
      let table = one.lines.filter { $0.hasPrefix("  ") }.map { $0.trimmingCharacters(in: .whitespaces) }
      let rows =
        names.count > 1
        ? table.map { $0.components(separatedBy: "  ") }
        : table.flatMap { $0.split(separator: " ").map { [String($0)] } }
      let steps = one.lines.filter { !$0.hasPrefix("  ") && !$0.hasPrefix("each ") }
      return rows.map { cells in
        let lines = steps.map { step in
          zip(names, cells).reduce(step) { $0.replacing("$\($1.0)", with: $1.1) }
        }
        return Case(testDescription: "\(one.testDescription): \(cells[0])", lines: lines)
      }
    }

    @Test func casesAreThere() { #expect(Self.all.count >= 50) }

    @Test(arguments: all) func everyAnswerIsWhatItsCaseSays(_ one: Case) throws {
      let bound = one.lines.first { $0.hasPrefix("discards ") }.flatMap { Int($0.dropFirst("discards ".count)) }
      var (fixture, client) = try HTTPFixture.connected { options in
        if let bound { options.discardedBytes = bound }
      }
      for line in one.lines {
        let words = line.split(separator: " ", maxSplits: 1)
        let rest = words.count > 1 ? String(words[1]) : ""
        switch words[0] {
        case ">": client.send(Self.sent(rest))
        case ".": for byte in Self.sent(rest) { client.send([byte]) }
        case "<": Self.expect(rest, of: client.readAnswer(), line)
        case "<<": Self.expect(rest, of: client.readAll(), line)
        case "continue":
          #expect(String(decoding: client.read(), as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n", "\(line)")
        case "connect": client = try fixture.connect()
        case "finish": client.finishSending()
        case "taken": #expect(client.send("x"), "the server still takes what is sent")
        case "sleep": usleep((UInt32(rest) ?? 0) * 1000)
        case "count": #expect(rest == "\(words[1].prefix { $0 != " " }) \(Self.count(rest, fixture))", "\(line)")
        case "discards": break
        default: Issue.record("\(line)")
        }
      }
    }

    /// `{text*count}` is the text so often.
    private static func sent(_ text: String) -> [UInt8] {
      let whole = text.replacing("^", with: #" HTTP/1.1\r\nHost: a\r\n"#)
      let repeated = whole.replacing(/\{([^{}]*)\*(\d+)\}/) { found in
        String(repeating: String(found.output.1), count: Int(found.output.2) ?? 0)
      }
      return HTTPStrictnessTests.bytes(repeated)
    }

    /// Statuses, texts that are in the answer, one that it ends with, and `` !`text` `` that is not in it.
    private static func expect(_ wanted: String, of answer: String, _ line: String) {
      let statuses = wanted.split(separator: " ").prefix { $0.allSatisfy(\.isNumber) }.compactMap { Int($0) }
      #expect(answer.statuses == statuses, "\(line): \(answer.prefix(300))")
      for found in wanted.matches(of: /(ends |!|)`([^`]*)`/) {
        let text = String(decoding: HTTPStrictnessTests.bytes(String(found.output.2)), as: UTF8.self)
        let isSo =
          switch found.output.1 {
          case "!": !answer.contains(text)
          case "ends ": answer.hasSuffix(text)
          default: answer.contains(text)
          }
        #expect(isSo, "\(line): \(answer.suffix(300))")
      }
    }

    private static func count(_ name: String, _ fixture: HTTPFixture) -> Int {
      name.hasPrefix("answers") ? fixture.handler.answers.value : fixture.server?.counters.malformed.value ?? -1
    }
  }
}
