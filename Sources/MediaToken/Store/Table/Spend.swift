/// One claim, step by step: the protocol of <doc:ReplayTableFormat>, "Spending".
///
/// It is written over ``SpendMemory`` so that a model checker runs this very code. Every access is sequentially
/// consistent, and their order is the proof: change it only with a checker that passes (`Tests/Proofs/model`).
struct Spend {
  /// It decides where the identity's entry may be in each part, and how it is marked.
  let hash: (UInt64, UInt64)
  /// The end of the token's entry, in whole seconds since 1970.
  let until: UInt64
  /// The same, counted from the table's epoch.
  let end: UInt64
  /// Milliseconds since 1970.
  let issued: Int64
  /// The claimer's clock in whole seconds since 1970.
  let now: UInt64
  /// The mark of the claimer's request, by which a repetition is known; nil if it named none.
  let retry: RetryWord?

  /// The fault is ``Refusal/Fault/replayMemoryFull`` where every entry of both buckets is live, and
  /// ``Refusal/Fault/replayMemoryUnavailable`` where the table was retired or the claimer's clock is behind the highest
  /// one.
  typealias Answer = Result<UseOutcome, Fault>

  /// The most seconds that a claimer's clock may be behind the highest one that the table has seen.
  static let clockTolerance: UInt64 = 2

  func run<Memory: SpendMemory & ~Copyable>(in memory: borrowing Memory) throws(Memory.Failure) -> Answer {
    while true {
      // 1. The clock. It is published before anything is read that it decides about.
      if now > (try memory.loadHighest()) { try publishClock(memory) }
      let highest = try memory.loadHighest()
      // First: a clock that was ahead and was set right says nothing about a token, however far ahead it was.
      if isBehind(highest) { return .failure(.replayMemoryUnavailable) }
      if let refusal = try refusal(at: highest, memory) { return refusal }

      // 2. and 3. Is there a live entry of ours, and where is a dead one? New ones go into the last part.
      let parts = try memory.loadParts()
      let elapsed = EntryPlace.elapsed(at: highest, since: memory.epoch)
      if parts > 1, let outcome = try outcome(ofPartsBefore: parts - 1, memory, highest) {
        return .success(outcome)
      }
      let place = EntryPlace(hash: hash, buckets: memory.buckets(ofPart: parts - 1), part: parts - 1)
      switch try scan(memory, place, elapsed) {
      case .live(let outcome): return .success(outcome)
      case .full: return .failure(.replayMemoryFull)
      case .dead(let entry, let word):
        // 4. Take it. A claim that loses this begins again.
        guard try memory.exchange(entry, word, place.word(end: end)) else { continue }

        // 5. Did another claim insert the same identity meanwhile, or did the table grow, and others look for it in another
        // part? Then step back.
        let isElsewhere = try isElsewhere(than: entry, memory, place, elapsed)
        let partsNow = try memory.loadParts()
        if isElsewhere || partsNow != parts {
          _ = try memory.exchange(entry, place.word(end: end), 0)
          continue
        }

        // 6. Was our entry dead to another claim before we looked? This load must be the last.
        if let refusal = try refusal(at: try memory.loadHighest(), memory) { return refusal }

        // 7. Won. A request that repeats itself may be answered again.
        if let retry { try memory.storeRetry(entry, retry.word(until: until, firstUse: now)) }
        return .success(.firstUse)
      }
    }
  }

  /// The answer of entries in the parts before the last one: nothing is inserted there any more, but by those whom step 5
  /// will send back.
  @inline(never)
  private func outcome<Memory: SpendMemory & ~Copyable>(
    ofPartsBefore last: Int, _ memory: borrowing Memory, _ highest: UInt64
  ) throws(Memory.Failure) -> UseOutcome? {
    let elapsed = EntryPlace.elapsed(at: highest, since: memory.epoch)
    for part in 0..<last {
      let end = try memory.loadEnd(ofPart: part)
      if end != 0, highest >= end { continue }
      let place = EntryPlace(hash: hash, buckets: memory.buckets(ofPart: part), part: part)
      if case .live(let outcome) = try scan(memory, place, elapsed) { return outcome }
    }
    return nil
  }

  /// H := max(H, now). A claim that comes here, once a second, first sees that the file is in its place: while that is not known
  /// no clock gets further, and every claim is refused. A clock that was set forward raises a warming table's floor before
  /// any claim spends by it. After power loss every spend that may be missing had a clock below the lease on the disk: so
  /// the lease is on the disk before any clock reaches it.
  private func publishClock<Memory: SpendMemory & ~Copyable>(_ memory: borrowing Memory) throws(Memory.Failure) {
    try memory.checkPlace()
    try memory.watchClocks(claimedNow: now)
    if now >= (try memory.loadDurableLease()) { try memory.renewLease(at: now) }
    _ = try memory.raiseHighest(to: now)
  }

  /// True if a part has a live entry of ours that is not this request's: a look that changes nothing.
  func isUsed<Memory: SpendMemory & ~Copyable>(
    in memory: borrowing Memory, at highest: UInt64
  ) throws(Memory.Failure) -> Bool {
    let elapsed = EntryPlace.elapsed(at: highest, since: memory.epoch)
    for part in 0..<(try memory.loadParts()) {
      let place = EntryPlace(hash: hash, buckets: memory.buckets(ofPart: part), part: part)
      if case .live(.alreadyUsed) = try scan(memory, place, elapsed) { return true }
    }
    return false
  }

