/// A long-running program's readings and maintenance of its table.
extension SharedReplayTable {
  /// The live tokens that the table is rated for: its last part, into which new ones go.
  package var capacity: Int { parts.last?.capacity ?? header.first.capacity }

  var parts: [TablePart] {
    TableFormat.parts(count: table.load(.parts)) { table.load(headerAt: $0) } ?? [header.first]
  }

  /// True if every spend is refused, for good: the table was retired, or its disk failed or was full when this process
  /// needed it, and then another that opens it may use it.
  package var isRetired: Bool { table.isBroken || table.load(.highest) == TableFormat.retired }

  /// The seconds by which the highest clock of all users of the table is ahead of `now`; nil if it is retired.
  package func clockLeadSeconds(at now: Instant) -> Int64? {
    let highest = table.load(.highest)
    guard !isRetired else { return nil }
    return Int64(clamping: highest) - now.millisecondsSinceEpoch / 1000
  }

  /// Entries that a claim at `now` would find alive: counted in a small table, estimated from `sample` entries that lie evenly
  /// in a large one, where tokens are spread by a hash. None in a retired table.
  package func liveEntries(at now: Instant, sampling sample: Int = 65_536) -> Int {
    let highest = table.load(.highest)
    guard !isRetired else { return 0 }
    let latest = max(highest, UInt64(max(0, now.millisecondsSinceEpoch)) / 1000)
    // By the table's clock alone they would count as live until the next claim.
    let elapsed = EntryPlace.elapsed(at: latest, since: header.epoch)
    return parts.indices.reduce(0) { sum, part in
      guard part == 0 || table.isMapped(part: part) else { return sum }
      let end = table.load(headerAt: TableFormat.endOffset(ofPart: part))
      return end != 0 && latest >= end
        ? sum : sum + liveEntries(ofPart: part, parts[part].entryCount, elapsed, sample)
    }
  }

  private func liveEntries(ofPart part: Int, _ count: Int, _ elapsed: UInt64, _ sample: Int) -> Int {
    let looked = min(count, max(1, sample))
    let first = EntryNumber.first(ofPart: part)
    var live = 0
    for index in 0..<looked {
      let entry = looked == count ? index : Int((Double(index) + 0.5) * Double(count) / Double(looked))
      if !EntryPlace.isDead(table.load(entry: first + entry), after: elapsed) { live += 1 }
    }
    return looked == count ? live : Int((Double(live) * Double(count) / Double(looked)).rounded())
  }

  /// Renews the lease when half of it is over, so that no claim has to wait for the disk; looks whether the file is still
  /// where it was; and raises a warming table's floor if the clock was set forward. For a timer that comes every second or
  /// so. Where the file system is frozen or its disk hangs it waits, as claims do.
  ///
  /// A fault if the table is retired, which it becomes here when its file was deleted or replaced, or when the disk fails;
  /// and for as long as the system does not say whether the file is in its place.
  package func maintain(at now: Instant) throws(Fault) {
    guard !memory.isForked, !isRetired, now.millisecondsSinceEpoch >= 0 else { throw .replayMemoryUnavailable }
    try memory.checkPlace()
    _ = try memory.loadParts()
    let seconds = UInt64(now.millisecondsSinceEpoch) / 1000
    try memory.watchClocks(claimedNow: seconds)
    guard seconds &+ TableFormat.leaseSeconds / 2 >= memory.loadDurableLease() else { return }
    try memory.renewLease(at: seconds)
  }
}
