extension TokenVerdict {
  /// The next thing to do after an answer. The list is closed, and the raw values are stable.
  ///
  /// The table of ``Refusal/Reason`` gives each reason its action; <doc:Actions> prints it, with a sentence for
  /// viewers. An action is advice about the next request, never a second opinion on this one: only a ``VerifiedToken``
  /// may play.
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

extension Action {
  /// The words for a viewer where no reason says it better, in the support desk's terms.
  package var viewerSentence: String {
    switch self {
    case .nothing: "Nothing is wrong with this permission to play. Please start the video again."
    case .newToken: "This video could not be started. Please start it again from the app."
    case .retry: "Please wait a moment, and start the video again."
    case .report: "Trying again will not help right now. We are looking into it; you do not need to do anything."
    }
  }
}

// The package calls it by a short name; the public one does not collide in an application.
package typealias Action = TokenVerdict.Action
