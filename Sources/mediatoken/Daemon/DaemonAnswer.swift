internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenSystem

/// The meaning of a daemon's answer. A token is valid only if status and body both say so, and if the answer is about
/// the token, requestor and resource that were sent.
enum DaemonAnswer {
  struct Expected {
    /// Nil: the daemon chose it.
    let requestor: ExactText?
    let resource: ExpectedResource?
    /// The identity of the bytes that were sent, trusted or not; nil if they are not a token.
    let identity: ExactText?
  }

  static func isForOtherPeers(_ answer: DaemonClient.Answer) -> Bool {
    answer.status == 403 && answer.members?.text("error")?.hasSameBytes(as: "peer") == true
  }

  /// Throws, for every other answer, that there is no verdict.
  static func verdict(of answer: DaemonClient.Answer, _ expected: Expected) throws(Problem) -> Verdict {
    guard let members = answer.members else { throw noVerdict("status \(answer.status) without a JSON object") }
    guard let name = members.text("verdict"),
      let verdict = Verdict.allCases.first(where: { $0.answer.wireName.hasSameBytes(as: name) })
    else { throw noVerdict(problem(answer.status, members)) }
    guard answer.status == verdict.answer.httpStatus, members.integer("number") == Int64(verdict.answer.number)
    else { throw noVerdict("a verdict that its status or its number contradicts") }
    let identity = members.text("identity")
    guard identity.map({ ExactText($0) == expected.identity }) ?? (verdict != .validToken) else {
      throw noVerdict("about a different token from the one that was sent")
    }
    guard verdict == .validToken else { return verdict }
    guard let requestor = members.text("requestorID"),
      expected.requestor.map({ $0 == ExactText(requestor) }) ?? true
    else { throw noVerdict("a valid token for a requestorID that was not asked for") }
    guard let resource = members.text("resourceID"), try isAbout(resource, expected.resource) else {
      throw noVerdict("a valid token for a resourceID that was not asked for")
    }
    return verdict
  }

  /// If no resource was asked for, the daemon chose it.
  private static func isAbout(_ resource: String, _ expected: ExpectedResource?) throws(Problem) -> Bool {
    guard let expected else { return true }
    return try rethrow(expected.matches(ExactText(resource))) { (fault: Fault) in
      VerifyCommand.noVerdict(fault)
    }
  }

  /// A fault's name, or the daemon's own words for a question that it refuses.
  private static func problem(_ status: Int, _ members: [JSONTree.Member]) -> String {
    if let fault = members.text("fault") {
      return "\(VerdictText.shown(fault)), a fault on the daemon's side; mediatoken query --ready says why"
    }
    guard let detail = members.text("detail") else { return "status \(status) without a verdict" }
    return "status \(status): \(VerdictText.shown(detail))"
  }

  private static func noVerdict(_ what: String) -> Problem { Problem("no verdict: the daemon answered \(what)") }
}

extension [JSONTree.Member] {
  /// Nil if it is not a text.
  func text(_ name: String) -> String? {
    if case .string(let text)? = first(where: { $0.name == name })?.value.value { text } else { nil }
  }

  /// Nil if it is not a whole number.
  func integer(_ name: String) -> Int64? {
    if case .integer(let number)? = first(where: { $0.name == name })?.value.value { number } else { nil }
  }
}

enum ShownJSON {
  /// The JSON on one line, with escapes for what a terminal might obey. Outside strings JSON has no control characters
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
