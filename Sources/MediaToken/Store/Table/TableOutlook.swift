/// The prospects of the next claim, determined without claiming anything.
extension SharedReplayTable {
  /// The most seconds that a claimer's clock may be behind the highest one that the table has seen.
  package static let clockToleranceSeconds = Int64(Spend.clockTolerance)

  /// True if this process can claim a token that is issued at `now`: it is not a child that was forked from the one that
  /// opened the table, and the token's end, counted from the table's beginning, has room in an entry, which it has for 8.5
  /// years.
  package func canHold(tokensIssuedAt now: Instant) -> Bool {
    let life = UInt64(header.maxTTL + header.expiryTolerance) / 1000 + 1
    let seconds = UInt64(max(0, now.millisecondsSinceEpoch)) / 1000
    return !memory.isForked && EntryPlace.elapsed(at: seconds + life, since: header.epoch) <= TableFormat.endMask
  }

  /// Tokens that were issued before are refused.
  package var vouchesFrom: Instant { Instant(millisecondsSinceEpoch: memory.loadVouchesFrom()) }

  /// The share of unused tokens that find both of their buckets full, from 0 to 1: exactly in a small table, estimated from
  /// `sample` buckets that lie evenly in a large one. An entry counts as a claim at `now` would find it, so that a table
  /// becomes free without a claim. 0 if the table is retired, or has just grown by a part that this process has not met
  /// yet.
  ///
  /// A bucket is a cache line, and the same ones are looked at each time: it costs some microseconds. At the rated load the
  /// answer is below one in a million, and it is one in a hundred at 1.6 times that load (measured by filling tables of 200
  /// to 2,000,000 entries at random).
  package func shareWithoutRoom(at now: Instant, sampling sample: Int = 256) -> Double {
    let highest = table.load(.highest)
    guard !isRetired else { return 0 }
    let seconds = UInt64(max(0, now.millisecondsSinceEpoch)) / 1000
    let elapsed = EntryPlace.elapsed(at: max(highest, seconds), since: header.epoch)
    // New tokens go into the last part.
    let parts = parts
    let part = parts.count - 1
    guard part == 0 || table.isMapped(part: part) else { return 0 }
    let buckets = parts[part].buckets
    let looked = min(buckets, max(1, sample))
    var full = 0
    for index in 0..<looked {
      let bucket = looked == buckets ? index : index * buckets / looked
      if isFull(bucket, ofPart: part, after: elapsed) { full += 1 }
    }
    let share = Double(full) / Double(looked)
    // The two buckets of a token differ, which matters where there are few.
    return looked == buckets ? share * Double(full - 1) / Double(looked - 1) : share * share
  }

  private func isFull(_ bucket: Int, ofPart part: Int, after elapsed: UInt64) -> Bool {
    let first = EntryNumber.first(ofPart: part) + bucket * TableFormat.entriesPerBucket
    for entry in first..<first + TableFormat.entriesPerBucket
    where EntryPlace.isDead(table.load(entry: entry), after: elapsed) {
      return false
    }
    return true
  }
}
