package import MediaToken

/// What an explanation says about one step.
package struct StepReport: Sendable {
  package let step: PathStep
  package var outcome = Outcome.notChecked
  /// What was expected, what was found, what to do next: names and values in the order of printing.
  package var notes: [(name: StaticString, value: String)] = []

  init(step: PathStep) { self.step = step }

  /// How a step went.
  package enum Outcome: String, Sendable {
    case passed
    case failed
    case notChecked = "not checked"
    /// A fault on this side.
    case noAnswer = "no answer"

    /// For programs.
    var wireName: String {
      switch self {
      case .passed, .failed: rawValue
      case .notChecked: "not-checked"
      case .noAnswer: "no-answer"
      }
    }
  }

  mutating func expected(_ text: String) { notes.append(("expected", text)) }

  mutating func found(_ text: String) { notes.append(("found", text)) }

  /// - Parameter next: what to do, where that is more than the rejection tells.
  mutating func failed(_ rejection: Rejection, next: String? = nil) {
    failed(rejection.reason, rejection.detail, next ?? rejection.nextStep)
  }

  mutating func failed(_ reason: Reason) { failed(reason, reason.sentence, reason.nextStep) }

  private mutating func failed(_ reason: Reason, _ detail: String, _ nextStep: String) {
    outcome = .failed
    notes += [("reason", reason.rawValue), ("detail", detail), ("next", nextStep)]
  }
}

extension Rejection {
  /// What to do about it. Of two documents it names the elements that differ, and not what is in them.
  fileprivate var nextStep: String {
    switch finding {
    case .difference(let parts): "compare the two documents in \(parts.names.joined(separator: ", "))"
    case .plainResource:
      "expect the id with --resource, or all of the channel with --resource-channel, if a plain id may start the video"
    case .byteOrderMark: "save the token without a byte order mark, which editors put at the beginning of a file"
    default: reason.nextStep
    }
  }
}

extension Reason {
  /// What to do about this reason.
  package var nextStep: String {
    switch self {
    case .empty: "find out why the client sent no token"
    case .tooLong: "send the token alone, without anything around it"
    case .unknownForm, .decodedUnknownForm:
      "send the token exactly as Adobe's client returned it, encoded once at most"
    case .brokenPercentEscape, .base64Character, .base64Alphabets, .base64Padding, .base64TrailingBits:
      "look for something on the way that cuts off, decodes or encodes the token a second time"
    case .signatureMissing, .signatureNotBase64, .secondMarker, .signedBytesMissing:
      "look for something on the way that repairs the markers as if the token were XML: it is not"
    case .signatureSize, .signatureMismatch:
      "list the trusted keys with mediatoken keys list, and look for something on the way that changes the token"
    case .unknownRoot: "send the short media token; another kind of token was signed by the same key"
    case .unknownField: "allow unknown fields with --unknown-fields report"
    case .expired:
      "ask the client for a fresh token; if it was fresh, compare this machine's clock with the issue time"
    case .issuedInFuture: "compare this machine's clock with the issue time, or raise --future-tolerance"
    case .otherRequestor: "compare the two requestors byte by byte: upper case matters"
    case .unservedRequestor:
      "ask for a requestor that is in the configuration's tenants, in exactly that spelling: upper case matters; or add a tenant for it"
    case .otherResource: "compare the two resources byte by byte: upper case, spaces and accents matter"
    case .resourceNotADocument:
      "ask the client's developers for a document that keeps to the grammar, or expect exactly this text with --resource"
    case .mvpdDenied: "remove the provider from --deny-mvpd, if it should be accepted"
    case .mvpdNotListed: "add the provider with --allow-mvpd, if it should be accepted"
    case .proxyMVPDNotListed:
      "add the proxy provider with --allow-proxy-mvpd, or leave the option out if viewers also come without a proxy"
    case .alreadyUsed, .expiredForReplayMemory, .predatesReplayMemory: "ask the client for a fresh token"
    default: "keep the token and ask Adobe: a trusted key signed something that breaks the format"
    }
  }
}
