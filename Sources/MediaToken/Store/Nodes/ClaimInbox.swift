internal import MediaTokenSystem

/// News for a thread about its claims that have joined others', from the threads that ask.
final class ClaimInbox: Sendable {
  private let state = Monitor(State())
  /// Woken when the first news comes; nil: the thread waits here.
  private let poller: Poller?

  enum News: Sendable {
    /// The claim of this number is answered by what it had joined.
    case answered(UInt64, UseOutcome)
    case asks(UInt64)

    var number: UInt64 {
      switch self {
      case .answered(let number, _), .asks(let number): number
      }
    }
  }

  private struct State: Sendable {
    var news: [News] = []
    var isClosed = false
  }

  init(waking poller: Poller? = nil) { self.poller = poller }

  /// False if it is read no more.
  func post(_ news: News) -> Bool {
    let (isClosed, isFirst) = state.change { state in
      if !state.isClosed { state.news.append(news) }
      return (state.isClosed, state.news.count == 1)
    }
    if isFirst, !isClosed { poller?.wake() }
    return !isClosed
  }

  /// The news since the last call.
  func take() -> [News] {
    state.change { state in
      defer { state.news = [] }
      return state.news
    }
  }

  func wait(until end: UInt64) {
    let now = MonotonicTime.now
    if now < end { state.wait(atMostMilliseconds: (end - now) / 1_000_000 + 1) { !$0.news.isEmpty } }
  }

  /// It is read no more. Returns the unread news.
  func close() -> [News] {
    state.change { state in
      defer { state = State(isClosed: true) }
      return state.news
    }
  }
}

/// A claim that has joined another: its inbox, and its number there.
struct JoinedWaiter: Sendable, Equatable {
  let inbox: ClaimInbox
  let number: UInt64

  static func == (one: Self, other: Self) -> Bool { one.inbox === other.inbox && one.number == other.number }
}

extension Fleet {
  /// True if the caller asks, because no other claim of the token is being asked about now: it calls ``end(_:_:isRetry:)``
  /// when it has the answer. If not, the inbox is told.
  func begin(_ claim: UseClaim, telling inbox: ClaimInbox, as number: UInt64) -> Bool {
    asked.change {
      $0.begin(claim, isRepeatable: retryWindowMilliseconds > 0, JoinedWaiter(inbox: inbox, number: number))
    }
  }

  /// The claim that asks about a token has its answer: tells those that have joined it.
  func end(
    _ identity: TokenIdentity, _ result: Result<UseOutcome, Fault>, isRetry: (Instant) -> Bool = { _ in false }
  ) {
    // A child may have been forked while a thread of its parent had the lock.
    if isForked { return }
    var end = asked.change { $0.end(identity, as: result, isRetry: isRetry) }
    while let known = end {
      for (waiter, outcome) in known.answers { _ = waiter.inbox.post(.answered(waiter.number, outcome)) }
      guard let next = known.next, !next.inbox.post(.asks(next.number)) else { return }
      end = asked.change { $0.end(identity, as: .failure(.replayMemoryUnavailable)) { _ in false } }
    }
  }

  /// A claim that has joined waits no more. False if its inbox was or is being told its answer.
  func leave(_ identity: TokenIdentity, _ inbox: ClaimInbox, _ number: UInt64) -> Bool {
    asked.change { $0.leave(identity, JoinedWaiter(inbox: inbox, number: number)) }
  }
}
