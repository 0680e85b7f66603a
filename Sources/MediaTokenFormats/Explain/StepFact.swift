internal import MediaToken

/// What a step expected and saw, or what is known of its failure.
enum StepFact: Sendable {
  case form(Armor.Form, receivedBytes: Int, tokenBytes: Int)
  case envelope(signatureBytes: Int, signedBytes: Int)
  case signature(bytes: Int, TrustedKeys)
  case signed(by: Fingerprint, TokenIdentity?)
  /// Nil if what a trusted key signed begins with no plain tag.
  case root(SignedRoot?)
  case fields(TokenFields)
  case life(ExplainedLife)
  case names(ExpectedRequestor, ExpectedResource, TokenFields)
  case noMemory
  /// The memory was not looked at, because another step was not passed.
  case notLookedAt
  case use(ExplainedUse)

  // MARK: failures

  case refused(Reason, detail: String, cure: String)
  case cause(Cause)
  /// More changes are known than there are checks of a signature.
  case untriedChanges
  /// A text that is nothing known: its length, and a few bytes of its ends.
  case unknownText(bytes: Int, from: String, to: String)
  case difference(BoundName, TextDifference)
  /// A plain id was expected, and the token has a document, of this channel.
  case document(channel: String)
  case inside(ExplainedToken.Conclusion)

  /// In the order of printing.
  var lines: [(name: StaticString, value: String)] {
    switch self {
    case .form(let form, let receivedBytes, let tokenBytes):
      Self.lines(
        expected: "raw, percent-encoded or base64 text of at most \(Limits.receivedBytes) bytes",
        found: "\(form.rawValue), \(receivedBytes) bytes as received, \(tokenBytes) decoded")
    case .envelope(let signatureBytes, let signedBytes):
      Self.lines(
        expected: "a signature between two markers, and signed bytes after them",
        found: "a signature of \(signatureBytes) bytes, \(signedBytes) signed bytes")
    case .signature(let bytes, let trusted):
      Self.lines(
        expected: "a signature by a trusted key: "
          + trusted.keys.map { "\($0.modulusBits) bits \($0.fingerprint)" }.joined(separator: ", "),
        found: "\(bytes) bytes, as a key of \(bytes * 8) bits makes")
    case .signed(let key, let identity):
      [("keyFingerprint", key.description)] + [identity].compactMap(\.self).map { ("identity", $0.description) }
    case .root(let root):
      Self.lines(
        expected:
          "an authToken or shortAuthorizationToken with six known fields and perhaps proxyMvpdId, each once",
        found: root?.shown)
    case .fields(let fields): fields.shown(withGUID: false)
    case .life(let life):
      Self.lines(expected: life.expected, found: life.found)
        + [life.granted].compactMap(\.self).map { ("ttl", $0) }
    case .names(let requestor, let resource, let fields):
      Self.lines(
        expected: "\(requestor.shown), \(resource.shown)",
        found: "requestor \(fields.requestorID), resource \(fields.resourceID), mvpd \(fields.mvpdID)")
    case .noMemory:
      Self.lines(
        expected: "a replay memory that knows which tokens were used", found: "none; one use is not enforced")
    case .notLookedAt: Self.lines(expected: "a token that passed every other step; no other is spent")
    case .use(let use): Self.lines(expected: use.expected, found: use.findings.joined(separator: "; "))
    case .refused(let reason, let detail, _): [("reason", reason.rawValue), ("detail", detail)]
    case .cause(let cause): [("hint", "it \(cause.sentence)")]
    case .untriedChanges:
      [("hint", "not every change on its way was looked for: \(SignatureChecks.tooMany)")]
    case .unknownText(let bytes, let from, let to):
      [("found", "\(bytes) bytes that are not recognised, from \(from) to \(to)")]
    case .difference(let name, let difference): [("difference", "\(name.rawValue): \(difference.sentence)")]
    case .document(let channel):
      [("hint", "the token has a Media RSS document, of channel \(channel), and a plain id is expected")]
    case .inside(let conclusion): [("inside", conclusion.ofTokenInside)]
    }
  }

  private static func lines(expected: String, found: String? = nil) -> [(name: StaticString, value: String)] {
    [("expected", expected)] + [found].compactMap(\.self).map { ("found", $0) }
  }

  /// What to do about a cause; nil for every other fact.
  var cureOfCause: Cure? {
    switch self {
    case .cause(let cause): cause.cure
    case .document:
      Cure {
        "expect it with \($0.part(.resourceChannel)), or the whole document with \($0.part(.resourceDocument))"
      }
    case .form, .envelope, .signature, .signed, .root, .fields, .life, .names, .noMemory, .notLookedAt, .use,
      .refused, .untriedChanges, .unknownText, .difference, .inside:
      nil
    }
  }
}

extension ExplainedToken.Conclusion {
  /// In words, for a token that was found in another text.
  fileprivate var ofTokenInside: String {
    switch self {
    case .valid: "a token that passes each step if it is sent by itself"
    case .refused(let reason, let detail): "a token that is refused by itself, too: \(reason.rawValue), \(detail)"
    case .notCompared, .undecided: "a token"
    }
  }
}
