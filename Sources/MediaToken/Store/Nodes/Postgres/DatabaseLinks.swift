/// The connections of a process to one database: which thread has one, and what each is to do next. It reads no clock, and sends
/// nothing.
///
/// One connection is always of the last 5 s, so that a name that was moved is noticed within 5 s at the price of one connection in 4 s. The
/// others are used only while they lead to the same data (article FleetProtocol, "Connections"). There is one thread more than
/// connections: it makes the next one while the others ask.
struct DatabaseLinks {
  /// The most connections: each is a process of the server.
  static let most = 4
  static let threads = most + 1

  enum Work {
    /// Find the primary, connect, and shake hands.
    case dial
    /// Take claims from the desk, and ask.
    case ask
    /// Maintain the epoch.
    case maintain
    /// End the connection: there is a younger one, or it leads to other data than that.
    case drop
    case end
  }

  /// A server, the timeline of its data, and the floor of their epoch.
  struct Goal: Sendable, Hashable {
    let process: String
    let timeline: Int64?
    let from: Int64

    init(_ found: HandshakeResult) { (process, timeline, from) = (found.process, found.timeline, found.from) }
  }

  private struct Link {
    /// When it began to be made.
    var start: UInt64
    let goal: Goal
    /// Since when a question is unanswered.
    var askedAt: UInt64?
    var isCaring = false
    /// Its thread was woken for claims, and has not come yet.
    var isRung = false
  }

  private var links = [Link?](repeating: nil, count: threads)
  /// The thread that makes the next connection.
  private var dialing: Int?
  /// The last connection was refused, or broke, or could not be made.
  private var hasFailed = false
  /// The connections that claims found too few.
  private var wanted = 1
  private var youngest: (start: UInt64, goal: Goal)?
  private var renewal: UInt64 = 0
  private var nextMaintenance: UInt64 = 0
  private var lastHeard: UInt64 = 0
  private var hasClaims = false
  private var backoff = Backoff()
  var isClosed = false

  private var count: Int { links.count { $0 != nil } }

  private func isRecent(_ link: Link, at time: UInt64) -> Bool {
    youngest.map { $0.goal == link.goal && time < $0.start + ConnectionTimes.oldest } == true
  }

  // MARK: what is to be done

  /// What a thread does next; nil: it sleeps until then.
  mutating func work(of thread: Int, at time: UInt64) -> (work: Work?, until: UInt64) {
    if isClosed { return (.end, time) }
    guard let link = links[thread] else {
      if dialing != nil { return (nil, .max) }
      guard time >= renewal else { return (nil, renewal) }
      dialing = thread
      return (.dial, time)
    }
    links[thread]?.isRung = false
    // The oldest of too many goes.
    let isOneTooMany = count > wanted && !links.contains { ($0?.start ?? .max) < link.start }
    if isOneTooMany || !isRecent(link, at: time) { return (.drop, time) }
    // Claims go first, but they may come without an end.
    if time >= nextMaintenance + (hasClaims ? ConnectionTimes.maintenance : 0) {
      nextMaintenance = time + ConnectionTimes.maintenance
      links[thread]?.isCaring = true
      links[thread]?.askedAt = time
      return (.maintain, time)
    }
    if hasClaims {
      hasClaims = false
      return (.ask, time)
    }
    return (nil, min(nextMaintenance, (youngest?.start ?? 0) + ConnectionTimes.oldest))
  }

  /// Claims wait. The result is the thread to be woken, if one has nothing to do: it asks, or makes another connection.
  mutating func noteClaims(at time: UInt64) -> Int? {
    hasClaims = true
    for thread in links.indices {
      guard let link = links[thread], link.askedAt == nil, isRecent(link, at: time) else { continue }
      if link.isRung { return nil }
      links[thread]?.isRung = true
      return thread
    }
    guard dialing == nil, !hasFailed, count >= wanted, wanted < Self.most, !isSoonFree(at: time) else { return nil }
    (wanted, renewal) = (wanted + 1, 0)
    return links.firstIndex { $0 == nil }
  }

  /// True if a connection only maintains the epoch, and has not done so for long.
  private func isSoonFree(at time: UInt64) -> Bool {
    links.contains { link in
      link?.isCaring == true && link?.askedAt.map { time < $0 + ConnectionTimes.slow } == true
    }
  }

  // MARK: what was done

  mutating func opened(_ thread: Int, _ found: HandshakeResult, since start: UInt64, _ chance: Double) {
    let goal = Goal(found)
    (links[thread], youngest) = (Link(start: start, goal: goal), (start, goal))
    (dialing, hasFailed) = (nil, false)
    backoff.reset()
    // Until there are as many as are wanted, the next one follows at once.
    renewal = count < wanted ? 0 : start + ConnectionTimes.renewal(chance)
  }

  /// The thread has no connection, or none any more. True if it was one.
  mutating func closed(_ thread: Int) -> Bool {
    if dialing == thread { dialing = nil }
    return links[thread].take() != nil
  }

  /// A connection was lost, or could not be made.
  mutating func failed(at time: UInt64, _ chance: Double) {
    hasFailed = true
    renewal = time + backoff.next(chance)
  }

  /// The database must not be asked: all connections end.
  mutating func refused(until time: UInt64) { (hasFailed, youngest, renewal) = (true, nil, time) }

  mutating func asks(_ thread: Int, since time: UInt64) { links[thread]?.askedAt = time }

  mutating func heard(_ thread: Int, at time: UInt64) {
    links[thread]?.isCaring = false
    lastHeard = time
    // More may have come, or follow from the answer.
    hasClaims = true
    links[thread]?.askedAt = nil
  }

  /// Another connection is to take the place of the thread's before its time. True for the first time: then a thread is to be woken
  /// that makes it.
  mutating func wear(_ thread: Int) -> Bool {
    guard let link = links[thread], link.start != 0 else { return false }
    links[thread]?.start = 0
    renewal = 0
    return true
  }

  /// The epoch that the thread's connection leads to is still that of its handshake.
  func isSame(_ found: HandshakeResult, of thread: Int) -> Bool { links[thread]?.goal.from == found.from }

  /// The node as the desk sees it.
  func view(at time: UInt64) -> NodeView {
    var view = NodeView(isBusy: dialing != nil && !hasFailed, isConnected: dialing != nil)
    for case .some(let link) in links {
      view.isConnected = true
      guard isRecent(link, at: time) else { continue }
      if let asked = link.askedAt {
        view.isBusy = true
        view.silentSince = max(min(asked, view.silentSince ?? .max), lastHeard)
      } else {
        view.isUsable = true
      }
    }
    return view
  }
}
