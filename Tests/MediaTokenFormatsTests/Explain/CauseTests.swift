import Foundation
import MediaToken
import Testing

@testable import MediaTokenFormats

/// What explains a refusal: the verdict stays what it is, and the step that failed says what a program on the way did.
@Suite struct CauseTests {
  let fixture: ExplainFixture

  init() throws { fixture = try ExplainFixture() }

  /// The values of a step's notes of this name.
  static func notes(_ explained: ExplainedToken, _ name: String) -> [String] {
    explained.explanation.reports.first { $0.outcome == .failed }?.notes.filter { "\($0.name)" == name }.map(
      \.value) ?? []
  }

  /// The token with its signed bytes changed.
  func token(of resource: String, _ change: (String) -> String) throws -> [UInt8] {
    let text = String(decoding: try fixture.token(resource: resource), as: UTF8.self)
    let marker = try #require(
      text.dropFirst().ranges(of: "<signatureInfo>").first ?? text.dropFirst().ranges(of: "</signatureInfo>").first)
    return Array((text[..<marker.upperBound] + change(String(text[marker.upperBound...]))).utf8)
  }

  static let changes: [(Change, String, @Sendable (String) -> String)] = [
    (.textAfterIt, "TNT", { $0 + "\n\n-" }), (.textAfterIt, "TNT", { $0 + "</token>" }),
    (.textAfterIt, "TNT", { $0 + " \u{0}" }),
    (.percentEscapesLeft, "TNT East", { $0.replacing(" ", with: "%20") }),
    (.percentEscapesLeft, "A/B", { $0.replacing("/B", with: "%2FB") }),
    (.plusMadeSpace, "AMC+", { $0.replacing("+", with: " ") }),
    (.plusMadeSpace, "A+B+C", { $0.replacing("+", with: " ") }),
    (.spaceMadePlus, "TNT", { $0.replacing(" ", with: "+") }),
    (.plusDoubled, "AMC+", { $0.replacing("C+", with: "C++") }),
    (.whiteSpaceBetweenTags, "TNT", { $0.replacing("><", with: ">\n  <") }),
    (.whiteSpaceBetweenTags, "TNT", { "\n" + $0.replacing("><", with: "> <") }),
    (.escapesEscaped, "A&E", { $0.replacing("&amp;", with: "&amp;amp;") }),
    (.escapesDecoded, "A&E", { $0.replacing("&amp;", with: "&") }),
    (.lineEndsChanged, "a\nb", { $0.replacing("\n", with: "\r\n") }),
    (
      .latin1ReadAsUTF8, "Televisión",
      { String(String.UnicodeScalarView(Array($0.utf8).map { Unicode.Scalar($0) })) }
    ),
  ]

  @Test(arguments: changes.indices)
  func changeAfterSigningIsNamed(index: Int) throws {
    let (change, resource, apply) = Self.changes[index]
    let changed = try token(of: resource, apply)
    let explained = fixture.explain(changed)
    #expect([.signatureMismatch, .signatureSize].contains(explained.reason))
    #expect(Self.notes(explained, "hint") == ["it \(change.sentence)"])
    #expect(Self.notes(explained, "next") == [change.cure])
    #expect(explained.inside.isEmpty)
  }

  /// A text for which every undoing gives something else.
  private static let oddSignedBytes =
    "<authToken> <resourceID>a b+c</resourceID> ++ &amp; & \u{C3}\u{A9} %20 \r\n 12:00:00 0000</authToken>x"

  /// However many keys there are, one text takes 30 checks of a signature, with those of the verification.
  @Test(arguments: [0, 1, 2, 15])
  func changesAreLookedForWithFewChecks(others: Int) throws {
    let fixture = try ExplainFixture(others: others)
    let text = String(decoding: try fixture.token(), as: UTF8.self)
    let end = try #require(text.dropFirst().ranges(of: "<signatureInfo>").first).upperBound
    let odd = Array((text[..<end] + Self.oddSignedBytes).utf8)
    var checks = SignatureChecks(after: odd, by: fixture.verifier, at: ExplainFixture.now)
    let madeBefore = checks.made
    #expect(madeBefore == others + 1)
    let found = Change.find(in: odd, decodedTo: odd, with: &checks)
    #expect(found.change == nil && found.isComplete == (others < 2))
    let made = checks.made
    #expect((11...30).contains(made))
    let hints = Self.notes(fixture.explain(odd), "hint")
    #expect(hints.count == (others < 2 ? 0 : 1))
    #expect(hints.allSatisfy { $0.hasPrefix("not every change on its way was looked for: ") })
  }

  @Test func encodeURIIsNamed() throws {
    let allowed = CharacterSet(charactersIn: "+/=:-_.~;,?@&$!*'()#").union(.alphanumerics)
    let text = try #require(
      String(decoding: try fixture.token(resource: "AMC+"), as: UTF8.self).addingPercentEncoding(
        withAllowedCharacters: allowed))
    #expect(Self.notes(fixture.explain(Array(text.utf8)), "hint") == ["it \(Change.plusMadeSpace.sentence)"])
  }

  @Test func tokenThatWasCutOffIsNamed() throws {
    let whole = try fixture.token()
    for length in [whole.count - 1, whole.count - 20, whole.count - 60] {
      let explained = fixture.explain(Array(whole.prefix(length)))
      #expect(explained.reason == .signatureMismatch)
      #expect(Self.notes(explained, "hint") == ["it was cut off after \(length) bytes: it has no end tag"])
    }
  }

  @Test func anotherTokenOrKeyHasTheOrdinaryAdvice() throws {
    let changed = try token(of: "TNT") { $0.replacing("TNT", with: "TBS") }
    let explained = fixture.explain(changed)
    #expect(Self.notes(explained, "hint").isEmpty)
    #expect(Self.notes(explained, "next").first?.contains("mediatoken keys list") == true)
  }

  @Test func whatIsInsideIsExplainedAndIsNoVerdict() throws {
    let text = Data(try fixture.token()).base64EncodedString()
    let explained = fixture.explain(Array("\"\(text)\"".utf8))
    #expect(explained.reason == .unknownForm)
    #expect(Self.notes(explained, "hint") == ["it \(Wrapper.jsonString.sentence)"])
    #expect(Self.notes(explained, "inside") == ["a token that passes each step if it is sent by itself"])
    let inside = try #require(explained.inside.first)
    #expect(inside.explanation.reports.prefix(6).allSatisfy { $0.outcome == .passed })
    #expect(explained.json.contains(#""inside":{"identity":""#))
    #expect(!explained.json.contains("VALID_TOKEN\""))
    let other = fixture.explain(
      Array("Bearer \(Data(try fixture.token(resource: "TBS")).base64EncodedString())".utf8))
    #expect(Self.notes(other, "inside").first?.contains("other-resource") == true)
  }

  @Test(
    arguments: [
      ("TNT", "TNT ", "character 4, byte 3: the expected text ends, and U+0020 is found", "white space at an end"),
      ("TNT East", "TNT\u{A0}East", "character 4, byte 3: U+0020 is expected, and U+00A0 is found", "U+00A0"),
      ("THT", "T\u{41D}T", "character 2, byte 1: H (U+0048) is expected, and U+041D is found", "U+041D"),
      (
        "Televisio\u{301}n", "Televisión", "character 9, byte 8: o (U+006F) is expected, and U+00F3 is found",
        "another Unicode form"
      ),
      ("tnt", "TNT", "character 1, byte 0", "upper case alone"),
      ("A&amp;E", "A&E", "character 3, byte 2", "the expected text is escaped"),
      ("A&E", "A&amp;E", "character 3, byte 2", "the token's text is escaped"),
      ("A%26E", "A&E", "character 2, byte 1", "the expected text is percent-encoded"),
      ("a b", "a%20b", "character 2, byte 1", "the token's text is percent-encoded"),
      ("TNT", "TBS", "character 2, byte 1", "is expected"),
    ])
  func firstDifferenceIsShown(expected: String, found: String, place: String, kind: String) throws {
    let sentence = try #require(TextDifference(expected: expected, found: found)).sentence
    #expect(sentence.contains(place), "\(sentence)")
    #expect(sentence.contains(kind), "\(sentence)")
    #expect(TextDifference(expected: found, found: found) == nil)
  }

  @Test func documentWhereAnIdIsExpectedIsNamed() throws {
    let document = "<rss version=\"2.0\"><channel><title>TNT</title></channel></rss>"
    let explained = fixture.explain(try fixture.token(resource: document))
    #expect(explained.reason == .otherResource)
    #expect(Self.notes(explained, "hint").first?.contains("of channel TNT") == true)
    #expect(Self.notes(explained, "next").first?.contains("--resource-channel") == true)
  }
}
