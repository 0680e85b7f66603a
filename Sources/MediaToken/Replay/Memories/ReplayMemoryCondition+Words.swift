/// What programs say about a memory's condition, wherever they say it.
extension ReplayMemoryCondition {
  /// What is wrong, and what to do about it; nil if nothing is. The numbers of the condition are in ``cause``.
  package var words: (detail: String, cure: String)? {
    switch self {
    case .usable: nil
    case .young:
      (
        "the replay memory is new, the machine went down, or the seats of a fleet have lost what they knew: it vouches for no token that is issued now",
        "wait, as a rule for about a minute: the longest futureToleranceMilliseconds and 6 s, in a fleet 12 s, in a database at least its grace and 21 s; a clock that was ahead makes it later"
      )
    case .clockBehind:
      (
        "this machine's clock is behind one that the replay memory has seen",
        "set this machine's clock if it is wrong; else wait until it has caught up, or make a new memory"
      )
    case .full:
      (
        "the replay memory has no room for new tokens",
        "make room: mediatoken replay grow, or shorter lives of tokens in maxTTLMilliseconds"
      )
    case .seatsMissing:
      (
        "fewer seats of the fleet can be asked than must agree",
        "run mediatoken replay seats to see which and why; the daemon recovers when they are back"
      )
    case .seatsNameless:
      (
        "fewer seats of the fleet can be asked than must agree, as the name service has no address for the others",
        "repair this host's name service, or write the seats' names into its hosts file; the daemon recovers by itself"
      )
    case .unavailable:
      (
        "the replay memory does not answer",
        "check its disk and the permissions of its folder; the daemon recovers by itself"
      )
    case .retired:
      (
        "the replay memory was deleted, replaced or retired, or its disk failed",
        "look with mediatoken replay info, move away a table that is retired, put none back, and restart the daemon"
      )
    }
  }

  /// What is wrong, with what is measured; nil if nothing is.
  package var cause: String? { words.map { $0.detail + measure } }

  private var measure: String {
    switch self {
    case .young(let until): " (before \(until))"
    case .clockBehind(let seconds): " (by \(seconds) s)"
    case .seatsMissing(let usable, let needed), .seatsNameless(let usable, let needed): " (\(usable) of \(needed))"
    case .usable, .full, .unavailable, .retired: ""
    }
  }
}
