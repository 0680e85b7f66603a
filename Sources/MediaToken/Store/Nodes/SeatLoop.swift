internal import MediaTokenSystem

/// The one thread of a process that asks seats which answer within a turn of a loop: it waits for all of their connections at once.
final class SeatLoop: SeatAskers {
  private let poller: Poller
  private let makeSeats: @Sendable (Poller) -> [any Seat]
  private let hasEnded = Monitor(false)

  init(_ makeSeats: @escaping @Sendable (Poller) -> [any Seat]) throws(SystemError) {
    self.makeSeats = makeSeats
    poller = try Poller()
  }

  func start(for desk: Desk) throws(SystemError) { try WorkerThread { self.run(desk) }.detach() }

  func wake(forClaims: Bool, forAlarm: Bool) { poller.wake() }

  func end() {
    hasEnded.exchange(for: true)
    poller.wake()
  }

  private func run(_ desk: Desk) {
    let turns = SeatTurns(desk, makeSeats(poller))
    var events: [Poller.Event] = []
    var isWoken = true
    while !hasEnded.current {
      let now = MonotonicTime.now
      let alarm = turns.turn(at: now, events, isWoken: isWoken)
      isWoken = poller.wait(milliseconds: Self.milliseconds(from: now, until: alarm), &events)
    }
    turns.close()
  }

  private static func milliseconds(from now: UInt64, until alarm: UInt64) -> Int32? {
    if alarm == .max { return nil }
    return alarm <= now ? 0 : Int32(clamping: (alarm - now) / 1_000_000 + 1)
  }
}

/// The turns of a loop that asks seats. Nothing here waits.
final class SeatTurns {
  private let desk: Desk
  private let seats: [any Seat]

  init(_ desk: Desk, _ seats: [any Seat]) { (self.desk, self.seats) = (desk, seats) }

  /// Does what is due: reads first, so that an answer which came in time counts although it is read late. The result is the time of the
  /// next turn if nothing happens before; `.max`: none. `events` are named by the seats' numbers.
  func turn(at time: UInt64, _ events: [Poller.Event], isWoken: Bool) -> UInt64 {
    var ready = SeatSet()
    for event in events { ready.insert(Int(event.token)) }
    var heard: [(seat: Int, reply: SeatReply)] = []
    for seat in seats {
      let isReady = ready.contains(seat.number)
      guard isReady || isWoken || seat.nextDeadline.map({ $0 <= time }) == true else { continue }
      seat.work(at: time, isReady: isReady) { heard.append((seat.number, $0)) }
    }
    while let batches = exchange(heard, at: time) {
      heard = []
      for (seat, claims) in batches { seats[seat - 1].ask(claims, at: time) }
    }
    return alarm
  }

  /// The time of the next turn, as the last one knew it.
  private var alarm = UInt64.max

  /// Tells the desk what was heard, and takes what is to be asked; nil if that is nothing.
  private func exchange(_ heard: [(seat: Int, reply: SeatReply)], at time: UInt64) -> [(
    seat: Int, claims: TakenClaims
  )]? {
    desk.exchange { state, ends in
      for seat in seats { state.seats[seat.number - 1].see(seat.view(at: time)) }
      for (seat, reply) in heard {
        switch reply.end {
        case .answered(let answers): state.hear(answers, to: reply.claims, from: seat, at: time, &ends)
        case .unanswered: state.hear(nil, to: reply.claims, from: seat, at: time, &ends)
        case .lost: state.giveBack(reply.claims, of: seat)
        }
      }
      state.expire(at: time, &ends)
      var batches: [(seat: Int, claims: TakenClaims)] = []
      for seat in seats where seat.isUsable(at: time) {
        if let claims = state.take(for: seat.number, at: time) { batches.append((seat.number, claims)) }
      }
      if !batches.isEmpty { return batches }
      alarm = seats.reduce(state.soonestDeadline) { min($0, $1.nextDeadline ?? .max) }
      state.rest()
      state.setAlarm(alarm)
      return nil
    }
  }

  func close() { for seat in seats { seat.close() } }
}

extension Seat {
  fileprivate func view(at time: UInt64) -> SeatView {
    SeatView(
      isUsable: isUsable(at: time), isBusy: isBusy(at: time), isConnected: isConnected, silentSince: silentSince)
  }
}
