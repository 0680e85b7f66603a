import MediaTokenSystem
import Testing

@Suite struct WaitingTests {
  /// What a poller inside another one finds ready, without waiting.
  private static func ready(_ poller: Poller) -> [UInt64] {
    var events: [Poller.Event] = []
    _ = poller.wait(milliseconds: 0, &events)
    return events.map(\.token)
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
