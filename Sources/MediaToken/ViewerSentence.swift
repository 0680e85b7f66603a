/// The sentences that a support desk tells a viewer. The article SupportDesk prints them, and a test compares the two.
extension Action {
  /// What to tell a viewer where no reason says it better.
  package var viewerSentence: String {
    switch self {
    case .nothing: "Nothing is wrong with this permission to play. Please start the video again."
    case .newToken: "This video could not be started. Please start it again from the app."
    case .retry: "Please wait a moment, and start the video again."
    case .report: "Trying again will not help for now: we have to look into this, and have what we need for it."
    }
  }
}

extension Reason {
  /// What to tell a viewer whose token broke this rule. It names no rule, no field and no number.
  package var viewerSentence: String {
    switch self {
    case .expired, .expiredForReplayMemory:
      "The permission to play had run out before the video started. Please start it again from the app."
    case .alreadyUsed:
      "This permission to play has been used: each start of a video needs a new one. Please start it again from the app."
    case .otherResource, .resourceNotADocument:
      "The app asked for permission to play something else. Please choose the video again, and start it."
    case .otherRequestor:
      "The app asked for permission to play from another service. Trying again will not help: we have to look into this."
    case .mvpdDenied, .mvpdNotListed, .proxyMVPDNotListed:
      "This video is not available with your TV provider."
    default: action.viewerSentence
    }
  }
}
