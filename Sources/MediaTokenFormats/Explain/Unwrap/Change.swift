internal import MediaToken
internal import MediaTokenSystem

/// A change on the way after which a signature does not fit any more. It is found by undoing it on a copy, which a trusted key must have
/// signed; the token itself stays refused.
struct Change: Sendable {
  /// What was done to the token, after "it ".
  let sentence: String
  /// What to do about it.
  let cure: String
  /// What the signed bytes may have been.
  let undone: @Sendable ([UInt8]) -> [[UInt8]]

  private init(_ sentence: String, _ cure: String, _ undone: @escaping @Sendable ([UInt8]) -> [[UInt8]]) {
    (self.sentence, self.cure, self.undone) = (sentence, cure, undone)
  }

  static let allCases = [
    textAfterIt, percentEscapesLeft, plusMadeSpace, spaceMadePlus, plusDoubled, whiteSpaceBetweenTags,
    escapesEscaped,
    escapesDecoded, lineEndsChanged, wrapped, tagsInLowerCase, latin1ReadAsUTF8,
  ]

  static let textAfterIt = Change(
    "has text after its last tag, such as a line feed (%0A), which was not signed",
    "send the token alone, with nothing appended to it"
  ) { signed in TextBytes.endOfLastTag(in: signed).map { [Array(signed[..<$0])] } ?? [] }
  static let percentEscapesLeft = Change(
    "still has percent escapes, such as %20, which were decoded when it was signed",
    "decode the whole token once, or send it as it came"
  ) { [$0, TextBytes.percentDecoded($0)].compactMap(\.self) }
  static let plusMadeSpace = Change(
    "had a plus sign where there is a space now: a form decodes + as a space, and encodeURI leaves + as it is",
    "encode the token with encodeURIComponent, which writes + as %2B"
  ) { signed in
    // A form makes spaces of all plus signs, that of the issue time's offset among them; other spaces were there before.
    let times = TextBytes.withOffsetSigns(signed)
    return [times] + [signed, times].map { TextBytes.withPluses(in: "resourceID", of: $0) }
  }
  private static let sameRule = "encode and decode the token by the same rule on both sides"
  static let spaceMadePlus = Change(
    "had a space where there is a plus sign now: it was encoded as a form, and not decoded as one", sameRule
  ) { [TextBytes.replacing("+", by: " ", in: $0)] }
  static let plusDoubled = Change("has a plus sign twice that was signed once", sameRule) {
    [TextBytes.replacing("++", by: "+", in: $0)]
  }
  private static let asText = "pass the token on as text, and do not let an XML tool rewrite it"
  static let whiteSpaceBetweenTags = Change(
    "has white space between its tags that was not signed: it was pretty-printed, or indented", asText
  ) { [TextBytes.withoutSpaceBetweenTags($0)] }
  private static let noDocument = "pass the token on as text: it is no XML document, although it looks like one"
  static let escapesEscaped = Change(
    "has escapes that were escaped once more, such as &amp;amp; for &amp;", noDocument
  ) { signed in
    let tags = signed.span.begins(with: "&lt;") ? [("&lt;", "<"), ("&gt;", ">")] : []
    return [(tags + [("&amp;", "&")]).reduce(signed) { TextBytes.replacing($1.0, by: $1.1, in: $0) }]
  }
  static let escapesDecoded = Change(
    "has an & or < that was an escape when it was signed, such as &amp; or &lt;", noDocument
  ) { [TextBytes.withEscapes($0)] }
  static let lineEndsChanged = Change("has other line ends than when it was signed", asText) { signed in
    let plain = TextBytes.replacing("\r\n", by: "\n", in: signed)
    return [plain == signed ? TextBytes.replacing("\n", by: "\r\n", in: plain) : plain]
  }
  static let wrapped = Change(
    "has line breaks that were not signed: it was wrapped, or folded as a header's line",
    "pass the token on in one line"
  ) { signed in
    let unfolded = ["\r\n ", "\n "].reduce(signed) { TextBytes.replacing($1, by: "", in: $0) }
    return [unfolded.filter { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }]
  }
  static let tagsInLowerCase = Change(
    "has tags in lower case, as innerHTML of a browser has them", noDocument
  ) { signed in
    [
      (["authToken", "shortAuthorizationToken"] + TokenField.allCases.map(\.rawValue)).reduce(signed) {
        text, name in
        ["<", "</"].reduce(text) {
          TextBytes.replacing("\($1)\(name.lowercased())>", by: "\($1)\(name)>", in: $0)
        }
      }
    ]
  }
  static let latin1ReadAsUTF8 = Change(
    "has letters that were UTF-8, were read as Latin-1, and written as UTF-8 again",
    "read and write the token as UTF-8 everywhere"
  ) { [TextBytes.latin1($0)].compactMap(\.self) }

  /// The change that, undone, makes a trusted key's signature fit.
  ///
  /// - Parameters:
  ///   - received: the text, whose signature does not fit.
  ///   - token: what it was decoded to.
  ///   - resource: the one that is expected, if that is one text.
  ///   - checks: what may be tried.
  /// - Returns: also whether all were tried before none was found.
  static func find(
    in received: [UInt8], decodedTo token: [UInt8], expecting resource: String?,
    with checks: inout SignatureChecks
  ) -> (change: Change?, isComplete: Bool) {
    guard let part = TextBytes.signedPart(of: token) else { return (nil, true) }
    let (head, signed) = (token[..<part.startIndex], Array(part))
    if let resource, let (found, text) = TextBytes.withResource(resource, in: signed) {
      guard let isSigned = checks.isSigned(head + text) else { return (nil, false) }
      if isSigned {
        return (allCases.first { $0.undone(signed).contains(text) } ?? .resource(resource, found), true)
      }
    }
    var tried = [signed]
    for change in allCases {
      var texts = change.undone(signed)
      if change.sentence == plusMadeSpace.sentence, let text = TextBytes.percentDecoded(received) {
        texts.append(Array(text.dropFirst(head.count)))
      }
      for text in texts where !tried.contains(text) {
        tried.append(text)
        guard let isSigned = checks.isSigned(head + text) else { return (nil, false) }
        if isSigned { return (change, true) }
      }
    }
    return (nil, true)
  }

  /// - Parameter found: what is in the place of the resource that was signed and is expected.
  private static func resource(_ expected: String, _ found: [UInt8]) -> Change {
    let text = String(validating: found, as: UTF8.self)
    let latin1 = String(String.UnicodeScalarView(found.map { Unicode.Scalar($0) }))
    let difference =
      TextDifference(expected: expected, found: text ?? latin1)?.sentence ?? "it is Latin-1, and not UTF-8"
    return Change(
      "has a resource other than what was signed, and with the expected one in its place the signature fits: \(difference)",
      "look for something on the way that changes the text of the resource"
    ) { [$0] }
  }
}
