/// The answers about a token. The raw values are the wire numbers and never change.
///
/// The table in this file is the only place that knows a verdict's name, number, exit status, HTTP status and
/// its nearest code of Adobe's library; <doc:TokenFormat> prints the same table.
public enum TokenVerdict: UInt8, Sendable, Hashable, CaseIterable {
  /// Genuine, current, meant for this requestor and resource, and, if that is enforced, not used before.
  case validToken = 0
  /// Not a token: the text, the envelope or the signed fields break a rule of the format.
  case invalidTokenFormat = 1
  /// No trusted key made this signature over these bytes.
  case invalidSignature = 2
  /// Its life is over.
  case tokenExpired = 3
  /// Issued for another resource.
  case invalidResourceID = 4
  /// Issued for another requestor.
  case invalidRequestorID = 5
  /// Issued further in the future than clocks may differ.
  case tokenNotYetValid = 6
  /// The viewer's provider is on the deny list, or not on the allow list.
  case mvpdNotAllowed = 7
  /// The token was used before.
  case tokenReplayed = 8
  /// Issued before a moment that the replay memory can vouch for: it may have been used.
  case tokenPredatesReplayMemory = 9
}

extension Refusal {
  /// The reason why there is no verdict: something on our side failed. The raw values are the wire numbers and never
  /// change.
  ///
  /// A fault is not a verdict and says nothing about the token; the caller is refused nevertheless.
  public enum Fault: UInt8, Error, Sendable, Hashable, CaseIterable {
    /// There is no usable set of trusted keys.
    case keysUnavailable = 64
    /// The replay memory cannot be asked, so it is not known whether the token was used.
    case replayMemoryUnavailable = 65
    /// The replay memory has no room to remember this token.
    case replayMemoryFull = 66
    /// An allocation failed.
    case outOfMemory = 67
    /// A library or this one behaved in a way that its documentation excludes.
    case internalFault = 68
  }
}

/// The six codes that Adobe's Java library knows, for callers that compare with them.
public enum AdobeCode: String, Sendable, Hashable, CaseIterable {
  case validToken = "VALID_TOKEN"
  case invalidTokenFormat = "INVALID_TOKEN_FORMAT"
  case invalidSignature = "INVALID_SIGNATURE"
  case tokenExpired = "TOKEN_EXPIRED"
  case invalidResourceID = "INVALID_RESOURCE_ID"
  case unknownError = "ERROR_UNKNOWN"
}

extension TokenVerdict {
  /// One row of the table: the words and numbers for a verdict or a fault.
  public struct Answer: Sendable, Hashable {
    /// The name in JSON, headers and on the command line's first line.
    public let wireName: String
    /// The number in JSON and in the C interface: 0 to 63 for verdicts, from 64 for faults.
    public let number: UInt8
    /// The exit status of `mediatoken verify`.
    public let exitStatus: Int32
    /// The HTTP status: 200 for a valid token and for nothing else.
    public let httpStatus: Int
    /// The code of Adobe's library that comes nearest and refuses whenever this one does.
    public let adobeCode: AdobeCode
    /// For developers: lower case, no full stop.
    package let sentence: String
  }
}

extension TokenVerdict {
  /// This verdict's row of the table.
  public var answer: TokenVerdict.Answer {
    switch self {
    case .validToken:
      row("VALID_TOKEN", .validToken, "the token is genuine, current, meant for this use, and was not used before")
    case .invalidTokenFormat:
      row(
        "INVALID_TOKEN_FORMAT", .invalidTokenFormat,
        "not a media token: text, envelope or signed fields break a rule of the format")
    case .invalidSignature:
      row("INVALID_SIGNATURE", .invalidSignature, "no trusted key made this signature over these bytes")
    case .tokenExpired: row("TOKEN_EXPIRED", .tokenExpired, "the token's life is over")
    case .invalidResourceID:
      row("INVALID_RESOURCE_ID", .invalidResourceID, "the token was issued for another resource")
    // Adobe has no code for it: one that refuses.
    case .invalidRequestorID:
      row("INVALID_REQUESTOR_ID", .invalidSignature, "the token was issued for another requestor")
    // Adobe's text for TOKEN_EXPIRED is "TTL is not valid".
    case .tokenNotYetValid:
      row("TOKEN_NOT_YET_VALID", .tokenExpired, "the token was issued further in the future than clocks may differ")
    case .mvpdNotAllowed:
      row("MVPD_NOT_ALLOWED", .invalidResourceID, "the viewer's provider is denied or not allowed")
    case .tokenReplayed: row("TOKEN_REPLAYED", .tokenExpired, "the token was used before")
    case .tokenPredatesReplayMemory:
      row(
        "TOKEN_PREDATES_REPLAY_MEMORY", .tokenExpired,
        "the token is older than the replay memory, which cannot tell whether it was used")
    }
  }

  private func row(_ name: String, _ adobe: AdobeCode, _ sentence: String) -> Answer {
    let isValid = self == .validToken
    return Answer(
      wireName: name, number: rawValue, exitStatus: isValid ? 0 : 1, httpStatus: isValid ? 200 : 403,
      adobeCode: adobe, sentence: sentence)
  }
}

extension Fault {
  /// This fault's row of the table.
  public var answer: TokenVerdict.Answer {
    switch self {
    case .keysUnavailable: row("KEYS_UNAVAILABLE", "there is no usable set of trusted keys")
    case .replayMemoryUnavailable:
      row(
        "REPLAY_MEMORY_UNAVAILABLE",
        "the replay memory is unavailable; run mediatoken replay info or mediatoken replay nodes")
    case .replayMemoryFull:
      row("REPLAY_MEMORY_FULL", "the replay memory has no room for this token; create a larger one")
    case .outOfMemory: row("OUT_OF_MEMORY", "memory ran out")
    case .internalFault: row("INTERNAL_FAULT", "a library behaved in a way that its documentation excludes")
    }
  }

  private func row(_ name: String, _ sentence: String) -> Answer {
    Answer(
      wireName: name, number: rawValue, exitStatus: 3, httpStatus: 503, adobeCode: .unknownError,
      sentence: "no verdict: \(sentence)")
  }
}

// The package calls them by a short name; the public ones do not collide in an application.
package typealias Verdict = TokenVerdict
package typealias Answer = TokenVerdict.Answer
package typealias Fault = Refusal.Fault
