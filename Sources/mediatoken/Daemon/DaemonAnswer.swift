internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenSystem

/// What a daemon's answer means. A token is valid only if status and body both say so, and if the answer is about the token,
/// requestor and resource that were sent.
enum DaemonAnswer {
  case valid([LocatedJSON.Member])
  case refused(Verdict, [LocatedJSON.Member])

  /// What an answer must be about.
  struct Expected {
    /// The requestor and resource that were asked for; nil: whatever the daemon chose.
    let requestor: ExactText?
    let resource: ExpectedResource?
    /// The identity of what was sent; nil if that is not a token.
    let identity: ExactText?
  }

  /// Whether the daemon answers other users only.
  static func isForOtherPeers(_ answer: DaemonClient.Answer) -> Bool {
    guard answer.status == 403, answer.isJSON, let json = try? LocatedJSON(parsing: answer.body.span),
      case .object(let members) = json.value
    else { return false }
    return text("error", members).map { $0.hasSameBytes(as: "peer") } ?? false
  }

  /// - Throws: that there is no verdict, for every other answer.
  init(_ answer: DaemonClient.Answer, _ expected: Expected) throws(ToolError) {
    guard answer.isJSON, let json = try? LocatedJSON(parsing: answer.body.span),
      case .object(let members) = json.value
    else { throw Self.noVerdict("status \(answer.status) without a JSON object") }
    guard let name = Self.text("verdict", members),
      let verdict = Verdict.allCases.first(where: { $0.answer.wireName.hasSameBytes(as: name) })
    else { throw Self.noVerdict(Self.problem(answer.status, members)) }
    guard answer.status == verdict.answer.httpStatus, Self.number("number", members) == Int64(verdict.answer.number)
    else {
      throw Self.noVerdict("a verdict that its status or its number contradicts")
    }
    let identity = Self.text("identity", members)
    guard identity.map({ ExactText($0) == expected.identity }) ?? (verdict != .validToken) else {
      throw Self.noVerdict("about a different token from the one that was sent")
    }
    guard verdict == .validToken else {
      self = .refused(verdict, members)
      return
    }
    guard let requestor = Self.text("requestorID", members),
      expected.requestor.map({ $0 == ExactText(requestor) }) ?? true
    else { throw Self.noVerdict("a valid token for a requestorID that was not asked for") }
    guard let resource = Self.text("resourceID", members), try Self.isAbout(resource, expected.resource) else {
      throw Self.noVerdict("a valid token for a resourceID that was not asked for")
    }
    self = .valid(members)
  }

  /// Whether a resource is the one that was asked for; if none was, the daemon chose it.
  private static func isAbout(_ resource: String, _ expected: ExpectedResource?) throws(ToolError) -> Bool {
    guard let expected else { return true }
    return try rethrow(expected.matches(ExactText(resource))) { (fault: Fault) in
      VerifyCommand.noVerdict(fault)
    }
  }

  /// A fault's name, or the daemon's own words for a question that it refuses.
  private static func problem(_ status: Int, _ members: [LocatedJSON.Member]) -> String {
    if let fault = text("fault", members) {
      return "\(VerdictText.shown(fault)), a fault on the daemon's side; mediatoken query --ready says why"
    }
    guard let detail = text("detail", members) else { return "status \(status) without a verdict" }
    return "status \(status): \(VerdictText.shown(detail))"
  }

  private static func noVerdict(_ what: String) -> ToolError { .unable("no verdict: the daemon answered \(what)") }

  private static func text(_ name: String, _ members: [LocatedJSON.Member]) -> String? {
    guard case .string(let text)? = members.first(where: { $0.name == name })?.value.value else { return nil }
    return text
  }

  private static func number(_ name: String, _ members: [LocatedJSON.Member]) -> Int64? {
    guard case .integer(let number)? = members.first(where: { $0.name == name })?.value.value else { return nil }
    return number
  }
}

/// The identity of a token that was sent to a daemon, by which an answer about another token is noticed.
enum SentToken {
  /// The identity of the signed bytes, whether they are trusted or not; nil if the text is not a token.
  static func identity(of received: [UInt8]) -> ExactText? {
    (try? TokenIdentity(naming: received.span)).map { ExactText($0.description) }
  }
}

/// JSON that a terminal may be shown.
enum ShownJSON {
  /// The same JSON on one line, with escapes for what a terminal might obey. Outside strings JSON has no control characters
  /// other than white space.
  static func escaped(_ json: [UInt8]) -> String {
    var shown = ""
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t": continue
      case _ where VisibleText.shows(scalar): shown.unicodeScalars.append(scalar)
      default: for unit in UTF16.encode(scalar) ?? .init() { shown += escape(unit) }
      }
    }
    return shown
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
