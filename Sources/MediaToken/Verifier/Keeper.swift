package import MediaTokenSystem

/// Looks after a store: has it maintained, keeps what it says about itself, and notices that files were replaced. All
/// that is done on a thread of its own, which waits where a file system is frozen or a disk hangs. Those who read its
/// last words do not wait.
package final class Keeper: Sendable {
  /// The longest wait of the main thread for a look, in milliseconds.
  private static let tickTimeout: UInt64 = 1000
  /// The first tick that finds a look of an earlier one not done: with the timeout and the pause between ticks, after 1.5 s.
  private static let ticksUntilStalled = 2

  private let store: any Store
  private let whenFilesChange: @Sendable () -> Void
  private let state: Monitor<Notes>

  package struct Sight: Sendable {
    package var isMaintained = true
    package var condition: ReplayMemoryCondition
    /// As of the last time that they were asked for.
    package var readings: [ReplayMemoryReading]
    /// The processor time that reading them took, in nanoseconds.
    package var readingTime: UInt64 = 0
  }

  private struct Notes: Sendable {
    var sight: Sight
    var files = FileWatch([])
    /// The number of calls to watch other files.
    var watches = 0
    /// The looks that were asked for, the latest for which figures are wanted, and the latest that is done.
    var asked = 0
    var wantsReadings = 0
    var done = 0
    /// The time of the latest request, on the clock that is never set.
    var time: UInt64 = 0
    /// Counted since the last look was done.
    var ticks = 0
    var hasThread = false
    var thread: WorkerThread?
    var hasEnded = false
  }

  /// `whenFilesChange` is called on its thread when files that are watched have changed, and settled.
  package init(_ store: any Store, whenFilesChange: @escaping @Sendable () -> Void = {}) {
    (self.store, self.whenFilesChange) = (store, whenFilesChange)
    let now = Instant.now
    state = Monitor(Notes(sight: Sight(condition: store.condition(at: now), readings: store.readings(at: now))))
  }

  // MARK: what it saw

  /// Of the last request, or of the last time that the disk answered.
  package var sight: Sight { state.current.sight }

  /// The condition at this moment, for a worker; while the store has not let the thread go on since the last tick, the
  /// one that was seen last. A look reads what the thread read half a second ago, at the most, and writes nothing.
  package func condition(at now: Instant) -> ReplayMemoryCondition {
    let known = state.current
    return known.ticks == 0 ? store.condition(at: now) : known.sight.condition
  }

  /// It is in memory, and no disk is asked.
  package var nodeTroubles: String? { store.nodeTroubles }

  /// True if the store does not let its thread go on.
  package var isStalled: Bool { state.current.ticks >= Self.ticksUntilStalled }

  // MARK: having it look

  /// They are watched as they are known now.
  package func watch(_ files: FileWatch) { state.change { ($0.files, $0.watches) = (files, $0.watches + 1) } }

  /// Has it look, and waits for that, a second at most. The main thread calls it twice a second.
  package func tick(at time: UInt64 = MonotonicTime.now) {
    state.change { $0.ticks += 1 }
    ask(at: time, waitingAtMost: Self.tickTimeout)
  }

  /// Has it look, and waits for that for so many milliseconds. `time` is on the clock that is never set; by it changed
  /// files have settled.
  @discardableResult
  package func ask(
    at time: UInt64 = MonotonicTime.now, withReadings: Bool = false, waitingAtMost timeout: UInt64 = 0
  ) -> Int {
    let number = state.change { state in
      (state.asked, state.time) = (state.asked + 1, time)
      if withReadings { state.wantsReadings = state.asked }
      return state.asked
    }
    // Where no thread is available, the look is done here, and the next one tries again.
    if (try? start()) == nil { look() }
    state.wait(atMostMilliseconds: timeout) { $0.done >= number || $0.hasEnded }
    return number
  }

  /// True if the look of this number is done.
  package func hasLooked(_ number: Int) -> Bool {
    let known = state.current
    return known.done >= number || known.hasEnded
  }

  /// Does nothing if it has a thread.
  package func start() throws(SystemError) {
    let isFirst = state.change { state in
      defer { state.hasThread = true }
      return !state.hasThread
    }
    guard isFirst else { return }
    do throws(SystemError) {
      let thread = try WorkerThread { [self] in
        while state.change(when: { $0.hasEnded || $0.asked > $0.done }, { !$0.hasEnded }) { look() }
      }
      state.change { $0.thread = thread }
    } catch {
      state.change { $0.hasThread = false }
      throw error
    }
  }

  /// On the calling thread.
  package func look() {
    var known = state.current
    let now = Instant.now
    do throws(Fault) {
      try store.maintain(at: now)
      known.sight.isMaintained = true
    } catch {
      known.sight.isMaintained = false
    }
    known.sight.condition = store.condition(at: now)
    if known.wantsReadings > known.done {
      let start = MonotonicTime.ofThisThread
      known.sight.readings = store.readings(at: now)
      known.sight.readingTime = MonotonicTime.ofThisThread &- start
    }
    let haveChanged = known.files.hasSettledChange(at: known.time)
    if haveChanged { whenFilesChange() }
    state.change { state in
      (state.sight, state.done, state.ticks) = (known.sight, known.asked, 0)
      // Others may be watched by now.
      if state.watches == known.watches { state.files = known.files }
    }
  }

  /// Ends the thread, which keeps the store. Called after the last request. `waits`: the thread is gone when this
  /// returns, however long a disk takes.
  package func end(waits: Bool = true) {
    let thread = state.change { state in
      state.hasEnded = true
      return state.thread.take()
    }
    if waits { thread?.join() } else { thread?.detach() }
  }
}
