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

  static let changes: [(String, String, @Sendable (String) -> String)] = [
    ("text after its last tag", "TNT", { $0 + "\n\n-" }), ("text after its last tag", "TNT", { $0 + "</token>" }),
    ("text after its last tag", "TNT", { $0 + " \u{0}" }),
    ("still has percent escapes", "TNT East", { $0.replacing(" ", with: "%20") }),
    ("still has percent escapes", "A/B", { $0.replacing("/B", with: "%2FB") }),
    ("had a plus sign", "AMC+", { $0.replacing("+", with: " ") }),
    ("had a plus sign", "A+B+C", { $0.replacing("+", with: " ") }),
    ("had a space where", "TNT", { $0.replacing(" ", with: "+") }),
    ("a plus sign twice", "AMC+", { $0.replacing("C+", with: "C++") }),
    ("white space between its tags", "TNT", { $0.replacing("><", with: ">\n  <") }),
    ("white space between its tags", "TNT", { "\n" + $0.replacing("><", with: "> <") }),
    ("escaped once more", "A&E", { $0.replacing("&amp;", with: "&amp;amp;") }),
    ("an & or <", "A&E", { $0.replacing("&amp;", with: "&") }),
    ("escaped once more", "A&E", { UnwrappingTests.html($0) }),
    ("has line breaks", "TNT", { UnwrappingTests.folded($0, by: "\n") }),
    ("has line breaks", "TNT", { UnwrappingTests.folded($0, by: "\r\n ") }),
    ("tags in lower case", "tnt", { $0.replacing(/<[^>]*>/) { $0.output.lowercased() } }),
    ("other line ends", "a\nb", { $0.replacing("\n", with: "\r\n") }),
    (
      "read as Latin-1", "Televisión",
      { String(String.UnicodeScalarView(Array($0.utf8).map { Unicode.Scalar($0) })) }
    ),
  ]

  @Test(arguments: changes.indices)
  func changeAfterSigningIsNamed(index: Int) throws {
    let (sentence, resource, apply) = Self.changes[index]
    let change = try #require(Cause.changes.first { $0.sentence.contains(sentence) })
    let changed = try token(of: resource, apply)
    let explained = fixture.explain(changed)
    #expect([.signatureMismatch, .signatureSize].contains(explained.reason))
    #expect(Self.notes(explained, "hint") == ["it \(change.sentence)"])
    #expect(Self.notes(explained, "next") == [change.cure.text(in: .commandLine)])
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
    var checks = SignatureChecks(after: odd, by: fixture.verifier)
    let madeBefore = checks.made
    #expect(madeBefore == others + 1)
    let found = Cause.change(of: odd, decodedTo: odd, expecting: "TNT", with: &checks)
    #expect(found.change == nil && found.isComplete == (others < 2))
    let made = checks.made
    #expect((11...30).contains(made))
    let hints = Self.notes(fixture.explain(odd), "hint")
    #expect(hints.count == (others < 2 ? 0 : 1))
    #expect(hints.allSatisfy { $0.hasPrefix("not every change on its way was looked for: ") })
  }

  static let resources: [(signed: String, found: String, says: String)] = [
    ("TNT  East", "TNT East", "white space alone"),
    ("TNT\tEast", "TNT East", "U+0009 is expected, and U+0020 is found"),
    (" TNT ", "TNT", "white space at an end alone"), ("Fans' Choice", "Fans\u{2019} Choice", "typographer's"),
    ("A...B-C", "A\u{2026}B\u{2013}C", "typographer's"),
    ("Caf\u{E9}", "Cafe\u{301}", "another Unicode form (NFC or NFD)"),
    ("Caf\u{E9}", "Caf?", "U+00E9 is expected, and ?"),
    ("Caf\u{E9}", "Caf&eacute;", "such as &eacute;"), ("TNT", "tnt", "upper case alone"),
    ("TNT", "TBS", "N (U+004E) is expected"),
    ("A&E", "A & E", "U+0020 is found"),
  ]

  /// The expected resource is put in the place of the one that was found.
  @Test(arguments: resources)
  func changedResourceIsNamed(signed: String, found: String, says: String) throws {
    let changed = try token(of: signed) {
      $0.replacing(signed.replacing("&", with: "&amp;"), with: found)
    }
    let explained = fixture.explain(changed, resource: signed)
    #expect(explained.reason == .signatureMismatch)
    let hints = Self.notes(explained, "hint")
    #expect(hints.count == 1 && hints[0].hasPrefix("it has a resource other than what was signed"), "\(hints)")
    #expect(hints.first?.contains(says) == true, "\(hints)")
    #expect(Self.notes(explained, "next").first?.contains("the text of the resource") == true)
    #expect(explained.inside.isEmpty)
    // It is found by what is expected, and by nothing else.
    #expect(Self.notes(fixture.explain(changed, resource: "another"), "hint").isEmpty)
  }

  @Test func resourceInLatin1IsNamed() throws {
    let changed = try token(of: "Caf\u{E9}") { $0 }.split(separator: 0xC3).joined().filter { $0 != 0xA9 }
    let place = try #require(TextBytes.first(Array("Caf".utf8), in: Array(changed))) + 3
    let latin1 = changed[..<place] + [0xE9] + changed[place...]
    let hints = Self.notes(fixture.explain(Array(latin1), resource: "Caf\u{E9}"), "hint")
    #expect(hints.first?.hasSuffix("it is Latin-1, and not UTF-8") == true, "\(hints)")
  }

  /// A change that is known has its own name also where the resource is expected that it undoes.
  @Test func knownChangeOfTheExpectedResourceKeepsItsName() throws {
    let changed = try token(of: "TNT East") { $0.replacing("TNT East", with: "TNT%20East") }
    let hints = Self.notes(fixture.explain(changed, resource: "TNT East"), "hint")
    #expect(hints.count == 1 && hints[0].hasPrefix("it still has percent escapes"))
  }

  /// The first and last bytes of what has no name, and not more.
  @Test(arguments: [
    ("hello", "5 bytes that are not recognised, from h to o"),
    ("\u{1}0123456789abcdef\u{E9}", "19 bytes that are not recognised, from \\x0101 to f\\xC3\\xA9"),
    (String(repeating: "secret", count: 9), "54 bytes that are not recognised, from secr to cret"),
  ])
  func whatIsNotRecognisedIsShownByItsEnds(text: String, found: String) {
    let explained = fixture.explain(Array(text.utf8))
    #expect(Self.notes(explained, "found") == [found])
    #expect(Self.notes(explained, "hint").isEmpty)
  }

  @Test func encodeURIIsNamed() throws {
    let allowed = CharacterSet(charactersIn: "+/=:-_.~;,?@&$!*'()#").union(.alphanumerics)
    let text = try #require(
      String(decoding: try fixture.token(resource: "AMC+"), as: UTF8.self).addingPercentEncoding(
        withAllowedCharacters: allowed))
    let hints = Self.notes(fixture.explain(Array(text.utf8)), "hint")
    #expect(hints.count == 1 && hints[0].hasPrefix("it had a plus sign where there is a space now"))
  }

  @Test func tokenThatWasCutOffIsNamed() throws {
    let whole = try fixture.token()
    let start = try #require(TextBytes.signedPart(of: whole)).startIndex
    for length in [whole.count - 1, whole.count - 20, whole.count - 60, start + 5] {
      let explained = fixture.explain(Array(whole.prefix(length)))
      #expect(explained.reason == .signatureMismatch)
      #expect(Self.notes(explained, "hint") == ["it was cut off after \(length) bytes: it has no end tag"])
    }
    // Each has its end, and was changed in another way as well.
    for end in ["</auth\nToken>", "</authtoken>", "&lt;/authToken&gt;"] {
      let changed = try token(of: "TNT") {
        $0.replacing("</authToken>", with: end).replacing("REF30", with: "REF31")
      }
      #expect(Self.notes(fixture.explain(changed), "hint").isEmpty)
    }
  }

  @Test func anotherTokenOrKeyHasTheOrdinaryAdvice() throws {
    let changed = try token(of: "TNT") { $0.replacing("REF30", with: "REF31") }
    let explained = fixture.explain(changed)
    #expect(Self.notes(explained, "hint").isEmpty)
    #expect(Self.notes(explained, "next").first?.contains("mediatoken keys list") == true)
  }

  @Test func whatIsInsideIsExplainedAndIsNoVerdict() throws {
    let text = Data(try fixture.token()).base64EncodedString()
    let explained = fixture.explain(Array("\"\(text)\"".utf8))
    #expect(explained.reason == .unknownForm)
    #expect(Self.notes(explained, "hint").count == 1)
    #expect(Self.notes(explained, "hint").first?.hasPrefix("it has quotation marks around it") == true)
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
