internal import MediaTokenSystem

/// The reason why there is no ``VerifiedToken``. A caller that ignores it has no token.
public enum Refusal: Error, Sendable, Hashable {
  /// The token is at fault: there is a verdict.
  case rejected(Rejection)
  /// This side is at fault: there is no verdict, and the caller is refused nevertheless.
  case undecided(Fault)
  /// The task was cancelled before there was an answer. If its claim was made already, the token may count as used.
  case cancelled

  /// The row of the verdict table.
  public var answer: TokenVerdict.Answer {
    switch self {
    case .rejected(let rejection): rejection.verdict.answer
    case .undecided, .cancelled: (fault ?? .internalFault).answer
    }
  }

  /// Nil if there is a verdict. A task that was cancelled does not know whether its token was used.
  package var fault: Fault? {
    switch self {
    case .rejected: nil
    case .undecided(let fault): fault
    case .cancelled: .replayMemoryUnavailable
    }
  }

  static func because(_ reason: Reason, _ finding: Finding = .nothing) -> Refusal {
    .rejected(Rejection(reason, finding, of: nil))
  }

  func naming(_ identity: TokenIdentity) -> Refusal {
    switch self {
    case .rejected(let rejection): .rejected(Rejection(rejection.reason, rejection.finding, of: identity))
    case .undecided, .cancelled: self
    }
  }
}

extension Refusal {
  /// A verdict against a token, with the rule that it broke.
  public struct Rejection: Sendable, Hashable {
    /// The rule.
    public let reason: Reason
    /// The check's finding, as far as it may be told.
    public let finding: Finding
    /// The token's name, once its envelope was read; before that it has none.
    public let identity: TokenIdentity?

    /// The verdict that the rule leads to; never ``TokenVerdict/validToken``.
    public var verdict: TokenVerdict { reason.verdict }

    /// A sentence for people. It never contains bytes of the token other than field names that we know.
    public var detail: String { finding.told(with: reason) }

    fileprivate init(_ reason: Reason, _ finding: Finding, of identity: TokenIdentity?) {
      self.reason = reason
      self.finding = finding
      self.identity = identity
    }
  }
}

extension Refusal {
  /// A check's finding, in a form that cannot carry a token's text.
  public enum Finding: Sendable, Hashable {
    /// The reason says it all.
    case nothing
    /// A number of bytes.
    case length(Int)
    /// The offset of a byte, from 0: in the received text for the first step, in the token for the second, in the
    /// signed bytes for the fourth.
    case offset(Int)
    /// A byte order mark, with which the text begins.
    case byteOrderMark
    /// A field.
    case field(TokenField)
    /// The time by which a limit was missed, in milliseconds.
    case milliseconds(Int64)
    /// The parts in which the token's resource document differs from the expected one.
    case difference(DocumentParts)
    /// The token's resource is a plain id, and a document was expected.
    case plainResource
    /// The reason why the token's resource is not a document.
    case document(ResourceDocumentError)

    fileprivate func told(with reason: Reason) -> String {
      let sentence = reason.sentence
      return switch self {
      case .nothing: sentence
      case .length(let length): "\(sentence); found \(length) bytes"
      case .offset(let offset): "\(sentence); found at byte \(offset)"
      case .byteOrderMark: "\(sentence); found a byte order mark, which must be left out"
      case .field(let field): "\(sentence): \(field.rawValue)"
      case .milliseconds(let milliseconds): reason.sentence(missedBy: SpelledTime.duration(milliseconds))
      case .difference(let parts): "\(sentence); they differ in \(parts.names.joined(separator: ", "))"
      case .plainResource: "\(sentence); expected a document, found a plain id"
      case .document(let error): "\(sentence): \(error)"
      }
    }
  }
}

extension Fault {
  /// The next thing to do when there is no verdict: the fault says nothing about the token, which may come again. If its
  /// use was claimed nevertheless, the next answer is `TOKEN_REPLAYED`, with the action for that.
  public var action: TokenVerdict.Action { .retry }
}

extension Refusal {
  /// The next thing to do.
  public var action: TokenVerdict.Action {
    switch self {
    case .rejected(let rejection): rejection.reason.action
    case .undecided, .cancelled: (fault ?? .internalFault).action
    }
  }
}

extension ResourceDocumentError {
  /// A fault on our side: then nothing is known of the text.
  package var fault: Fault? { self == .outOfMemory ? .outOfMemory : nil }
}

// The package calls them by a short name; the public ones do not collide in an application.
package typealias Finding = Refusal.Finding
package typealias Rejection = Refusal.Rejection
