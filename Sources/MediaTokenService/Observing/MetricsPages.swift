internal import MediaTokenHTTP
internal import MediaTokenSystem

/// Writes the metrics' page on a thread of its own: a page takes as long as dozens of verdicts, and a caller that may ask for
/// one may ask again and again.
///
/// - A reader gets a page that was begun after it asked. All who wait by then get the same one.
/// - The thread rests for most of the time, so that pages take a small share of one processor, however many readers ask.
final class MetricsPages: Sendable {
  private let state = Monitor(Queue())

  private struct Queue {
    /// The requests for a page, and those of them that the page is newer than.
    var asked: UInt64 = 0
    var answered: UInt64 = 0
    var page: [UInt8] = []
    /// The readers that wait for a page newer than the time of that number.
    var waiting: [(number: UInt64, waker: Poller)] = []
    var hasThread = false
    var thread: WorkerThread?
    var hasEnded = false
  }

  /// For each millisecond of a processor that writing takes the thread rests this many: pages take at most a twentieth of one.
  /// By the clock a machine that is busy would let readers wait many times longer than it let the thread.
  private static let restFactor: UInt64 = 19

  /// The number is for ``page(for:)``. The waker is called when the page is there.
  func ask(_ service: Service, _ waker: Poller) -> UInt64 {
    let number = enqueue(waker)
    let isFirst = state.change { state in
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if isFirst { start(service) }
    return number
  }

  /// The reader waits for a page that is begun from now on.
  func enqueue(_ waker: Poller) -> UInt64 {
    state.change { state in
      state.asked += 1
      state.waiting.append((state.asked, waker))
      return state.asked
    }
  }

  /// Nil if it is not there yet.
  func page(for number: UInt64) -> [UInt8]? {
    state.change { $0.answered >= number ? $0.page : nil }
  }

  private func start(_ service: Service) {
    do throws(SystemError) {
      let thread = try WorkerThread { [self] in
        while write(service) {}
      }
      state.change { $0.thread = thread }
    } catch {
      // No thread is available: this page is written here, and the next reader tries again.
      state.change { $0.hasThread = false }
      publish(Self.page(service), for: state.current.asked)
    }
  }

  /// Ends the thread, which keeps everything that a page tells of: the replay memory, too. Called when no reader is
  /// left.
  func end() {
    let thread = state.change { state in
      state.hasEnded = true
      return state.thread.take()
    }
    thread?.join()
  }

  /// Waits for a reader, and writes one page. False at the end.
  private func write(_ service: Service) -> Bool {
    let number = state.change(when: { $0.hasEnded || $0.asked > $0.answered }, { $0.hasEnded ? nil : $0.asked })
    guard let number else { return false }
    let start = MonotonicTime.ofThisThread
    service.keeper.read()
    publish(Self.page(service), for: number)
    let time = MonotonicTime.ofThisThread &- start + service.keeper.sight.readingTime
    WorkerThread.sleep(milliseconds: Int(time * Self.restFactor / 1_000_000) + 1)
    return true
  }

  /// Hands a page to those who asked before it was begun. The others are woken by the next one.
  func publish(_ page: [UInt8], for number: UInt64) {
    let answered = state.change { state in
      if number > state.answered { (state.page, state.answered) = (page, number) }
      let answered = state.waiting.filter { $0.number <= state.answered }
      state.waiting.removeAll { $0.number <= state.answered }
      return answered
    }
    for (_, waker) in answered { waker.wake() }
  }

  static func page(_ service: Service) -> [UInt8] {
    var page = MetricsPage()
    page.write(service, service.current.latest, at: .now)
    return page.bytes
  }
}

/// The readers of metrics that wait at one worker.
struct MetricsReaders {
  private var new: [Ticket] = []
  private var waiting: [(ticket: Ticket, number: UInt64)] = []

  mutating func add(_ ticket: Ticket) { new.append(ticket) }

  /// Asks for a page for those that are new, and answers those whose page is there.
  mutating func answer(
    _ service: Service, _ loop: inout WorkerLoop,
    _ answer: (Ticket, inout WorkerLoop, (inout Response) -> Void) -> Void
  ) {
    if !new.isEmpty {
      let number = service.pages.ask(service, loop.waker)
      waiting += new.map { ($0, number) }
      new.removeAll()
    }
    // Of those that wait the first is answered first.
    while let first = waiting.first, let page = service.pages.page(for: first.number) {
      for (ticket, _) in waiting.prefix(while: { $0.number == first.number }) {
        answer(ticket, &loop) { response in
          response.status = 200
          response.contentType = "text/plain; version=0.0.4; charset=utf-8"
          response.body = page
        }
      }
      waiting.removeAll { $0.number == first.number }
    }
  }
}
