internal import MediaToken

/// Why the next genuine token would not be played. `/readyz`, the service manager's status, the log, the metrics and the
/// alerts all say it in these words; the article Operations has a section for each. That there is no key is not among
/// them: ``TrustedKeys`` has at least one.
enum UnreadyReason: String, CaseIterable, Sendable {
  case draining
  case nothingAllowed = "nothing-allowed"
  case memoryLost = "replay-memory-lost"
  case memoryUnavailable = "replay-memory-unavailable"
  case memoryFull = "replay-memory-full"
  case memoryNew = "replay-memory-new"
  case diskStalled = "disk-stalled"
  case seatsMissing = "seats-missing"
  case name
  case clockBehind = "clock-behind"
  case keysUnavailable = "keys-unavailable"
  case outOfMemory = "out-of-memory"
  case internalFault = "internal-fault"

  /// What is wrong.
  var detail: String {
    switch self {
    case .draining: "the daemon is stopping: it finishes what has begun"
    case .nothingAllowed: "no tenant allows any MVPD and any resource"
    case .memoryLost: "the replay memory was deleted, replaced or retired, or its disk failed"
    case .memoryUnavailable: "the replay memory does not answer"
    case .memoryFull: "the replay memory has no room for new tokens"
    case .memoryNew:
      "the replay memory is new, the machine went down, or the seats of a fleet have lost what they knew: it vouches for no token that is issued now"
    case .diskStalled: "the replay memory's disk has not answered for more than a second: it is frozen, or hangs"
    case .seatsMissing: "fewer seats of the fleet can be asked than must agree"
    case .name:
      "fewer seats of the fleet can be asked than must agree, as the name service has no address for the others"
    case .clockBehind: "this machine's clock is behind one that the replay memory has seen"
    case .keysUnavailable: "OpenSSL could not work with the keys a moment ago"
    case .outOfMemory: "a token could not be verified a moment ago: out of memory"
    case .internalFault: "a token could not be verified a moment ago: a bug"
    }
  }

  /// What to do about it.
  var cure: String {
    switch self {
    case .draining: "ask another one, or start it again"
    case .nothingAllowed:
      "list some in allowMVPDs, allowProxyMVPDs and resources of the configuration's tenants, and reload"
    case .memoryLost:
      "look with mediatoken replay info, move away a table that is retired, put none back, and restart the daemon"
    case .memoryUnavailable: "check its disk and the permissions of its folder; the daemon recovers by itself"
    case .memoryFull: "make room: mediatoken replay grow, or shorter lives of tokens in maxTTLMilliseconds"
    case .memoryNew:
      "wait: it is over within about a minute, the longest futureToleranceMilliseconds and 6 s, in a fleet 12 s; a clock that was ahead makes it later"
    case .diskStalled:
      "end the snapshot or whatever has frozen its file system (fsfreeze --unfreeze), or repair the disk; the daemon recovers by itself"
    case .seatsMissing:
      "run mediatoken replay seats to see which and why; the daemon recovers when they are back"
    case .name:
      "repair this host's name service, or write the seats' names into its hosts file; the daemon recovers by itself"
    case .clockBehind: "set this machine's clock; else wait until it has caught up, or make a new memory"
    case .keysUnavailable, .outOfMemory, .internalFault: "restart the daemon, and look for the cause in its log"
    }
  }

  /// What a claim that ended with this fault says about the next one.
  init(_ fault: Fault) {
    switch fault {
    case .keysUnavailable: self = .keysUnavailable
    case .replayMemoryUnavailable: self = .memoryUnavailable
    case .replayMemoryFull: self = .memoryFull
    case .outOfMemory: self = .outOfMemory
    case .internalFault: self = .internalFault
    }
  }

  /// What the memory's condition says; nil if it is usable.
  init?(_ condition: ReplayMemoryCondition) {
    switch condition {
    case .usable: return nil
    case .young: self = .memoryNew
    case .clockBehind: self = .clockBehind
    case .full: self = .memoryFull
    case .seatsMissing: self = .seatsMissing
    case .seatsNameless: self = .name
    case .unavailable: self = .memoryUnavailable
    case .retired: self = .memoryLost
    }
  }
}

extension UnreadyReason? {
  /// For people, on one line: what the service manager shows.
  var sentence: String {
    self.map { "not ready: \($0.rawValue): \($0.detail); \($0.cure)" } ?? "answering requests"
  }
}
