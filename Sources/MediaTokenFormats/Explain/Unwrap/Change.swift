internal import MediaToken
internal import MediaTokenSystem

/// A change on the way after which a signature does not fit any more. It is found by undoing it on a copy, which a trusted key must have
/// signed; the token itself stays refused.
enum Change: CaseIterable {
  case textAfterIt, percentEscapesLeft, plusMadeSpace, spaceMadePlus, plusDoubled, whiteSpaceBetweenTags,
    escapesEscaped, escapesDecoded
  case lineEndsChanged, latin1ReadAsUTF8

  /// What was done to the token, after "it ".
  var sentence: String {
    switch self {
    case .textAfterIt: "has text after its last tag, such as a line feed (%0A), which was not signed"
    case .percentEscapesLeft: "still has percent escapes, such as %20, which were decoded when it was signed"
    case .plusMadeSpace:
      "had a plus sign where there is a space now: a form decodes + as a space, and encodeURI leaves + as it is"
    case .spaceMadePlus:
      "had a space where there is a plus sign now: it was encoded as a form, and not decoded as one"
    case .plusDoubled: "has a plus sign twice that was signed once"
    case .whiteSpaceBetweenTags:
      "has white space between its tags that was not signed: it was pretty-printed, or indented"
    case .escapesEscaped: "has escapes that were escaped once more, such as &amp;amp; for &amp;"
    case .escapesDecoded: "has an & or < that was an escape when it was signed, such as &amp; or &lt;"
    case .lineEndsChanged: "has other line ends than when it was signed"
    case .latin1ReadAsUTF8: "has letters that were UTF-8, were read as Latin-1, and written as UTF-8 again"
    }
  }

  /// What to do about it.
  var cure: String {
    switch self {
    case .textAfterIt: "send the token alone, with nothing appended to it"
    case .percentEscapesLeft: "decode the whole token once, or send it as it came"
    case .plusMadeSpace: "encode the token with encodeURIComponent, which writes + as %2B"
    case .spaceMadePlus, .plusDoubled: "encode and decode the token by the same rule on both sides"
    case .whiteSpaceBetweenTags, .lineEndsChanged:
      "pass the token on as text, and do not let an XML tool rewrite it"
    case .escapesEscaped, .escapesDecoded:
      "pass the token on as text: it is no XML document, although it looks like one"
    case .latin1ReadAsUTF8: "read and write the token as UTF-8 everywhere"
    }
  }

  /// The change that, undone, makes a trusted key's signature fit.
  ///
  /// - Parameters:
  ///   - received: the text, whose signature does not fit.
  ///   - token: what it was decoded to.
  ///   - checks: what may be tried.
  /// - Returns: also whether all were tried before none was found.
  static func find(in received: [UInt8], decodedTo token: [UInt8], with checks: inout SignatureChecks)
    -> (change: Change?, isComplete: Bool)
  {
    // The signed bytes are after the second marker.
    let marker = Array("<signatureInfo>".utf8)
    guard let second = TextBytes.first(marker, in: token, from: 1) else { return (nil, true) }
    let (head, signed) = (token[..<(second + marker.count)], Array(token[(second + marker.count)...]))
    for change in allCases {
      var texts: [[UInt8]] = []
      for undone in change.undone(signed) where undone != signed {
        let text: [UInt8] = head + undone
        if !texts.contains(text) { texts.append(text) }
      }
      if change == .plusMadeSpace, let text = TextBytes.percentDecoded(received) { texts.append(text) }
      for text in texts {
        guard let isSigned = checks.isSigned(text) else { return (nil, false) }
        if isSigned { return (change, true) }
      }
    }
    return (nil, true)
  }

  /// What the signed bytes may have been.
  func undone(_ signed: [UInt8]) -> [[UInt8]] {
    func replacing(_ old: String, _ new: String) -> [UInt8] { TextBytes.replacing(old, by: new, in: signed) }
    switch self {
    case .textAfterIt: return [TextBytes.endOfLastTag(in: signed).map { Array(signed[..<$0]) } ?? signed]
    case .percentEscapesLeft: return [TextBytes.percentDecoded(signed) ?? signed]
    case .plusMadeSpace:
      // A form makes spaces of all plus signs, that of the issue time's offset among them; other spaces were there before.
      let times = TextBytes.withOffsetSigns(signed)
      return [
        times, TextBytes.withPluses(in: "resourceID", of: signed),
        TextBytes.withPluses(in: "resourceID", of: times),
      ]
    case .spaceMadePlus: return [replacing("+", " ")]
    case .plusDoubled: return [replacing("++", "+")]
    case .whiteSpaceBetweenTags: return [TextBytes.withoutSpaceBetweenTags(signed)]
    case .escapesEscaped: return [replacing("&amp;", "&")]
    case .escapesDecoded: return [TextBytes.withEscapes(signed)]
    case .lineEndsChanged:
      return [replacing("\r\n", "\n"), TextBytes.replacing("\n", by: "\r\n", in: replacing("\r\n", "\n"))]
    case .latin1ReadAsUTF8: return [TextBytes.latin1(signed) ?? signed]
    }
  }
}
