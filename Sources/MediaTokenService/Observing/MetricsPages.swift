internal import MediaTokenHTTP
internal import MediaTokenSystem

/// The pages of metrics: a reader gets one that was begun after it asked. To write one takes as long as dozens of verdicts, and a
/// caller that may ask for one may ask again and again: so pages take a twentieth of one processor at most, however many readers ask.
final class MetricsPages: Sendable {
  private let last = Monitor(Last())

  private struct Last {
    var page: [UInt8] = []
    /// The times of its beginning, and from which the next one may be written.
    var (begun, rest): (UInt64, UInt64) = (0, 0)
    /// The keeper's look for the next page, and when it was asked for.
    var look: (number: Int, asked: UInt64)?
  }

  /// After writing a page, which took so long of a processor, no other is written for this many times as long. Processor time,
  /// because a machine that is busy would otherwise let readers wait many times longer.
  private static let restFactor: UInt64 = 19

  /// A page that was begun at `asked` or later; or the time from which one may be written.
  func page(of service: Service, since asked: UInt64) -> (page: [UInt8]?, next: UInt64) {
    last.change { last in
      let (now, keeper) = (MonotonicTime.now, service.keeper)
      if last.begun >= asked { return (last.page, now) }
      guard now >= last.rest else { return (nil, last.rest) }
      let look = last.look ?? (keeper.ask(withReadings: true), now)
      guard keeper.hasLooked(look.number) || keeper.isStalled || now > look.asked + Self.longestLook else {
        last.look = look
        return (nil, now + Self.pause)
      }
      let start = MonotonicTime.ofThisThread
      var page = MetricsPage()
      page.write(service, service.current.latest, at: .now)
      let time = MonotonicTime.ofThisThread &- start + keeper.sight.readingTime
      last = Last(page: page.bytes, begun: now, rest: MonotonicTime.now + time * Self.restFactor)
      return (page.bytes, now)
    }
  }

  /// How long a page waits for the keeper's look at the replay memory, whose disk may hang, 0.5 s; and the time from one question
  /// whether it is done to the next, 2 ms.
  private static let (longestLook, pause): (UInt64, UInt64) = (500_000_000, 2_000_000)

  /// Writes none until then.
  func rest(until time: UInt64) { last.change { $0.rest = time } }
}

/// The readers of metrics that wait at one worker.
struct MetricsReaders {
  private var waiting: [Ticket] = []
  /// The time at which the last one asked.
  private var asked: UInt64 = 0

  mutating func add(_ ticket: Ticket) {
    waiting.append(ticket)
    asked = MonotonicTime.now
  }

  /// Answers them, if there may be a page. The result is the time of the next one.
  mutating func answer(
    _ service: Service, _ loop: inout WorkerLoop,
    _ answer: (Ticket, inout WorkerLoop, (inout Response) -> Void) -> Void
  ) -> UInt64? {
    if waiting.isEmpty { return nil }
    let (page, next) = service.pages.page(of: service, since: asked)
    guard let page else { return next }
    for ticket in waiting {
      answer(ticket, &loop) { response in
        response.status = 200
        response.contentType = "text/plain; version=0.0.4; charset=utf-8"
        response.body = page
      }
    }
    waiting.removeAll()
    return nil
  }
}
