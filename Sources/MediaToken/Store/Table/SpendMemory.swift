/// The memory that a spend reads and writes. Every call is one sequentially consistent access, or says what else it is.
protocol SpendMemory: ~Copyable {
  /// A fault of the table, or, in the model checker, the question which access comes next.
  associatedtype Failure: Error

  /// The second from which the ends of entries count. It never changes.
  var epoch: UInt64 { get }

  /// H: the highest clock of any claimer, in whole seconds since 1970.
  func loadHighest() throws(Failure) -> UInt64

  /// H := max(H, now). Returns whether it grew.
  func raiseHighest(to now: UInt64) throws(Failure) -> Bool

  /// The second that H may not reach without a renewal: as known to be on the disk, and as written.
  func loadDurableLease() throws(Failure) -> UInt64
  func raiseDurableLease(to lease: UInt64) throws(Failure)
  func raiseLease(to lease: UInt64) throws(Failure)

  /// Waits until the header is on the disk. If that fails the table is retired.
  func synchroniseHeader() throws(Failure)

  /// Looks whether the table's file is still where it was. If it is not the table is retired.
  func checkPlace() throws(Failure)

  /// The instant in milliseconds since 1970 from which on issued tokens can be vouched for.
  func loadVouchesFrom() throws(Failure) -> Int64
  func raiseVouchesFrom(to instant: Int64) throws(Failure)

  /// What a floor is above the clock that it is raised for, in milliseconds. It never changes.
  var floorMargin: Int64 { get }

  /// The end of the table's warming, in milliseconds of the boot clock; 0: it is not warming.
  func loadWarmingUntil() throws(Failure) -> UInt64

  /// The table is warming no longer, if that is still what was loaded.
  func endWarming(_ warmingUntil: UInt64) throws(Failure)

  /// The start of the machine by the wall clock, as known so far, in milliseconds since 1970.
  func loadMachineStart() throws(Failure) -> UInt64
  func raiseMachineStart(to instant: UInt64) throws(Failure)

  func readClocks() throws(Failure) -> Clocks

  /// All parts can be read afterwards.
  func loadParts() throws(Failure) -> Int

  /// It never changes.
  func buckets(ofPart part: Int) -> UInt64

  /// The second from which on all entries of a part are dead; 0: not known.
  func loadEnd(ofPart part: Int) throws(Failure) -> UInt64

  /// An entry, by its ``EntryNumber``.
  func load(_ entry: Int) throws(Failure) -> UInt64

  /// False if the entry is no longer `expected`.
  func exchange(_ entry: Int, _ expected: UInt64, _ desired: UInt64) throws(Failure) -> Bool

  /// The retry word that belongs to an entry.
  func loadRetry(_ entry: Int) throws(Failure) -> UInt64
  func storeRetry(_ entry: Int, _ word: UInt64) throws(Failure)
}

extension SpendMemory where Self: ~Copyable {
  /// Renews the lease: it is on the disk before anyone spends under it.
  func renewLease(at now: UInt64) throws(Failure) {
    let lease = now &+ TableFormat.leaseSeconds
    try raiseLease(to: lease)
    try synchroniseHeader()
    try raiseDurableLease(to: lease)
  }
}
