internal import MediaTokenSystem

/// The reason why an operator's command learns nothing from a node.
enum NodeError: Error {
  /// It does not answer for so long.
  case late(milliseconds: Int)
  /// It ends the connection instead.
  case closed
  /// No address is found for its name.
  case nameless
  /// It can't be reached; the system's error.
  case unreachable(SystemError)
  /// There is no connection to it, or none any more; libpq's words.
  case failed(String)
  /// It has no answer now; its words instead.
  case busy(String)
  case refused(NodeRefusal)
  /// Nothing was initialised, because it has an epoch.
  case hasEpoch
  /// Nothing was initialised, because it has other data than a moment ago.
  case otherData

  init(_ error: WalkError) {
    switch error {
    case .system(let error): self = .unreachable(error)
    case .distrusted(let place): self = .refused(.exchangeableSocket(place))
    }
  }

  /// True if it answers, and has other data than it was to have.
  var isOfData: Bool {
    switch self {
    case .hasEpoch, .otherData: true
    default: false
    }
  }

  /// True if no other member of a cluster could do better.
  var isFinal: Bool {
    switch self {
    case .refused(.takesNoWrites): false
    case .refused: !isOfStandby
    case .hasEpoch, .otherData: true
    default: false
    }
  }

  /// True if it is a standby that was asked.
  var isOfStandby: Bool {
    if case .refused(.standby) = self { return true }
    return false
  }
}

extension NodeError: CustomStringConvertible {
  /// The fault, and the cure if there is one; it follows the node's number and address.
  var description: String {
    switch self {
    case .late(let milliseconds):
      "it does not answer within \(milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms")"
    case .closed: "it ends the connection without an answer; read its log, and that of a proxy in front of it"
    case .nameless: "no address is found for its name; check the name, and this host's name servers"
    case .unreachable(let error): "it cannot be reached: \(error)"
    case .failed(let text): "there is no connection to it: \(StoreWords(text))"
    case .busy(let text): "it answers with an error: \(StoreWords(text))"
    case .refused(let refusal): refusal.description
    case .hasEpoch: NodeDescription.hasEpochReason
    case .otherData:
      "it has lost its data since this command looked at it, and with them perhaps uses of tokens; run it again if you still vouch that there were none"
    }
  }
}
