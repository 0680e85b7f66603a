internal import MediaTokenSystem

/// The threads of a process that ask a database: each has a connection, or makes the next one, and waits for one answer at a time. One
/// more ends the claims whose deadline has passed.
final class DatabaseAskers: NodeAskers {
  private let engine: PostgresEngine
  private let record: NodeRecord
  private let links = Monitor(DatabaseLinks())
  /// Each thread sleeps at its own.
  private let bells = (0..<DatabaseLinks.threads).map { _ in Bell() }
  private let clockBell = Bell()

  init(_ engine: PostgresEngine, _ record: NodeRecord) { (self.engine, self.record) = (engine, record) }

  func start(for desk: Desk) throws(SystemError) {
    do throws(SystemError) {
      for thread in bells.indices { try WorkerThread { self.run(thread, desk) }.detach() }
      try WorkerThread { self.watchDeadlines(of: desk) }.detach()
    } catch {
      end()
      throw error
    }
  }

  func wake(forClaims: Bool, forAlarm: Bool) {
    if forClaims, let thread = links.change({ $0.noteClaims(at: MonotonicTime.now) }) { bells[thread].ring() }
    if forAlarm { clockBell.ring() }
  }

  func end() {
    links.change { $0.isClosed = true }
    for bell in bells + [clockBell] { bell.ring() }
  }

  private func ringAll() { for bell in bells { bell.ring() } }

  // MARK: deadlines

  /// How long the clock goes on by itself after the last claim, so that the next one need not wake it: 1 s.
  private static let rest: UInt64 = 1_000_000_000

  private func watchDeadlines(of desk: Desk) {
    var lastClaims: UInt64 = 0
    while !links.current.isClosed {
      let now = MonotonicTime.now
      let (alarm, isAsking) = desk.exchange { state, ends in
        state.expire(at: now, &ends)
        if state.soonestDeadline != .max { lastClaims = now }
        let next = now &- lastClaims < Self.rest ? now + desk.fleet.deadline : .max
        let alarm = min(state.soonestDeadline, next)
        state.setAlarm(alarm)
        return (alarm, state.hasClaimsToAsk)
      }
      // One that had joined a claim which is over may ask now.
      if isAsking { wake(forClaims: true, forAlarm: false) }
      clockBell.wait(until: alarm)
    }
  }

  // MARK: asking

  /// The life of a thread, in order.
  private func run(_ thread: Int, _ desk: Desk) {
    var link: DatabaseLink?
    while true {
      switch nextWork(of: thread) {
      case .dial: link = dial(thread, desk)
      // One batch at a time: the connection may have to be dropped meanwhile.
      case .ask:
        if let asking = link, let claims = take(thread, desk), !ask(asking, claims, thread, desk) { link = nil }
      case .maintain: if let idle = link, !maintain(idle, thread, desk) { link = nil }
      case .drop:
        link?.end()
        link = nil
        close(thread, nil, desk)
      case .end:
        link?.end()
        return
      }
    }
  }

  private func nextWork(of thread: Int) -> DatabaseLinks.Work {
    while true {
      let (work, end) = links.change { $0.work(of: thread, at: MonotonicTime.now) }
      if let work { return work }
      bells[thread].wait(until: end)
    }
  }

  private func dial(_ thread: Int, _ desk: Desk) -> DatabaseLink? {
    let start = MonotonicTime.now
    publish(to: desk)
    do throws(NodeError) {
      let (link, found) = try DatabaseLink.dial(engine, record)
      record.named(true)
      record.identified(link.database)
      if let refusal = record.connectionOpened(found) {
        link.end()
        throw .refused(refusal)
      }
      links.change { $0.opened(thread, found, since: start, engine.chance()) }
      // The oldest may be one too many now, and claims may wait.
      ringAll()
      publish(to: desk)
      return link
    } catch {
      close(thread, error, desk)
      return nil
    }
  }

