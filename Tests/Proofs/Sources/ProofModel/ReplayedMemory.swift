/// One access to shared memory.
enum Access: Hashable {
  case loadHighest
  case raiseHighest(UInt64)
  case loadDurableLease
  case raiseDurableLease(UInt64)
  case raiseLease(UInt64)
  case synchroniseHeader
  case load(Int)
  case exchange(Int, expected: UInt64, desired: UInt64)
  case loadRetry(Int)
  case storeRetry(Int, UInt64)
  case loadVouchesFrom
  case raiseVouchesFrom(Int64)
  case loadWarmingUntil
  case endWarming(UInt64)
  case loadMachineStart
  case raiseMachineStart(UInt64)
  case readClocks
  case loadParts
  case storeParts(Int)
  case loadEnd(part: Int)
  case storeEnd(part: Int, UInt64)
}

/// The first access of a spend that has not happened yet.
struct Pending: Error {
  let access: Access
}

/// Memory in which a spend goes once more through the accesses that it made already, is given the same answers, and is
/// stopped at the first new one. So the real algorithm is advanced one access at a time, and can be left there for ever.
final class ReplayedMemory: SpendMemory {
  typealias Failure = Pending

  let epoch: UInt64
  let floorMargin: Int64
  private let scenario: Scenario
  private var record = Record()
  private var next = 0
  private var vouchesFrom: Int64 = 0

  init(_ scenario: Scenario) {
    self.scenario = scenario
    (epoch, floorMargin) = (scenario.header.epoch, scenario.header.floor(above: 0))
  }

  /// What a spend comes to after these answers, or the access that it wants next.
  func advance(_ spend: Spend, _ record: Record, vouchesFrom: Int64) -> Result<Spend.Answer, Pending> {
    self.record = record
    self.vouchesFrom = vouchesFrom
    next = 0
    do throws(Pending) {
      return .success(try spend.run(in: self))
    } catch {
      return .failure(error)
    }
  }

  /// The recorded answer to the next access.
  @inline(__always)
  private func answer(_ access: @autoclosure () -> Access) throws(Pending) -> UInt8 {
    guard next < record.count else { throw Pending(access: access()) }
    next += 1
    return record[next - 1]
  }

  func loadHighest() throws(Pending) -> UInt64 { scenario.second(try answer(.loadHighest)) }
  func raiseHighest(to now: UInt64) throws(Pending) -> Bool { try answer(.raiseHighest(now)) != 0 }
  func loadDurableLease() throws(Pending) -> UInt64 { scenario.second(try answer(.loadDurableLease)) }
  func raiseDurableLease(to lease: UInt64) throws(Pending) { _ = try answer(.raiseDurableLease(lease)) }
  func raiseLease(to lease: UInt64) throws(Pending) { _ = try answer(.raiseLease(lease)) }
  func synchroniseHeader() throws(Pending) { _ = try answer(.synchroniseHeader) }
  func checkPlace() {}

  /// Where the table is not warming the floor changes only while there are no claims: no access to interleave.
  func loadVouchesFrom() throws(Pending) -> Int64 {
    guard scenario.isWarming else { return vouchesFrom }
    return scenario.instant(ofFloor: try answer(.loadVouchesFrom))
  }
  func raiseVouchesFrom(to instant: Int64) throws(Pending) { _ = try answer(.raiseVouchesFrom(instant)) }

  func loadWarmingUntil() throws(Pending) -> UInt64 {
    scenario.isWarming ? UInt64(try answer(.loadWarmingUntil)) * 1000 : 0
  }
  func endWarming(_ warmingUntil: UInt64) throws(Pending) { _ = try answer(.endWarming(warmingUntil)) }
  func loadMachineStart() throws(Pending) -> UInt64 { scenario.machineStart(try answer(.loadMachineStart)) }
  func raiseMachineStart(to instant: UInt64) throws(Pending) { _ = try answer(.raiseMachineStart(instant)) }
  func readClocks() throws(Pending) -> Clocks { scenario.clocks(try answer(.readClocks)) }

  /// Where the table does not grow it has one part.
  func loadParts() throws(Pending) -> Int { scenario.grows ? Int(try answer(.loadParts)) : 1 }
  func buckets(ofPart part: Int) -> UInt64 { UInt64(scenario.parts[part].buckets) }
  func loadEnd(ofPart part: Int) throws(Pending) -> UInt64 { scenario.end(try answer(.loadEnd(part: part))) }

  /// Entries that never change are answered at once, for the same reason.
  func load(_ entry: Int) throws(Pending) -> UInt64 {
    guard scenario.isOpen(entry) else { return scenario.lasting }
    return scenario.word(try answer(.load(entry)))
  }

  func exchange(_ entry: Int, _ expected: UInt64, _ desired: UInt64) throws(Pending) -> Bool {
    precondition(scenario.isOpen(entry), "a live entry was to be overwritten")
    return try answer(.exchange(entry, expected: expected, desired: desired)) != 0
  }

  func loadRetry(_ entry: Int) throws(Pending) -> UInt64 { scenario.word(try answer(.loadRetry(entry))) }
  func storeRetry(_ entry: Int, _ word: UInt64) throws(Pending) { _ = try answer(.storeRetry(entry, word)) }
}

/// The same for the moment in which a table grows.
final class ReplayedGrowth: GrowthMemory {
  typealias Failure = Pending

  private let scenario: Scenario
  private var record = Record()
  private var next = 0

  init(_ scenario: Scenario) { self.scenario = scenario }

  /// The access that growth wants after these answers; nil if it is done.
  func advance(_ record: Record) -> Access? {
    self.record = record
    next = 0
    do throws(Pending) {
      try addPart(to: 1, longestLife: Warming.length(scenario.header) / 1000 + 2)
      return nil
    } catch {
      return error.access
    }
  }

  private func answer(_ access: Access) throws(Pending) -> UInt8 {
    guard next < record.count else { throw Pending(access: access) }
    next += 1
    return record[next - 1]
  }

  func loadHighest() throws(Pending) -> UInt64 { scenario.second(try answer(.loadHighest)) }
  func storeParts(_ count: Int) throws(Pending) { _ = try answer(.storeParts(count)) }
  func loadEnd(ofPart part: Int) throws(Pending) -> UInt64 { scenario.end(try answer(.loadEnd(part: part))) }
  func storeEnd(ofPart part: Int, _ end: UInt64) throws(Pending) { _ = try answer(.storeEnd(part: part, end)) }
}
