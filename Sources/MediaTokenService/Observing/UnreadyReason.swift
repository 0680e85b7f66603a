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
    case .nothingAllowed: "no tenant accepts tokens of any provider"
    case .diskStalled: "the replay memory's disk has not answered for more than a second: it is frozen, or hangs"
    case .keysUnavailable: "OpenSSL could not work with the keys a moment ago"
    case .outOfMemory: "a token could not be verified a moment ago: out of memory"
    case .internalFault: "a token could not be verified a moment ago: a bug"
    case .memoryLost, .memoryUnavailable, .memoryFull, .memoryNew, .seatsMissing, .name, .clockBehind:
      condition?.words(at: .now)?.detail ?? ""
    }
  }

  /// What to do where the lists of all tenants leave no provider.
  static let allowingCure =
    "name a provider in a tenant's allowMVPDs and allowProxyMVPDs that its denyMVPDs does not take away, or leave these lists out"

  /// What to do about it, without what only ``Readiness/cure(of:at:)`` knows.
  var cure: String {
    switch self {
    case .draining: "ask another one, or start it again"
    case .nothingAllowed:
      "\(Self.allowingCure), and reload"
    case .diskStalled:
      "end the snapshot or whatever has frozen its file system (fsfreeze --unfreeze), or repair the disk; the daemon recovers by itself"
    case .keysUnavailable, .outOfMemory, .internalFault: "restart the daemon, and look for the cause in its log"
    case .memoryNew: "wait"
    case .memoryLost, .memoryUnavailable, .memoryFull, .seatsMissing, .name, .clockBehind:
      condition?.words(at: .now)?.cure ?? ""
    }
  }

  /// A condition of the memory that is called so, for its words.
  private var condition: ReplayMemoryCondition? {
    switch self {
    case .memoryLost: .retired
    case .memoryUnavailable: .unavailable
    case .memoryFull: .full
    case .memoryNew: .young(until: Instant(millisecondsSinceEpoch: 0))
    case .seatsMissing: .seatsMissing(usable: 0, needed: 0)
    case .name: .seatsNameless(usable: 0, needed: 0)
    case .clockBehind: .clockBehind(seconds: 0)
    case .draining, .nothingAllowed, .diskStalled, .keysUnavailable, .outOfMemory, .internalFault: nil
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