  private func take(_ thread: Int, _ desk: Desk) -> TakenClaims? {
    let now = MonotonicTime.now
    let view = links.change { $0.view(at: now) }
    guard view.isUsable else { return nil }
    let (claims, isMore) = desk.exchange { state, _ in
      state.nodes[0].see(view)
      let claims = state.take(for: 1, at: now)
      state.rest()
      return (claims, state.hasClaimsToAsk)
    }
    if claims != nil { links.change { $0.asks(thread, since: now) } }
    if isMore { wake(forClaims: true, forAlarm: false) }
    return claims
  }

  /// False if the connection has ended.
  private func ask(_ link: DatabaseLink, _ claims: TakenClaims, _ thread: Int, _ desk: Desk) -> Bool {
    do throws(NodeError) {
      let answers = try link.ask(claims.batch)
      let now = MonotonicTime.now
      let view = links.change { links in
        links.heard(thread, at: now)
        return links.view(at: now)
      }
      if link.isWorn, links.change({ $0.wear(thread) }) { ringAll() }
      desk.exchange { state, ends in
        state.nodes[0].see(view)
        state.hear(answers, to: claims, from: 1, at: now, &ends)
      }
      return true
    } catch {
      link.end()
      close(thread, error, desk, claims)
      return false
    }
  }

  private func maintain(_ link: DatabaseLink, _ thread: Int, _ desk: Desk) -> Bool {
    do throws(NodeError) {
      if let (found, seen) = try link.maintain() {
        guard links.change({ $0.isSame(found, of: thread) }) else { throw .closed }
        record.learned(found)
        if let seen { record.maintained(at: seen) }
      }
      links.change { $0.heard(thread, at: MonotonicTime.now) }
      return true
    } catch {
      link.end()
      close(thread, error, desk)
      return false
    }
  }

  /// The thread has no connection, or none any more. Without an error it was ended in order. `asked` has no answer.
  private func close(_ thread: Int, _ error: NodeError?, _ desk: Desk, _ asked: TakenClaims? = nil) {
    let now = MonotonicTime.now
    // Before the connection is gone: a refused node is not a lost one.
    if case .refused(let refusal) = error {
      record.refused(refusal)
      links.change { $0.refused(until: now + ConnectionTimes.pause(after: refusal)) }
    } else if let error {
      if case .nameless = error { record.named(false) }
      record.reconnecting()
      links.change { $0.failed(at: now, engine.chance()) }
    }
    let (wasOpen, view) = links.change { ($0.closed(thread), $0.view(at: now)) }
    if wasOpen { record.connectionClosed() }
    // Another may have to end, or to make the next one.
    ringAll()
    desk.exchange { state, ends in
      state.nodes[0].see(view)
      guard let asked else { return }
      if case .refused = error {
        state.hear(nil, to: asked, from: 1, at: now, &ends)
      } else {
        state.giveBack(asked, of: 1)
      }
    }
    if asked != nil { wake(forClaims: true, forAlarm: false) }
  }

  private func publish(to desk: Desk) {
    let view = links.change { $0.view(at: MonotonicTime.now) }
    desk.exchange { state, _ in state.nodes[0].see(view) }
  }
}

/// What a thread sleeps at. One that is rung before it sleeps does not.
private final class Bell: Sendable {
  private let isRung = Monitor(false)

  /// The longest sleep, in milliseconds.
  private static let longest: UInt64 = 60_000

  func ring() { isRung.change { $0 = true } }

  func wait(until end: UInt64) {
    let now = MonotonicTime.now
    if now < end { isRung.wait(atMostMilliseconds: min(Self.longest, (end - now) / 1_000_000 + 1)) { $0 } }
    isRung.change { $0 = false }
  }
}

extension PostgresEngine: NodeEngine {
  func makeAskers(_ records: [NodeRecord]) throws(SystemError) -> any NodeAskers {
    DatabaseAskers(self, records[0])
  }
}
