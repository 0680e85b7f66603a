internal import CMediaToken
internal import MediaToken

/// The object that C knows as `mediatoken_result`. Nothing but ``Outcome/valid(_:)`` has anything of a token to give.
final class ResultState {
  /// That of the last verification.
  private(set) var outcome = Outcome.undecided
  private var shelf = TextShelf()

  enum Outcome {
    /// There was none.
    case undecided
    case valid(VerifiedToken)
    case notSpent(NotSpentToken)
    case rejected(Rejection)
    case failed(Failure)
  }

  /// A verification begins. Texts that were given may be part of its question, so they stay until it ends.
  func begin() { outcome = .undecided }

  /// Texts of the verification before are gone.
  func end(_ outcome: consuming Outcome) {
    shelf.clear()
    self.outcome = outcome
  }

  var code: mediatoken_code {
    switch outcome {
    case .undecided: MEDIATOKEN_UNDECIDED
    case .valid: MEDIATOKEN_VALID_TOKEN
    case .notSpent: MEDIATOKEN_NOT_SPENT
    case .rejected(let rejection): CodeTable.code(rejection.verdict.answer)
    case .failed(let failure): failure.code
    }
  }

  var token: VerifiedToken? {
    if case .valid(let token) = outcome { token } else { nil }
  }

  var rejection: Rejection? {
    if case .rejected(let rejection) = outcome { rejection } else { nil }
  }

  var detail: String? {
    switch outcome {
    case .undecided, .valid, .notSpent: nil
    case .rejected(let rejection): rejection.detail
    case .failed(let failure): failure.sentence
    }
  }

  /// Nil if there is neither a verdict nor a fault.
  var next: (action: Action, adobeCode: AdobeCode)? {
    switch outcome {
    case .valid: (.nothing, Verdict.validToken.answer.adobeCode)
    case .rejected(let rejection): (rejection.reason.action, rejection.verdict.answer.adobeCode)
    case .failed(let failure): failure.fault.map { ($0.action, $0.answer.adobeCode) }
    case .undecided, .notSpent: nil
    }
  }

  /// Known once the envelope was read.
  var identity: TokenIdentity? {
    switch outcome {
    case .valid(let token): token.identity
    case .notSpent(let token): token.identity
    case .rejected(let rejection): rejection.identity
    case .undecided, .failed: nil
    }
  }

  var use: mediatoken_use {
    switch outcome {
    case .valid(let token):
      switch token.use {
      case .first: MEDIATOKEN_USE_FIRST
      case .retry: MEDIATOKEN_USE_RETRY
      case .notEnforced: MEDIATOKEN_USE_NOT_ENFORCED
      }
    case .notSpent: MEDIATOKEN_USE_NOT_SPENT
    case .undecided, .rejected, .failed: MEDIATOKEN_USE_NONE
    }
  }

  enum Text: Int {
    case reason, detail, action, adobeCode, identity
    case requestorID, resourceID, mvpdID, proxyMVPDID, sessionGUID, keyFingerprint
    /// The first unknown field; the others follow.
    case unknownFields
  }

  /// `make` is called at the first time.
  func give(
    _ text: Text, _ index: Int = 0, _ length: UnsafeMutablePointer<Int>?, _ make: (ResultState) -> String?
  ) -> UnsafePointer<CChar>? {
    unsafe shelf.text(text.rawValue + index, length) { make(self) }
  }
}