  /// A look that changes nothing. The fault is that every entry where the claim's could be inserted is live.
  func peek<Memory: SpendMemory & ~Copyable>(
    in memory: borrowing Memory, at highest: UInt64
  ) throws(Memory.Failure) -> Answer {
    let elapsed = EntryPlace.elapsed(at: highest, since: memory.epoch)
    let parts = try memory.loadParts()
    for part in 0..<parts {
      let place = EntryPlace(hash: hash, buckets: memory.buckets(ofPart: part), part: part)
      switch try scan(memory, place, elapsed) {
      case .live(let outcome): return .success(outcome)
      case .full where part == parts - 1: return .failure(.replayMemoryFull)
      case .full, .dead: continue
      }
    }
    return .success(.firstUse)
  }

  /// Nil unless the token is refused to every claim.
  private func refusal<Memory: SpendMemory & ~Copyable>(
    at highest: UInt64, _ memory: borrowing Memory
  ) throws(Memory.Failure) -> Answer? {
    if highest >= until { return isBehind(highest) ? .failure(.replayMemoryUnavailable) : .success(.expired) }
    return issued < (try memory.loadVouchesFrom()) ? .success(.predatesMemory) : nil
  }

  /// The claimer's clock is too far behind for a verdict; in a retired table every clock is, as its clock is the highest
  /// number.
  @inline(__always)
  func isBehind(_ highest: UInt64) -> Bool { highest > now + Self.clockTolerance }

  private enum Scan {
    /// An entry is live and ours: the token was used, by this very request or by another.
    case live(UseOutcome)
    /// None is; this is the first dead one.
    case dead(entry: Int, word: UInt64)
    /// Every entry of both buckets is live, and none is ours.
    case full
  }

  /// Looks at every entry of both buckets, in turn, so that neither fills up before the other.
  private func scan<Memory: SpendMemory & ~Copyable>(
    _ memory: borrowing Memory, _ place: EntryPlace, _ elapsed: UInt64
  ) throws(Memory.Failure) -> Scan {
    var seen = Sighting()
    for index in 0..<TableFormat.entriesPerBucket {
      let (first, second) = (place.first &+ index, place.second &+ index)
      seen.add(first, try memory.load(first), place, elapsed)
      seen.add(second, try memory.load(second), place, elapsed)
    }
    if seen.isUsed { return .live(try isRepeated(memory, place, elapsed) ? .retry : .alreadyUsed) }
    return seen.hasDead ? .dead(entry: seen.deadEntry, word: seen.deadWord) : .full
  }

  /// True if an entry was taken by the request that claims now.
  private func isRepeated<Memory: SpendMemory & ~Copyable>(
    _ memory: borrowing Memory, _ place: EntryPlace, _ elapsed: UInt64
  ) throws(Memory.Failure) -> Bool {
    guard let retry else { return false }
    for index in 0..<TableFormat.entriesPerBucket {
      for bucket in 0..<2 {
        let entry = (bucket == 0 ? place.first : place.second) &+ index
        guard try isUsed(entry, memory, place, elapsed) else { continue }
        if retry.isRepeated(in: try memory.loadRetry(entry), until: until, now: now) { return true }
      }
    }
    return false
  }

  private func isElsewhere<Memory: SpendMemory & ~Copyable>(
    than ours: Int, _ memory: borrowing Memory, _ place: EntryPlace, _ elapsed: UInt64
  ) throws(Memory.Failure) -> Bool {
    for index in 0..<TableFormat.entriesPerBucket {
      let (first, second) = (place.first &+ index, place.second &+ index)
      if try isUsed(first, memory, place, elapsed), first != ours { return true }
      if try isUsed(second, memory, place, elapsed), second != ours { return true }
    }
    return false
  }

  private func isUsed<Memory: SpendMemory & ~Copyable>(
    _ entry: Int, _ memory: borrowing Memory, _ place: EntryPlace, _ elapsed: UInt64
  ) throws(Memory.Failure) -> Bool {
    let word = try memory.load(entry)
    return place.isOurs(word) && !EntryPlace.isDead(word, after: elapsed)
  }
}

/// A look at both buckets.
private struct Sighting {
  /// True if an entry is live and ours.
  private(set) var isUsed = false
  /// True if there is a dead entry; the first one and its word follow.
  private(set) var hasDead = false
  private(set) var deadEntry = 0
  private(set) var deadWord: UInt64 = 0

  mutating func add(_ entry: Int, _ word: UInt64, _ place: EntryPlace, _ elapsed: UInt64) {
    let isDead = EntryPlace.isDead(word, after: elapsed)
    if place.isOurs(word), !isDead { isUsed = true }
    // No branch depends on which entries are dead, as a processor could not predict it.
    let isFirst = isDead && !hasDead
    deadEntry = isFirst ? entry : deadEntry
    deadWord = isFirst ? word : deadWord
    hasDead = hasDead || isDead
  }
}

extension Spend {
  /// Nil if the claim's times do not fit.
  @inline(__always)
  init?(_ claim: UseClaim, in header: TableHeader, retryWindowSeconds: UInt64) {
    guard let until = header.until(claim), claim.now.millisecondsSinceEpoch >= 0 else { return nil }
    self.init(
      hash: EntryPlace.hash(of: claim.identity, seed: header.seed),
      until: until, end: until &- header.epoch, issued: claim.issueTime.millisecondsSinceEpoch,
      now: UInt64(claim.now.millisecondsSinceEpoch) / 1000,
      retry: claim.request.flatMap {
        RetryWord($0, for: claim.identity, seed: header.seed, window: retryWindowSeconds)
      })
  }
}
