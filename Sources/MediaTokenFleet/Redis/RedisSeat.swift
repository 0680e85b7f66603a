internal import MediaTokenSystem

/// One thread's way to a seat that is a process of Redis or Valkey: a lane that gets the claims, and while it is exchanged
/// for a younger one, that one too.
final class RedisSeat: Seat {
  let number: Int
  private let engine: RedisEngine
  private let record: SeatRecord
  private let poller: Poller
  private let buffer = ReceiveBuffer(byteCount: bufferBytes)

  /// What is received at once: the reply to a full batch has less than two thousand bytes.
  static let bufferBytes = 16384

  /// Gets the claims, if it is open.
  private var lane: RedisLane?
  /// On its way to take the place of ``lane``.
  private var newcomer: RedisLane?
  /// Wait for their last replies.
  private var leaving: [RedisLane] = []
  private var nextDial: UInt64 = 0
  private var backoff = Backoff()

  init(_ engine: RedisEngine, _ record: SeatRecord, watchedBy poller: Poller) {
    (self.engine, self.record, self.poller) = (engine, record, poller)
    number = record.number
  }

  func isUsable(at time: UInt64) -> Bool {
    guard let lane else { return false }
    return lane.isOpen && !lane.isOld(at: time) && !lane.isSlow(at: time)
  }

  var isConnected: Bool { lane != nil || newcomer != nil }

  var nextDeadline: UInt64? {
    // It is asked in every turn: no list of them.
    var soonest = newcomer == nil ? nextDial : newcomer?.nextDeadline ?? .max
    if let lane { soonest = min(soonest, lane.start + LaneTimes.oldest, lane.nextDeadline ?? .max) }
    for lane in leaving { soonest = min(soonest, lane.nextDeadline ?? .max) }
    return soonest == .max ? nil : soonest
  }

  func ask(_ batch: ClaimBatch, number: UInt64, at time: UInt64) {
    guard isUsable(at: time) else { return }
    lane?.ask(batch, number: number, at: time)
    // A lane that broke while it sent is dialled again in time: nothing more is heard of it.
    exchangeLanes(at: time)
  }

  func work(at time: UInt64, isReady: Bool, _ hear: (SeatReply) -> Void) {
    for lane in leaving { lane.work(at: time, isReady: isReady, hear) }
    lane?.work(at: time, isReady: isReady, hear)
    newcomer?.work(at: time, isReady: isReady, hear)
    exchangeLanes(at: time)
    dialIfDue(at: time)
  }

  func close() {
    for lane in leaving + [lane, newcomer].compactMap({ $0 }) { lane.close() }
    (leaving, lane, newcomer) = ([], nil, nil)
  }

  private func exchangeLanes(at time: UInt64) {
    if let end = lane?.end {
      lane = nil
      follow(end, at: time)
    }
    if let end = newcomer?.end {
      newcomer = nil
      follow(end, at: time)
    }
    if let newcomer, newcomer.isOpen {
      retire()
      lane = newcomer
      self.newcomer = nil
      backoff.reset()
      nextDial = newcomer.start + LaneTimes.renewal(engine.chance())
    }
    if lane?.isOld(at: time) == true { retire() }
    leaving.removeAll { lane in
      if lane.isQuiet { lane.close() }
      return lane.end != nil
    }
  }

  /// The lane gets no more claims, and ends when it has its replies.
  private func retire() {
    guard let lane else { return }
    lane.retire()
    leaving.append(lane)
    self.lane = nil
  }

  private func follow(_ end: RedisLane.End, at time: UInt64) {
    switch end {
    case .lost:
      record.reconnecting()
      nextDial = time + backoff.next(engine.chance())
    case .refused:
      close()
      nextDial = time + LaneTimes.refused
    }
  }

  private func dialIfDue(at time: UInt64) {
    guard newcomer == nil, time >= nextDial else { return }
    newcomer = RedisLane(engine, record, poller, buffer, at: time)
    // What can be known at once: a socket where nothing listens.
    exchangeLanes(at: time)
  }
}
