internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenHTTP
internal import MediaTokenSystem

/// A daemon's answer and its meaning. A token is valid only if status and body both say so, and if the answer is about
/// the token, requestor and resource that were sent.
struct DaemonAnswer: Redacted {
  let status: Int
  let body: [UInt8]
  /// Nil if the body is no JSON object, or not said to be JSON.
  let members: [JSONTree.Member]?

  init(_ bytes: [UInt8]) throws(Problem) {
    guard let answer = Answer(bytes.span) else {
      throw Problem(
        bytes.isEmpty ? "ended the connection and answered nothing" : "sent no complete answer of HTTP")
    }
    let body = Array(bytes[answer.body])
    let isJSON = answer.type.map { bytes[$0].elementsEqual("application/json".utf8) } ?? false
    (status, self.body) = (answer.status, body)
    if isJSON, case .object(let members)? = (try? JSONTree(parsing: body.span))?.value {
      self.members = members
    } else {
      members = nil
    }
  }

  struct Expected {
    /// Nil: the daemon chose it.
    let requestor: ExactText?
    let resource: ExpectedResource?
    /// The identity of the bytes that were sent, trusted or not; nil if they are not a token.
    let identity: ExactText?
  }

  /// Throws, for every other answer, that there is no verdict.
  func verdict(_ expected: Expected) throws(Problem) -> Verdict {
    guard let members else { throw Self.noVerdict("status \(status) without a JSON object") }
    guard let name = members.text("verdict"),
      let verdict = Verdict.allCases.first(where: { $0.answer.wireName.hasSameBytes(as: name) })
    else { throw Self.noVerdict(problem(members)) }
    guard status == verdict.answer.httpStatus, members.integer("number") == Int64(verdict.answer.number)
    else { throw Self.noVerdict("a verdict that its status or its number contradicts") }
    let identity = members.text("identity")
    guard identity.map({ ExactText($0) == expected.identity }) ?? (verdict != .validToken) else {
      throw Self.noVerdict("about a different token from the one that was sent")
    }
    guard verdict == .validToken else { return verdict }
    guard let requestor = members.text("requestorID"),
      expected.requestor.map({ $0 == ExactText(requestor) }) ?? true
    else { throw Self.noVerdict("a valid token for a requestorID that was not asked for") }
    guard let resource = members.text("resourceID"), try Self.isAbout(resource, expected.resource) else {
      throw Self.noVerdict("a valid token for a resourceID that was not asked for")
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
  private func problem(_ members: [JSONTree.Member]) -> String {
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
