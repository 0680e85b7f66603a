/// The numbers of <doc:ReplayTableFormat>, version 2.
enum TableFormat {
  /// `MTREPLAY`, the first byte lowest.
  static let magic: UInt64 = 0x5941_4C50_4552_544D
  static let version: UInt64 = 2
  /// Bucket numbers have 32 bits.
  static let largestCapacity = 1 << 32

  /// The places of the header's numbers; all are 64 bits, the lowest byte first. Magic, version and H are there in every
  /// version, so that any version can retire another's table.
  enum Field: Int, CaseIterable {
    case magic = 0
    case version = 8
    /// H: the highest clock of any claimer in whole seconds since 1970.
    case highest = 16
    case bucketCount = 24
    case entriesPerBucket = 32
    case capacity = 40
    case epoch = 48
    case seedFirst = 56
    case seedSecond = 64
    case maxTTL = 72
    case expiryTolerance = 80
    case futureTolerance = 88
    case bootFirst = 96
    case bootSecond = 104
    case clean = 112
    /// The second that H may not reach without a renewal: as written, and as known to be on the disk.
    case lease = 120
    case durableLease = 128
    /// Milliseconds since 1970.
    case vouchesFrom = 136
    /// The last opener's clean close, in milliseconds since 1970; 0: never.
    case lastCleanClose = 144
    /// In a warming table, the machine's start by the wall clock, in milliseconds since 1970; raised when that clock is set
    /// forward.
    case machineStart = 152
    /// The end of the table's warming, in milliseconds of the boot clock; 0: it is not warming.
    case warmingUntil = 160
    /// The number of parts of entries. The numbers of each are at ``TableFormat/capacityOffset(ofPart:)`` and
    /// ``TableFormat/endOffset(ofPart:)``.
    case parts = 168
    /// The size to which the file may have been extended for a part that is not there yet.
    case reserved = 176
    /// The mounting of the disk on which the table was opened last; 0: not known.
    case mounting = 304
  }

  /// The place of the first entries: one page for the header, so that renewing the lease writes nothing else. Pages of 64
  /// KiB also have the first buckets, which a lease then writes too; nothing depends on that.
  static let headerBytes = 4096
  /// Each later part begins at a multiple of this: the largest page of Debian's kernels, on some of arm64 and ppc64el, so that
  /// every one of them can map it (mmap(2)).
  static let partAlignment = 65536
  /// Eight words: one cache line.
  static let entriesPerBucket = 8

  static let endBits: UInt64 = 28
  static let endMask: UInt64 = (1 << endBits) - 1
  static let tagMask: UInt64 = (1 << 36) - 1

  /// The value of H in a retired table, at which everything is refused.
  static let retired = UInt64.max

  /// The seconds by which a renewal puts the lease ahead.
  static let leaseSeconds: UInt64 = 15
  /// Added to the floor in addition to the future tolerance, in milliseconds: the clocks of one host may differ by this.
  static let floorMarginMilliseconds: Int64 = 6000

  /// Live entries per slot at the rated load: one in two.
  static func buckets(forCapacity capacity: Int) -> Int {
    max(2, (capacity * 2 + entriesPerBucket - 1) / entriesPerBucket)
  }
}
