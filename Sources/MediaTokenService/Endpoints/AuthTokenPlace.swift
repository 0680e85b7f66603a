internal import MediaTokenHTTP
internal import MediaTokenSystem

extension AuthRules {
  /// Notes the token from the header or the query, as configured. An empty one is ignored, and so is a credential in
  /// `Authorization` of a scheme other than Bearer; a second one is refused.
  func noteToken(
    _ fields: borrowing HeaderFields, _ query: Span<UInt8>, _ scratch: inout Scratch
  ) throws(RequestError) {
    if let tokenHeader {
      switch fields.find(tokenHeader.span) {
      case .none: break
      case .repeated: throw .ambiguous("the header with the token is repeated")
      case .one(let place):
        let value = fields.value(place)
        guard let start = isBearer ? value.startAfterBearer : 0 else { break }
        guard !value.isTwoTokens else {
          throw .ambiguous("there are two tokens in the header, which a proxy joined with a comma")
        }
        _ = scratch.question.set(.token, value.extracting(start...))
      }
    }
    guard let queryParameter else { return }
    var start = 0
    var isFound = false
    while start < query.count {
      let place = FormText.parameter(of: query, from: start)
      if FormText.decode(query.extracting(place.name), into: &scratch.name), scratch.name == queryParameter {
        guard !isFound else { throw .ambiguous("the parameter with the token is repeated") }
        guard FormText.decode(query.extracting(place.value), into: &scratch.value) else {
          throw .ambiguous("a % in the parameter with the token is not followed by two hexadecimal digits")
        }
        isFound = true
        let value = scratch.value
        if !value.isEmpty {
          guard scratch.question.set(.token, value.span) else {
            throw .ambiguous("both the header and the query have a token")
          }
        }
      }
      start = place.next
    }
  }
}

extension AuthRules {
  /// The scheme of a credential in `Authorization` that is a token (RFC 6750 section 2.1), and the one space after it.
  fileprivate static let bearer = Array("Bearer ".utf8)

  /// The way back for a viewer without a token (RFC 9110 section 11.6.1).
  var challenge: String { isBearer ? "Bearer" : "MediaToken" }
}

extension Span<UInt8> {
  /// The credential's place after the scheme Bearer in letters of either case, and spaces. Nil for another scheme,
  /// whose credential must never be taken for a token.
  fileprivate var startAfterBearer: Int? {
    guard count > AuthRules.bearer.count,
      extracting(..<AuthRules.bearer.count).isSameName(as: AuthRules.bearer.span)
    else { return nil }
    return indices.dropFirst(AuthRules.bearer.count).first { self[$0] != UInt8(ascii: " ") }
  }

  /// True if another token begins after a comma and white space: proxies join header fields of one name so (RFC 9110
  /// section 5.3). A comma alone may be a token's own, in the name of a programme. No token holds the beginning of
  /// another.
  fileprivate var isTwoTokens: Bool {
    var comma = firstIndex(of: UInt8(ascii: ","), from: 0)
    while let index = comma {
      var start = index + 1
      while start < count, self[start] == UInt8(ascii: " ") || self[start] == UInt8(ascii: "\t") { start += 1 }
      if has("<signatureInfo>", at: start) || has("%3CsignatureInfo", at: start)
        || has("%3csignatureInfo", at: start) || has("PHNpZ25hdHVyZUluZm8", at: start)
      {
        return true
      }
      comma = firstIndex(of: UInt8(ascii: ","), from: index + 1)
    }
    return false
  }
}
