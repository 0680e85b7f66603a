import Foundation
import MediaToken
import MediaTokenFormats
import Testing

/// The table that `Tests/Decisions/make.py` makes, and that a reader in Python agrees with.
@Suite("Decision documents")
struct DecisionCasesTests {
  private struct Case: CustomStringConvertible {
    let name: String
    let resource: ExpectedResource
    let document: [UInt8]
    let expect: String

    var description: String { name }
  }

  private static func cases() throws -> [Case] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Decisions/cases.ndjson")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return try lines.map { line in
      let line = try JSONTree(parsing: String(line).utf8Span.span)
      let document = try #require(
        text("document", line).map { Array($0.utf8) } ?? decoded(text("documentBase64", line)))
      var padding = 0
      if case .integer(let size)? = line["paddedTo"]?.value { padding = Int(size) - document.count }
      return Case(
        name: try #require(text("name", line)),
        resource: text("resource", line).map { .exactly($0) } ?? .anyResource,
        document: document + Array(repeating: UInt8(ascii: " "), count: padding),
        expect: try #require(text("expect", line)))
    }
  }

  private static func text(_ name: String, _ line: JSONTree) -> String? {
    guard case .string(let text)? = line[name]?.value else { return nil }
    return text
  }

  private static func decoded(_ text: String?) -> [UInt8]? {
    text.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
  }

  /// What comes of a document, in the words of the table.
  private static func outcome(_ document: [UInt8], _ resource: ExpectedResource) -> String {
    do throws(Problem) {
      switch try DecisionDocument(parsing: document.span).answer(for: resource) {
      case .token(let token, _): return "token \(token)"
      case .noToken(let noToken): return "no-token" + (noToken.code.map { " \($0)" } ?? "")
      }
    } catch {
      return "broken"
    }
  }

  @Test func everyCaseComesToWhatTheTableSays() throws {
    let cases = try Self.cases()
    #expect(cases.count >= 180)
    for each in cases { #expect(Self.outcome(each.document, each.resource) == each.expect, "\(each.name)") }
  }

  @Test func noResourceMatchesNothing() {
    let document = Array(
      #"{"decisions":[{"resource":"TNT","authorized":true,"token":{"serializedToken":"x"}}]}"#.utf8)
    #expect(Self.outcome(document, .exactly("TNT")) == "token x")
    #expect(Self.outcome(document, .noMatch) == "broken")
  }

  @Test func anErrorSaysWhereAndNeverRepeatsAValue() throws {
    for (text, said) in [
      (#"{"decisions":[{"token":{"serializedToken":"SECRET"}"#, "line 1, column 51: the JSON text ends too early"),
      ("{\n\"decisions\": \"SECRET\"}", "expected an array in decisions, found a string"),
      (
        "{\"decisions\": [\n{\"authorized\": \"SECRET\"}]}",
        "expected true or false in authorized, found a string"
      ),
      ("{\"decisions\": [\n\n{\"resource\": 424242}]}", "expected a string in resource, found a number"),
      (
        #"{"decisions":[{"resource":"SECRET","authorized":true}]}"#,
        "none of the decisions is about the resource (1 found)"
      ),
      (
        #"{"decisions":[{"resource":"TNT"},{"resource":"TNT"}]}"#,
        "expected one decision about the resource, found 2"
      ),
      (#"{"decisions":["SECRET"]}"#, "expected an object in a decision, found a string"),
      (#"{"decisions":[{"x":{"x":1,"x":"SECRET"}}]}"#, "x is given twice"),
    ] {
      let error = #expect(throws: Problem.self) {
        try DecisionDocument(parsing: text.utf8Span.span).answer(for: .exactly("TNT"))
      }
      let description = error?.description ?? ""
      #expect(description.contains(said), "\(description)")
      #expect(!description.contains("SECRET") && !description.contains("424242"))
    }
  }
}
