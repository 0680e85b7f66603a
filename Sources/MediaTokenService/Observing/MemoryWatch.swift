internal import MediaToken
internal import MediaTokenSystem

/// Maintains the replay memory on a thread of its own, and keeps what it saw there. A thread that touches a table whose file system is
/// frozen, or whose disk hangs, waits until that is over; the main thread, health and metrics must not, and get what is kept here.
final class MemoryWatch: Sendable {
  /// For how long at most the main thread and a reader of metrics wait for a look, in milliseconds.
  private static let (tickTimeout, readTimeout): (UInt64, UInt64) = (1000, 500)
  /// The first tick that finds a look of an earlier one not done: with the timeout and the pause between ticks, after 1.5 s.
  private static let ticksUntilStalled = 2

  private let memory: any Store
  private let state: Monitor<State>

  /// What a look saw.
  struct Sight {
    /// Whether the memory could be maintained.
    var isMaintained = true
    var condition: ReplayMemoryCondition
    /// The figures when they were asked for last.
    var readings: [ReplayMemoryReading]
    /// How long reading them took of a processor, in nanoseconds.
    var readingTime: UInt64 = 0
  }

  private struct State {
    var sight: Sight
    /// How many looks were asked for, the latest for which figures are wanted, and the latest that is done.
    var asked = 0
    var wantsReadings = 0
    var done = 0
    /// Ticks since the last look was done.
    var ticks = 0
    var hasThread = false
    var thread: WorkerThread?
    var hasEnded = false
  }

  init(_ memory: any Store) {
    self.memory = memory
    let now = Instant.now
    state = Monitor(
      State(sight: Sight(condition: memory.condition(at: now), readings: memory.readings(at: now))))
  }

  /// What was seen last: half a second ago, or whenever the disk answered.
  var sight: Sight { state.current.sight }

  /// The condition at this moment, for a worker; while the memory has not let the thread go on since the last tick, the one that was seen
  /// last. A look reads what the thread read half a second ago, at the most, and writes nothing.
  func condition(at now: Instant) -> ReplayMemoryCondition {
    let known = state.current
    return known.ticks == 0 ? memory.condition(at: now) : known.sight.condition
  }

  /// Why seats can't be asked; that is in memory, and no disk is asked.
  var seatTroubles: String? { memory.seatTroubles }

  /// Whether the memory does not let its thread go on.
  var isStalled: Bool { state.current.ticks >= Self.ticksUntilStalled }

  /// Has the memory maintained and looked at, and waits for that, a second at most. Twice a second, by the main thread.
  func tick() {
    state.change { $0.ticks += 1 }
    ask(withReadings: false, atMostMilliseconds: Self.tickTimeout)
  }

  /// Has the figures read, and waits for that, half a second at most.
  func read() {
    if !isStalled { ask(withReadings: true, atMostMilliseconds: Self.readTimeout) }
  }

  private func ask(withReadings: Bool, atMostMilliseconds timeout: UInt64) {
    let (number, isFirst) = state.change { state in
      defer { state.hasThread = true }
      state.asked += 1
      if withReadings { state.wantsReadings = state.asked }
      return (state.asked, !state.hasThread)
    }
    if isFirst { start() }
    state.wait(atMostMilliseconds: timeout) { $0.done >= number || $0.hasEnded }
  }

  private func start() {
    do throws(SystemError) {
      let thread = try WorkerThread { [self] in
        while lookWhenAsked() {}
      }
      state.change { $0.thread = thread }
    } catch {
      // No thread is available: this look is done here, and the next one tries again.
      state.change { $0.hasThread = false }
      look()
    }
  }

  /// - Returns: false at the end.
  private func lookWhenAsked() -> Bool {
    let asked = state.change(when: { $0.hasEnded || $0.asked > $0.done }, { $0.hasEnded ? nil : $0 })
    guard let asked else { return false }
    look(withReadings: asked.wantsReadings > asked.done)
    return true
  }

  /// Maintains the memory and looks at it, on this thread.
  func look(withReadings: Bool = true) {
    let asked = state.current.asked
    var sight = sight
    let now = Instant.now
    do throws(Fault) {
      try memory.maintain(at: now)
      sight.isMaintained = true
    } catch {
      sight.isMaintained = false
    }
    sight.condition = memory.condition(at: now)
    if withReadings {
      let start = MonotonicTime.ofThisThread
      sight.readings = memory.readings(at: now)
      sight.readingTime = MonotonicTime.ofThisThread &- start
    }
    state.change { ($0.sight, $0.done, $0.ticks) = (sight, asked, 0) }
  }

  /// Ends the thread, which keeps the replay memory. For when no one asks any more.
  func end() {
    let thread = state.change { state in
      state.hasEnded = true
      return state.thread.take()
    }
    thread?.join()
  }
}
