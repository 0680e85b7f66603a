/// The schema's functions, step by step, for one token. A flaw leaves one of the rules out.
struct NodeModel {
  let times: Times
  let flaw: Flaw?
  /// The token's issue second.
  let second: Int

  enum Refusal: UInt8 { case epoch, clock, hasData }

  enum Reply: Equatable {
    case refused(Refusal)
    case new
    case present(UInt8)
    case forgotten
    case ahead
  }

  /// No restore wrote them, the timeline is theirs, and hosts maintained the data without a gap.
  func stands(_ data: NodeData, timeline: UInt8, clock: Int) -> Bool {
    guard data.hasEpoch, data.isMarked || flaw == .noMark else { return false }
    guard data.timeline == timeline || flaw == .noTimeline else { return false }
    return flaw == .noMaintenance || clock <= Int(data.seen) + times.grace
  }

  /// What happens between two statements of a function.
  enum Meanwhile: Hashable {
    case nothing
    /// All rows are deleted between the looks of `claims` at the token and at the slot's marker. What it stored itself stays, as no
    /// one sees that before its commit.
    case emptied
    /// A dump is restored before the function has the lock it needs, or after it has stored what it asked for.
    case restored(NodeData)
    case restoredLater(NodeData)

    var dump: NodeData? {
      switch self {
      case .restored(let dump), .restoredLater(let dump): dump
      case .nothing, .emptied: nil
      }
    }
  }

  /// `claims` with a batch in which the token is several times, each with a ballot.
  func claims(
    _ data: inout NodeData, timeline: UInt8, clock: Int, ballots: [UInt8], _ meanwhile: Meanwhile = .nothing
  ) -> [Reply] {
    // Rows of one identity that are sorted by it alone are stored in any order.
    let asked = flaw == .newByOrder ? ballots[ballots.count - 1] : ballots[0]
    let reply = claim(&data, timeline: timeline, clock: clock, ballot: asked, meanwhile)
    guard reply == .new else { return ballots.map { _ in reply } }
    let new = flaw == .newByOrder ? 0 : ballots.firstIndex(of: asked)
    return ballots.enumerated().map { place, ballot in
      place == new || flaw == .newForEachCopy && ballot == asked ? .new : .present(asked)
    }
  }

  /// `claims` with one claim: of the token under proof with this ballot.
  func claim(
    _ data: inout NodeData, timeline: UInt8, clock: Int, ballot: UInt8, _ meanwhile: Meanwhile = .nothing
  ) -> Reply {
    guard stands(data, timeline: timeline, clock: clock) else { return .refused(.epoch) }
    let minute = times.minute(second)
    if second < Int(data.since) { return .forgotten }
    if minute <= Int(data.high) - times.slots, flaw != .anyMinute { return .forgotten }
    if clock < Int(data.since) - times.tolerance, flaw != .noQuarantine { return .forgotten }
    if second > clock + times.ahead + times.tolerance, flaw != .noAhead { return .ahead }
    if minute > Int(data.high) { return .ahead }
    let first = data
    if case .restored(let dump) = meanwhile { data = dump }
    let reply = store(&data, ballot, whileEmptied: meanwhile == .emptied)
    if case .restoredLater(let dump) = meanwhile {
      // What it has stored is not seen by the restore, and stays.
      data = dump
      if reply == .new { data.ballot = ballot }
    }
    // The whole row again.
    if flaw != .noSecondReading, isOther(data, than: first) {
      if let dump = meanwhile.dump { data = dump }
      return .refused(.epoch)
    }
    return reply
  }

  private func store(_ data: inout NodeData, _ ballot: UInt8, whileEmptied isEmptied: Bool) -> Reply {
    let sawMarker = data.hasMarker && (!isEmptied || flaw == .markerFirst)
    if isEmptied { (data.hasMarker, data.ballot) = (false, 0) }
    if !sawMarker {
      guard flaw == .noMarker else {
        data.ballot = 0
        return .forgotten
      }
      data.hasMarker = true
    }
    guard data.ballot == 0 else { return .present(data.ballot) }
    if flaw != .answerBeforeCommit { data.ballot = ballot }
    return .new
  }

  /// Whether the row of the epoch is not the one of the first look, or a later one of the same.
  private func isOther(_ data: NodeData, than first: NodeData) -> Bool {
    !(data.isMarked || flaw == .noMark) || data.since != first.since || data.seen < first.seen
  }

  /// Once a second from each host: a host was here, and the slots of the minutes that come are made.
  func maintain(
    _ data: inout NodeData, timeline: UInt8, clock: Int, hostNow: Int, _ meanwhile: Meanwhile = .nothing
  ) -> Refusal? {
    guard stands(data, timeline: timeline, clock: clock) else { return .epoch }
    let now = maintained(clock: clock, hostNow: hostNow)
    guard now >= Int(data.seen) + times.maintaining || Int(data.high) < times.lastMinute(clock) else { return nil }
    let first = data
    if let dump = meanwhile.dump { data = dump }
    if flaw != .noLookUnderLock, isOther(data, than: first) { return .epoch }
    data.seen = UInt8(max(Int(data.seen), now))
    data.isMarked = true
    turn(&data, clock)
    return nil
  }

