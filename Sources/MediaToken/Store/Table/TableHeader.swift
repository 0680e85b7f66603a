internal import MediaTokenSystem

/// The numbers of a table's header that never change.
struct TableHeader: Sendable, Redacted {
  /// The first part; later ones can still be added.
  let first: TablePart
  let epoch: UInt64
  let seed: (UInt64, UInt64)
  let maxTTL: Int64
  let expiryTolerance: Int64
  let futureTolerance: Int64

  init(capacity: Int, policy: Policy, now: Int64, path: String) throws(Problem) {
    guard (1...TableFormat.largestCapacity).contains(capacity) else {
      throw TableProblem.badCapacity(capacity).of(table: path)
    }
    first = TablePart(firstOfCapacity: capacity)
    // A second earlier than any clock of this table, so that an end is never zero.
    epoch = UInt64(max(1, now / 1000)) - 1
    seed = (.random(in: 0...UInt64.max), .random(in: 0...UInt64.max))
    maxTTL = policy.maxTTLMilliseconds
    expiryTolerance = policy.expiryToleranceMilliseconds
    futureTolerance = policy.futureToleranceMilliseconds
  }

  /// An error if a number in the header is impossible, or the file does not have the size that it says.
  init(reading table: HeaderBytes, size: Int, path: String) throws(Problem) {
    guard size >= TableFormat.headerBytes, table[.magic] == TableFormat.magic else {
      throw TableProblem.notATable(path).of(table: path)
    }
    guard table[.version] == TableFormat.version else {
      throw TableProblem.version(table[.version]).of(table: path)
    }
    let buckets = table[.bucketCount]
    guard table[.entriesPerBucket] == TableFormat.entriesPerBucket, buckets >= 2, buckets < 1 << 32 else {
      throw TableProblem.brokenHeader("geometry").of(table: path)
    }
    guard let parts = table.parts, let last = parts.last, parts[0].buckets == Int(buckets) else {
      throw TableProblem.brokenHeader("capacity").of(table: path)
    }
    // Growth that was cut off may have left it longer.
    guard size >= last.end, size == last.end || size <= Int(clamping: table[.reserved]) else {
      throw TableProblem.size(expected: last.end, found: size).of(table: path)
    }
    first = parts[0]
    epoch = table[.epoch]
    seed = (table[.seedFirst], table[.seedSecond])
    (maxTTL, expiryTolerance, futureTolerance) = (
      Int64(bitPattern: table[.maxTTL]), Int64(bitPattern: table[.expiryTolerance]),
      Int64(bitPattern: table[.futureTolerance])
    )
    let span = 0...Limits.policySpanMilliseconds
    guard maxTTL > 0, span.contains(maxTTL), span.contains(expiryTolerance), span.contains(futureTolerance) else {
      throw TableProblem.brokenHeader("tolerances").of(table: path)
    }
    guard epoch < 1 << 40 else { throw TableProblem.brokenHeader("epoch").of(table: path) }
  }

  /// H and lease begin now. The table is on the disk before it is published, so the lease is durable: claims that are no
  /// later than this H renew none.
  func write(to table: MappedTable, vouchesFrom: Int64) {
    table.store(UInt64(first.buckets), .bucketCount)
    table.store(UInt64(TableFormat.entriesPerBucket), .entriesPerBucket)
    table.store(UInt64(first.capacity), .capacity)
    table.store(1, .parts)
    table.store(UInt64(first.end), .reserved)
    table.store(epoch, .epoch)
    table.store(seed.0, .seedFirst)
    table.store(seed.1, .seedSecond)
    table.store(UInt64(bitPattern: maxTTL), .maxTTL)
    table.store(UInt64(bitPattern: expiryTolerance), .expiryTolerance)
    table.store(UInt64(bitPattern: futureTolerance), .futureTolerance)
    table.store(UInt64(bitPattern: vouchesFrom), .vouchesFrom)
    table.store(epoch + 1, .highest)
    table.store(epoch + 1 + TableFormat.leaseSeconds, .lease)
    table.store(epoch + 1 + TableFormat.leaseSeconds, .durableLease)
    // Nothing was spent: as good as closed cleanly.
    table.store(1, .clean)
    table.store(TableFormat.version, .version)
    table.store(TableFormat.magic, .magic)
  }

  /// Refuses if tokens would be accepted for longer than the table remembers them.
  func check(covers policy: Policy, _ path: String) throws(Problem) {
    guard let excess = tolerances.excess(of: policy) else { return }
    throw TableProblem.tolerance(excess.setting, table: excess.promised, policy: excess.wanted, path).of(
      table: path)
  }

  /// The end of a token's entry: a function of token and table alone, and not of the claimer. Nil if it does not fit.
  func until(_ claim: UseClaim) -> UInt64? {
    let life = min(claim.ttlMilliseconds, maxTTL)
    let (end, overflow) = claim.issueTime.millisecondsSinceEpoch.addingReportingOverflow(
      life + expiryTolerance + 999)
    guard !overflow, life >= 0 else { return nil }
    // An end long ago must not be zero, which marks an empty entry. H is past it in any case.
    let until = UInt64(max(0, end / 1000))
    guard until > epoch else { return epoch }
    return until - epoch <= TableFormat.endMask ? until : nil
  }

  /// True if a floor that is raised above this claim's clock is above its token too: the verifier checks that already, and
  /// the floor relies on it.
  func covers(_ claim: UseClaim) -> Bool {
    let (ahead, overflow) = claim.issueTime.millisecondsSinceEpoch.subtractingReportingOverflow(
      claim.now.millisecondsSinceEpoch)
    return !overflow && ahead <= futureTolerance + TableFormat.floorMarginMilliseconds
  }

  /// The moment from which on a table can vouch for tokens if everything before `milliseconds` may be lost.
  func floor(above milliseconds: Int64) -> Int64 {
    milliseconds + futureTolerance + TableFormat.floorMarginMilliseconds
  }

  /// The least floor when no process has the table open; nil if it may stay.
  ///
  /// In the boot in which it was opened last nothing can be lost, unless its file system failed and was mounted again, and
  /// a warming table's clocks can be compared. After another boot spends may be lost unless the table was closed cleanly, and
  /// a warming table's clock may have been set in between.
  func floorAtOpening(
    isOfThisBoot: Bool, isRemounted: Bool, isClean: Bool, isWarming: Bool, lease: UInt64, now: Int64
  ) -> Int64? {
    if isOfThisBoot ? isClean || !isRemounted : isClean && !isWarming { return nil }
    return floor(afterLossWithLease: lease, now: now)
  }

  /// The moment from which on it can after the machine went down: every spend that may be lost had a clock below the lease
  /// on the disk, whatever the clock says now.
  func floor(afterLossWithLease lease: UInt64, now: Int64) -> Int64 {
    floor(above: max(now, min(Int64(clamping: lease), Int64.max / 2000) * 1000))
  }
}
