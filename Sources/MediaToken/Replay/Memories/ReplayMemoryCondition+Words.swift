/// What programs say about a memory's condition, wherever they say it.
extension ReplayMemoryCondition {
  /// What is wrong, and what to do about it; nil if nothing is. The numbers of the condition are in ``cause``.
  package func words(at now: Instant) -> (detail: String, cure: String)? {
    switch self {
    case .usable: nil
    case .young(let until):
      (
        "the replay memory is new, the machine went down, or the seats of a fleet have lost what they knew: it vouches for no token that is issued now",
        "wait: \(Self.ready(at: until, now))"
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
  package var cause: String? { words(at: .now).map { $0.detail + measure } }

  /// `ready at 18:17:34Z, in 66 s`: the next whole second, as it is not ready earlier.
  private static func ready(at time: Instant, _ now: Instant) -> String {
    let whole = Instant(millisecondsSinceEpoch: (time.millisecondsSinceEpoch + 999) / 1000 * 1000)
    let seconds = (whole.millisecondsSinceEpoch - now.millisecondsSinceEpoch + 999) / 1000
    // A day or more means a clock that was ahead.
    let text = seconds < 86_400 ? whole.description.dropFirst(11) : whole.description[...]
    return "ready at \(text.dropLast(5))Z, in \(Swift.max(0, seconds)) s"
  }

  private var measure: String {
    switch self {
    case .young(let until): " (before \(until))"
    case .clockBehind(let seconds): " (by \(seconds) s)"
    case .seatsMissing(let usable, let needed), .seatsNameless(let usable, let needed): " (\(usable) of \(needed))"
    case .usable, .full, .unavailable, .retired: ""
    }
  }
}
