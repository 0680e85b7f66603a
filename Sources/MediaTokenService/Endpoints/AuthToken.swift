internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHTTP
internal import MediaTokenSystem

/// The outcome of a token at `/v1/auth` that no step refused.
enum AuthToken: Sendable {
  /// It was spent on this request, and brings what the route hands over.
  case valid(VerifiedToken, HandedOver?)
  /// The request plays nothing, so it was not spent.
  case notSpent(NotSpentToken)
  /// The answer's headers have no room for what they must say, so it was not spent.
  case tooLong(NotSpentToken)
}

extension Handler {
  /// Takes a token along the path, to its end if the viewer's method may bring a body.
  ///
  /// What the answer must say is looked at before the token is spent: afterwards it would be too late for the viewer.
  ///
  /// - Returns: nil if the replay memory has to ask others, and the answer comes later.
  func decideForAuth(
    _ text: Span<UInt8>, _ expectation: Expectation, isSpent: Bool, as question: QuestionContext, for ticket: Ticket
  ) -> Result<AuthToken, Refusal>? {
    decide(expectation, as: question) { start throws(Refusal) in
      let now = Instant.now
      let token = try qualify(text, expectation, question, at: now)
      let isSayable = token.canBeSaid { AuthHeaders.fit($0, besides: expectation.handover) }
      guard isSayable else { return .tooLong(token.leave()) }
      guard isSpent else { return .notSpent(token.leave()) }
      guard
        let spent = try spend(
          token, ofBytes: Armor.trimmedRange(of: text).count, expectation, question, since: start, .auth(ticket))
      else { return nil }
      guard let handover = expectation.handover else { return .valid(spent, nil) }
      return .valid(spent, try exchange(spent, at: now, for: handover))
    }
  }
}

extension AuthToken: DecidedToken {
  func count(in counters: Counters, of state: ServingState) {
    switch self {
    case .valid(let token, _): token.count(in: counters, of: state)
    case .notSpent, .tooLong: counters.add(.notSpent)
    }
  }

  func writeLogMembers(to writer: inout JSONWriter, of state: ServingState) {
    switch self {
    case .valid(let token, _): token.writeLogMembers(to: &writer, of: state)
    case .notSpent(let token): token.writeLogMembers(to: &writer)
    case .tooLong(let token):
      token.writeLogMembers(to: &writer)
      writer.member("error", RequestError.headerTooLong.name)
    }
  }
}

// MARK: where the viewer's token is

extension AuthRules {
  /// Notes the token from the header or the query, as configured. An empty one is ignored, and so is a credential in
  /// `Authorization` of a scheme other than Bearer; a second one is refused.
  func noteToken(
    _ fields: borrowing HeaderFields, _ query: Span<UInt8>, _ scratch: inout Handler.Scratch
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

  /// How a viewer without a token may come back (RFC 9110 section 11.6.1).
  var challenge: String { isBearer ? "Bearer" : "MediaToken" }
}

extension Span<UInt8> {
  /// Where a credential begins: after the scheme Bearer in letters of either case, and spaces. Nil for another scheme, whose
  /// credential must never be taken for a token.
  fileprivate var startAfterBearer: Int? {
    guard count > AuthRules.bearer.count,
      extracting(..<AuthRules.bearer.count).isSameName(as: AuthRules.bearer.span)
    else { return nil }
    return indices.dropFirst(AuthRules.bearer.count).first { self[$0] != UInt8(ascii: " ") }
  }

  /// Whether another token begins after a comma and white space: how proxies join header fields of one name (RFC 9110 section
  /// 5.3). A comma alone may be a token's own, in the name of a programme. No token holds the beginning of another.
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
