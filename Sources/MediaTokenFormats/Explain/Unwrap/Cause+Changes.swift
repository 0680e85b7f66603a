internal import MediaToken
internal import MediaTokenSystem

extension Cause {
  private static let sameRule: Cure = "encode and decode the token by the same rule on both sides"
  private static let asText: Cure = "pass the token on as text, and do not let an XML tool rewrite it"
  private static let noDocument: Cure =
    "pass the token on as text: it is no XML document, although it looks like one"
  private static let plusMadeSpace = Cause(
    "had a plus sign where there is a space now: a form decodes + as a space, and encodeURI leaves + as it is",
    "encode the token with encodeURIComponent, which writes + as %2B"
  ) { signed in
    // A form makes spaces of all plus signs, that of the issue time's offset among them; other spaces were there before.
    let times = TextBytes.withOffsetSigns(signed)
    return [times] + [signed, times].map { TextBytes.withPluses(in: "resourceID", of: $0) }
  }

  /// Changes after which a signature does not fit any more. Each is found by undoing it on a copy of the signed bytes, which a trusted key must
  /// have signed; the token itself stays refused.
  static let changes = [
    Cause(
      "has text after its last tag, such as a line feed (%0A), which was not signed",
      "send the token alone, with nothing appended to it"
    ) { signed in TextBytes.endOfLastTag(in: signed).map { [Array(signed[..<$0])] } ?? [] },
    Cause(
      "still has percent escapes, such as %20, which were decoded when it was signed",
      "decode the whole token once, or send it as it came"
    ) { TextBytes.percentDecoded($0).map { [$0] } ?? [] },
    plusMadeSpace,
    Cause(
      "had a space where there is a plus sign now: it was encoded as a form, and not decoded as one", sameRule
    ) { [TextBytes.replacing("+", by: " ", in: $0)] },
    Cause("has a plus sign twice that was signed once", sameRule) { [TextBytes.replacing("++", by: "+", in: $0)] },
    Cause("has white space between its tags that was not signed: it was pretty-printed, or indented", asText) {
      [TextBytes.withoutSpaceBetweenTags($0)]
    },
    Cause("has escapes that were escaped once more, such as &amp;amp; for &amp;", noDocument) { signed in
      let tags = signed.span.begins(with: "&lt;") ? [("&lt;", "<"), ("&gt;", ">")] : []
      return [(tags + [("&amp;", "&")]).reduce(signed) { TextBytes.replacing($1.0, by: $1.1, in: $0) }]
    },
    Cause("has an & or < that was an escape when it was signed, such as &amp; or &lt;", noDocument) {
      [TextBytes.withEscapes($0)]
    },
    Cause("has other line ends than when it was signed", asText) { signed in
      let plain = TextBytes.replacing("\r\n", by: "\n", in: signed)
      return [plain == signed ? TextBytes.replacing("\n", by: "\r\n", in: plain) : plain]
    },
    Cause(
      "has line breaks that were not signed: it was wrapped, or folded as a header's line",
      "pass the token on in one line"
    ) { signed in
      [["\r\n ", "\n ", "\r", "\n"].reduce(signed) { TextBytes.replacing($1, by: "", in: $0) }]
    },
    Cause("has tags in lower case, as innerHTML of a browser has them", noDocument) { signed in
      let names = ["authToken", "shortAuthorizationToken"] + TokenField.allCases.map(\.rawValue)
      let tags = names.flatMap { ["<\($0)>", "</\($0)>"] }
      return [tags.reduce(signed) { TextBytes.replacing($1.lowercased(), by: $1, in: $0) }]
    },
    Cause(
      "has letters that were UTF-8, were read as Latin-1, and written as UTF-8 again",
      "read and write the token as UTF-8 everywhere"
    ) { TextBytes.latin1($0).map { [$0] } ?? [] },
  ]
  private static let resource = Cause(
    "has a resource other than what was signed, and with the expected one in its place the signature fits: {}",
    "look for something on the way that changes the text of the resource")

  /// The change that, undone, makes a trusted key's signature fit. The received text is refused as it is; `resource` is
  /// the expected one, if that is one text. The result also says whether all changes were tried before none was found.
  static func change(
    of received: [UInt8], decodedTo token: [UInt8], expecting resource: String?,
    with checks: inout SignatureChecks
  ) -> (change: Cause?, isComplete: Bool) {
    guard let part = TextBytes.signedPart(of: token) else { return (nil, true) }
    let (head, signed) = (token[..<part.startIndex], Array(part))
    // Decoded as a form is, a percent-encoded token has lost its plus signs.
    let plain = received.first == UInt8(ascii: "%") ? TextBytes.percentDecoded(received) : nil
    var attempts = [(plusMadeSpace, Array((plain ?? token).dropFirst(head.count)))]
    attempts += changes.flatMap { change in change.undone(signed).map { (change, $0) } }
    if let resource, let (found, text) = TextBytes.withResource(resource, in: signed) {
      let latin1 = String(String.UnicodeScalarView(found.map { Unicode.Scalar($0) }))
      let said = TextDifference(expected: resource, found: String(validating: found, as: UTF8.self) ?? latin1)
      let change = attempts.first { $0.1 == text }?.0
      attempts.insert(
        (change ?? Cause.resource.named(said?.sentence ?? "it is Latin-1, and not UTF-8"), text), at: 0)
    }
    var tried = [signed]
    for (change, text) in attempts where !tried.contains(text) {
      tried.append(text)
      guard let isSigned = checks.isSigned(head + text) else { return (nil, false) }
      if isSigned { return (change, true) }
    }
    return (nil, true)
  }
}
