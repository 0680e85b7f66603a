extension TokenVerdict {
  /// What to do next after an answer. The list is closed, and the raw values are stable.
  ///
  /// The table in this file is the only place that knows which reason asks for what; <doc:Actions> prints it, with a sentence
  /// for viewers. An action is advice about the next request, never a second opinion on this one: whatever it says, only a
  /// ``VerifiedToken`` may play.
  public enum Action: String, Sendable, Hashable, CaseIterable {
    /// Nothing is left to do: the token is valid.
    case nothing = "none"
    /// The client asks Adobe Pass for a new token and comes back with that: this one can't become valid any more.
    case newToken = "new-token"
    /// The client comes back with the same token after a second: it was not refused for good.
    case retry
    /// Trying again would end the same way: a person has to look at the reason.
    case report
  }
}

extension Reason {
  /// What to do about a token that broke this rule; never ``TokenVerdict/Action/nothing``.
  public var action: TokenVerdict.Action {
    switch self {
    // Not a token, or no longer one as it arrived: what the client was given may be.
    case .empty, .tooLong, .unknownForm, .brokenPercentEscape, .base64Character, .base64Alphabets, .base64Padding,
      .base64TrailingBits, .decodedUnknownForm, .signatureMissing, .signatureNotBase64, .secondMarker,
      .signedBytesMissing:
      .newToken
    // A token that has had its time, or is for something else.
    case .expired, .expiredForReplayMemory, .otherResource, .resourceNotADocument, .alreadyUsed,
      .predatesReplayMemory:
      .newToken
    // Time alone cures it.
    case .issuedInFuture: .retry
    case .signatureSize, .signatureMismatch: .report
    case .notUTF8, .forbiddenCharacter, .forbiddenMarkup, .brokenTag, .tagMismatch, .unknownRoot, .nestedElement,
      .textOutsideFields, .contentOutsideRoot, .truncated, .misplacedCDATA, .cdataEndInText, .unknownReference,
      .forbiddenReference, .tooManyFields, .repeatedField, .missingField, .emptyField, .unknownField,
      .secondParserRefused, .ttlForm, .issueTimeForm:
      .report
    case .otherRequestor, .unservedRequestor, .mvpdDenied, .mvpdNotListed, .proxyMVPDNotListed: .report
    }
  }
}

extension Fault {
  /// What to do when there is no verdict: the fault says nothing about the token, which may come again. Where its use was
  /// claimed nevertheless, the next answer is `TOKEN_REPLAYED`, and says what to do then.
  public var action: TokenVerdict.Action { .retry }
}

extension Refusal {
  /// What to do next.
  public var action: TokenVerdict.Action {
    switch self {
    case .rejected(let rejection): rejection.reason.action
    case .undecided, .cancelled: (fault ?? .internalFault).action
    }
  }
}
