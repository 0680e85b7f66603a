/// The reason why the next genuine token would not be played. `/readyz`, the service manager's status, the log, the
/// metrics and the alerts all say it in these words; the article Runbooks has a section for each. A missing key is
/// not among them: ``TrustedKeys`` has at least one.
package enum Condition: String, CaseIterable, Sendable {
  case draining
  case nothingAllowed = "nothing-allowed"
  case memoryLost = "replay-memory-lost"
  case memoryUnavailable = "replay-memory-unavailable"
  case memoryFull = "replay-memory-full"
  case memoryNew = "replay-memory-new"
  case diskStalled = "disk-stalled"
  case nodesMissing = "nodes-missing"
  case name
  case clockBehind = "clock-behind"
  case keysUnavailable = "keys-unavailable"
  case outOfMemory = "out-of-memory"
  case internalFault = "internal-fault"

  package var detail: String { row.detail }

  /// It leaves out the time at which a new memory is ready: ``ReplayMemoryCondition/words(at:)`` has that.
  package var cure: String { row.cure }

  private var row: (detail: String, cure: String) {
    switch self {
    case .draining: ("the daemon is stopping: it finishes what has begun", "ask another one, or start it again")
    case .nothingAllowed: ("no tenant accepts tokens of any provider", "\(Self.allowingCure), and reload")
    case .memoryLost:
      (
        "the replay memory was deleted, replaced or retired, or its disk failed",
        "look with mediatoken replay info, move away a table that is retired, put none back, and restart the daemon"
      )
    case .memoryUnavailable:
      (
        "the replay memory does not answer",
        "check its disk and the permissions of its folder; the daemon recovers by itself"
      )
    case .memoryFull:
      (
        "the replay memory has no room for new tokens",
        "make room: mediatoken replay grow, or shorter lives of tokens in maxTTLMilliseconds"
      )
    case .memoryNew:
      (
        "the replay memory is new, the machine went down, or the nodes of a fleet have lost what they knew: it vouches for no token that is issued now",
        "wait"
      )
    case .diskStalled:
      (
        "the replay memory's disk has not answered for more than a second: it is frozen, or hangs",
        "end the snapshot or whatever has frozen its file system (fsfreeze --unfreeze), or repair the disk; the daemon recovers by itself"
      )
    case .nodesMissing:
      (
        "fewer nodes of the fleet can be asked than must agree",
        "run mediatoken replay nodes to see which and why; the daemon recovers when they are back"
      )
    case .name:
      (
        "fewer nodes of the fleet can be asked than must agree, as the name service has no address for the others",
        "repair this host's name service, or write the nodes' names into its hosts file; the daemon recovers by itself"
      )
    case .clockBehind:
      (
        "this machine's clock is behind one that the replay memory has seen",
        "set this machine's clock if it is wrong; else wait until it has caught up, or make a new memory"
      )
    case .keysUnavailable: ("OpenSSL could not work with the keys a moment ago", Self.restart)
    case .outOfMemory: ("a token could not be verified a moment ago: out of memory", Self.restart)
    case .internalFault: ("a token could not be verified a moment ago: a bug", Self.restart)
    }
  }

  /// The cure where the lists of all tenants leave no provider.
  package static let allowingCure =
    "name a provider in a tenant's allowMVPDs and allowProxyMVPDs that its denyMVPDs does not take away, or leave these lists out"

  private static let restart = "restart the daemon, and look for the cause in its log"
}

extension Condition {
  /// The next claim's condition after one that ended with this fault.
  package init(_ fault: Fault) {
    switch fault {
    case .keysUnavailable: self = .keysUnavailable
    case .replayMemoryUnavailable: self = .memoryUnavailable
    case .replayMemoryFull: self = .memoryFull
    case .outOfMemory: self = .outOfMemory
    case .internalFault: self = .internalFault
    }
  }

  /// Nil if the memory is usable.
  package init?(_ condition: ReplayMemoryCondition) {
    switch condition {
    case .usable: return nil
    case .warming: self = .memoryNew
    case .clockBehind: self = .clockBehind
    case .full: self = .memoryFull
    case .nodesMissing: self = .nodesMissing
    case .nodesNameless: self = .name
    case .unavailable: self = .memoryUnavailable
    case .retired: self = .memoryLost
    }
  }
}

extension ReplayMemoryCondition {
  /// The fact and the cure, as all programs say them; nil if nothing is wrong. The numbers of the condition are in ``cause``.
  package func words(at now: Instant) -> (detail: String, cure: String)? {
    guard let condition = Condition(self) else { return nil }
    guard case .warming(let until) = self else { return (condition.detail, condition.cure) }
    return (condition.detail, "\(condition.cure): \(Self.ready(at: until, now))")
  }

  /// The fact, with what is measured; nil if nothing is wrong.
  package var cause: String? { Condition(self).map { $0.detail + measure } }

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
    case .warming(let until): " (before \(until))"
    case .clockBehind(let seconds): " (by \(seconds) s)"
    case .nodesMissing(let usable, let needed), .nodesNameless(let usable, let needed): " (\(usable) of \(needed))"
    case .usable, .full, .unavailable, .retired: ""
    }
  }
}
