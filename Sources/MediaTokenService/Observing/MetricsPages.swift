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
  }

  /// After writing a page, which took so long of a processor, no other is written for this many times as long. Processor time,
  /// because a machine that is busy would otherwise let readers wait many times longer.
  private static let restFactor: UInt64 = 19

  /// A page that was begun at `asked` or later; or the time from which one may be written.
  /// `mayLook`: the calling thread may look at the replay memory.
  func page(of service: Service, mayLook: Bool, since asked: UInt64) -> (page: [UInt8]?, next: UInt64) {
    last.change { last in
      let now = MonotonicTime.now
      if last.begun >= asked { return (last.page, now) }
      guard now >= last.rest else { return (nil, last.rest) }
      let start = MonotonicTime.ofThisThread
      var page = MetricsPage()
      page.write(service, service.current.latest, at: .now, mayLook: mayLook)
      let time = MonotonicTime.ofThisThread &- start
      last = Last(page: page.bytes, begun: now, rest: MonotonicTime.now + time * Self.restFactor)
      return (page.bytes, now)
    }
  }

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
    _ service: Service, mayLook: Bool, _ loop: inout WorkerLoop,
    _ answer: (Ticket, inout WorkerLoop, (inout Response) -> Void) -> Void
  ) -> UInt64? {
    if waiting.isEmpty { return nil }
    let (page, next) = service.pages.page(of: service, mayLook: mayLook, since: asked)
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
