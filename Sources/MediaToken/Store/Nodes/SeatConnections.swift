internal import MediaTokenSystem

/// One thread's ways to all seats of a fleet, and one descriptor for everything that it waits for.
final class SeatConnections {
  private let fleet: Fleet
  /// Woken by what other threads tell.
  let poller: Poller
  private let timer: DeadlineTimer
  private let seats: [any Seat]
  private var events: [Poller.Event] = []
  private var isWoken = false
  /// The time of the timer; ``never``: it is not set. 0: it has gone off.
  private var alarm = never
  private(set) var lastTended: UInt64

  static let never = UInt64.max
  /// The timer among the poller's events; seats are numbered from 1.
  private static let timerToken: UInt64 = 0

  /// Begins to make connections. A fault if the system has no descriptor or memory left.
  init(_ fleet: Fleet, at time: UInt64) throws(Fault) {
    self.fleet = fleet
    do throws(SystemError) {
      poller = try Poller()
      timer = try DeadlineTimer()
      try poller.add(timer.descriptor, .reading, as: Self.timerToken)
    } catch {
      throw .replayMemoryUnavailable
    }
    seats = fleet.health.records.map { [poller] in fleet.engine.makeSeat($0, watchedBy: poller) }
    lastTended = time
    work(at: time, all: true) { _, _ in }
    setAlarm(for: Self.never)
  }

  // A child shares the parent's connections and its poller: it touches neither.
  deinit {
    if !fleet.isForked { for seat in seats { seat.close() } }
  }

  /// Readable while there is something to do.
  var descriptor: Int32 { poller.descriptor }

  func usable(at time: UInt64) -> SeatSet {
    var usable = SeatSet()
    for seat in seats where seat.isUsable(at: time) { usable.insert(seat.number) }
    return usable
  }

  /// The seats that can be asked once they have answered what they were asked before.
  func busy(at time: UInt64) -> SeatSet {
    var busy = SeatSet()
    for seat in seats where seat.isBusy(at: time) { busy.insert(seat.number) }
    return busy
  }

  /// The seats with a connection, or one that is being made: those that can soon be asked, if they can't be now.
  var connected: SeatSet {
    var connected = SeatSet()
    for seat in seats where seat.isConnected { connected.insert(seat.number) }
    return connected
  }

  func ask(_ asked: SeatSet, _ batch: ClaimBatch, number: UInt64, at time: UInt64) {
    for seat in asked { seats[seat - 1].ask(batch, number: number, at: time) }
  }

  /// At most for this long; nil: forever.
  func wait(milliseconds: Int32?) { isWoken = poller.wait(milliseconds: milliseconds, &events) }

  /// Does the work that the last ``wait(milliseconds:)`` found to be due, or with `all` that of every seat. `hear` is
  /// called with each reply and its seat's number.
  func work(at time: UInt64, all: Bool = false, _ hear: (SeatReply, Int) -> Void) {
    lastTended = time
    var ready = SeatSet()
    for event in events {
      if event.token == Self.timerToken { alarm = 0 } else { ready.insert(Int(event.token)) }
    }
    for seat in seats {
      let isReady = all || ready.contains(seat.number)
      guard isReady || isWoken || seat.nextDeadline.map({ $0 <= time }) == true else { continue }
      seat.work(at: time, isReady: isReady) { hear($0, seat.number) }
    }
    events.removeAll(keepingCapacity: true)
    isWoken = false
  }

  /// Sets the timer for a deadline and those of the seats. If it goes off early enough as it is, it is left alone, and set
  /// again when it has gone off.
  func setAlarm(for deadline: UInt64) {
    let next = seats.reduce(deadline) { min($0, $1.nextDeadline ?? Self.never) }
    guard alarm == 0 || next < alarm else { return }
    alarm = next
    timer.set(next == Self.never ? nil : next)
  }
}