  /// The second that is noted as maintained: a server's clock that is ahead of hosts' would vouch for the time to come.
  func maintained(clock: Int, hostNow: Int) -> Int {
    flaw == .maintainedByTheServersClock ? clock : min(clock, hostNow + times.tolerance)
  }

  /// What a host asks for at the start of each connection; nil: the node has an epoch now.
  func start(
    _ data: inout NodeData, timeline: UInt8, clock: Int, hostNow: Int, hostHighest: Int, fresh: Bool = false
  ) -> Refusal? {
    if fresh, data.hasEpoch || data.hasMarker || data.ballot != 0 { return .hasData }
    if stands(data, timeline: timeline, clock: clock) {
      if isUnmaintained(data, by: hostNow) { return .clock }
      if Int(data.high) < times.lastMinute(clock) { turn(&data, clock) }
      return nil
    }
    let latest = max(clock, hostNow, data.hasEpoch ? Int(data.seen) : 0)
    if abs(clock - hostNow) > times.tolerance || hostHighest > latest + times.mostLead { return .clock }
    let since = fresh ? 0 : floor(data, clock, hostNow, hostHighest)
    let former = data.hasEpoch ? data : NodeData()
    data.since = UInt8(flaw == .noFloor ? 0 : max(since, Int(former.since)))
    data.high = Int8(times.minute(Int(data.since)) - 1)
    data.seen = UInt8(max(clock, Int(former.seen)))
    (data.hasEpoch, data.isMarked) = (true, true)
    data.timeline = timeline
    turn(&data, clock)
    return nil
  }

  /// By this clock no host can have maintained the data without a gap, though by the server's one may have.
  func isUnmaintained(_ data: NodeData, by hostNow: Int, allowing more: Int = 0) -> Bool {
    flaw != .hostsClockIgnored && hostNow > Int(data.seen) + times.grace + more
  }

  private func floor(_ data: NodeData, _ clock: Int, _ hostNow: Int, _ hostHighest: Int) -> Int {
    var latest = max(clock, hostNow, hostHighest, data.hasEpoch ? Int(data.seen) : 0)
    if flaw == .floorByTheServerAlone { latest = clock }
    return flaw == .floorWithoutTolerance ? latest + 1 : latest + times.floorMargin
  }

  /// Makes the slots of the minutes that come.
  private func turn(_ data: inout NodeData, _ clock: Int) {
    let last = times.lastMinute(clock)
    let first = max(Int(data.high) + 1, times.minute(clock - times.life))
    guard first <= last else { return }
    for minute in first...last where (times.minute(second) - minute) % times.slots == 0 {
      (data.hasMarker, data.ballot) = (true, 0)
    }
    data.high = Int8(last)
  }
}

/// The numbers of the rules. Small worlds have smaller ones, in the same relations.
struct Times {
  /// How far apart clocks may be.
  let tolerance: Int
  /// For how long a connection may lead to a primary that its name has left.
  let connectionAge: Int
  /// F: how far ahead of a host's clock a token may be issued.
  let ahead: Int
  /// G: how long data may be unmaintained.
  let grace: Int
  let life: Int
  /// How far above all that a start knows the latest second of its host may be.
  let mostLead: Int
  /// A node that was maintained this many seconds ago is maintained again: G / 6.
  let maintaining: Int
  /// Seconds in one slot of the ring, how many slots there are, and how early the next one is made.
  let minuteLength: Int
  let slots: Int
  let lead: Int

  /// As the SQL has them, with F = 10 and G = 15.
  static let real = Times(
    tolerance: 5, connectionAge: 6, ahead: 10, grace: 15, life: 120, mostLead: 60, maintaining: 2, minuteLength: 60,
    slots: 5,
    lead: 30)
  /// All is in one minute.
  static let small = Times(
    tolerance: 1, connectionAge: 1, ahead: 4, grace: 2, life: 8, mostLead: 6, maintaining: 1, minuteLength: 256,
    slots: 2, lead: 0)
  /// A ring so short that it comes round while a token lives.
  static let shortRing = Times(
    tolerance: 1, connectionAge: 1, ahead: 4, grace: 2, life: 8, mostLead: 6, maintaining: 1, minuteLength: 4,
    slots: 3,
    lead: 2)

  /// T: how far above every clock a floor is. Up to `ahead + tolerance` a lost epoch voted, the clock of this one or the lost
  /// one's connections may be later, and above is more than at. And the lost one's maintenance ends before this one votes.
  var floorMargin: Int {
    max(ahead + tolerance + max(tolerance, connectionAge) + 1, grace + connectionAge + 3 * tolerance)
  }

  func minute(_ second: Int) -> Int { max(0, second) / minuteLength }

  func lastMinute(_ clock: Int) -> Int { minute(clock + ahead + tolerance + lead) }
}

/// One rule that is broken.
enum Flaw: String, CaseIterable {
  case noTimeline, noMaintenance, noFloor, floorWithoutTolerance, noAhead, noQuarantine, commitNotOnDisk
  case answerBeforeCommit, floorByTheServerAlone, noMarker, markerFirst, anyMinute
  case maintainedByTheServersClock, hostsClockIgnored
  case newByOrder, newForEachCopy, noMark, noSecondReading, noLookUnderLock
}
