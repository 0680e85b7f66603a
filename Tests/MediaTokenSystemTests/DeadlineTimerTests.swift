import MediaTokenSystem
import Testing

@Suite struct DeadlineTimerTests {
  /// What a poller inside another one finds ready, without waiting.
  private static func ready(_ poller: Poller) -> [UInt64] {
    var events: [Poller.Event] = []
    _ = poller.wait(milliseconds: 0, &events)
    return events.map(\.token)
  }

  @Test func `a timer is readable from its deadline on, until it is set again`() throws {
    let (inner, outer) = (try Poller(), try Poller())
    let timer = try DeadlineTimer()
    try inner.add(timer.descriptor, .reading, as: 5)
    try outer.add(inner.descriptor, .reading, as: 6)
    #expect(Self.ready(inner).isEmpty && Self.ready(outer).isEmpty)
    timer.set(0)
    var events: [Poller.Event] = []
    _ = outer.wait(milliseconds: nil, &events)
    for _ in 0..<2 { #expect(Self.ready(outer) == [6] && Self.ready(inner) == [5]) }
    timer.set(MonotonicTime.now + 3_600_000_000_000)
    #expect(Self.ready(outer).isEmpty)
    timer.set(MonotonicTime.now)
    _ = outer.wait(milliseconds: nil, &events)
    timer.set(nil)
    #expect(Self.ready(outer).isEmpty)
    timer.set(.max)
    #expect(Self.ready(outer).isEmpty)
  }

  @Test func `a poller inside another one is readable when it is woken`() throws {
    let (inner, outer) = (try Poller(), try Poller())
    try outer.add(inner.descriptor, .reading, as: 6)
    inner.wake()
    #expect(Self.ready(outer) == [6])
    var events: [Poller.Event] = []
    #expect(inner.wait(milliseconds: 0, &events))
    #expect(Self.ready(outer).isEmpty)
  }

  @Test func `chance fills everything`() {
    var words = [UInt64](repeating: 0, count: 1000)
    KernelRandom.fill(&words)
    #expect(Set(words).count == 1000)
    var none: [UInt64] = []
    KernelRandom.fill(&none)
  }
}
