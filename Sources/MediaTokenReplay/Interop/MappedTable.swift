internal import MediaTokenSystem
internal import Synchronization

/// The mapped memory of a table: header, entries, retry words, and nothing that knows what they mean.
///
/// Atomics work on mapped memory, also between processes, as far as they are lock-free, which 64-bit ones are on every
/// platform that Swift has.
@safe final class MappedTable: Sendable {
  private let memory: MappedMemory
  // SAFETY: these point into the memory, which is this object's. All accesses are atomic, and their indices are checked.
  nonisolated(unsafe) private let base: UnsafeMutableRawPointer
  nonisolated(unsafe) private let entries: UnsafeMutablePointer<Atomic<UInt64>>
  nonisolated(unsafe) private let retryWords: UnsafeMutablePointer<Atomic<UInt64>>
  let bytes: Int
  let entryCount: Int

  /// Maps the whole of a file, which must be as long as the number of buckets demands, or anonymous memory.
  ///
  /// - Throws: what the system says.
  init(descriptor: Int32?, buckets: Int) throws(SystemError) {
    bytes = TableFormat.fileBytes(buckets: buckets)
    entryCount = buckets * TableFormat.entriesPerBucket
    memory = try MappedMemory(bytes, of: descriptor.map { .file($0, from: 0) } ?? .shared)
    unsafe base = memory.start
    unsafe entries = (base + TableFormat.headerBytes).assumingMemoryBound(to: Atomic<UInt64>.self)
    unsafe retryWords = entries + entryCount
  }

  // MARK: the header

  func load(_ field: TableFormat.Field) -> UInt64 {
    unsafe word(field).pointee.load(ordering: .sequentiallyConsistent)
  }

  func store(_ value: UInt64, _ field: TableFormat.Field) {
    unsafe word(field).pointee.store(value, ordering: .sequentiallyConsistent)
  }

  /// The field becomes the greater of itself and `value`. Returns whether it grew.
  @discardableResult
  func raise(_ field: TableFormat.Field, to value: UInt64) -> Bool {
    // Not Atomic.max: in Swift 6.3 it compares UInt64 as if it were signed, so that a table could not be retired, and a
    // retired one would come back to life.
    var current = load(field)
    while current < value {
      let attempt = unsafe word(field).pointee.compareExchange(
        expected: current, desired: value, ordering: .sequentiallyConsistent)
      if attempt.exchanged { return true }
      current = attempt.original
    }
    return false
  }

  /// The field becomes `desired` if it is still `expected`.
  func exchange(_ field: TableFormat.Field, _ expected: UInt64, _ desired: UInt64) {
    _ = unsafe word(field).pointee.compareExchange(
      expected: expected, desired: desired, ordering: .sequentiallyConsistent)
  }

  /// Waits until the header is on the disk.
  ///
  /// - Throws: what `msync` fails with; then it is unknown what is on the disk.
  func synchroniseHeader() throws(SystemError) { try memory.synchronise(first: TableFormat.headerBytes) }

  private func word(_ field: TableFormat.Field) -> UnsafeMutablePointer<Atomic<UInt64>> {
    unsafe (base + field.rawValue).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  // MARK: entries and retry words

  /// Asks for the cache line of an entry, to be written. Nothing is read, and no page fault comes of it.
  @inline(__always)
  func prefetch(entry: Int) {
    precondition(UInt(bitPattern: entry) < UInt(bitPattern: entryCount))
    unsafe prefetchForWriting(entries + entry)
  }

  @inline(__always)
  func load(entry: Int) -> UInt64 {
    precondition(UInt(bitPattern: entry) < UInt(bitPattern: entryCount))
    return unsafe entries[entry].load(ordering: .sequentiallyConsistent)
  }

  @inline(__always)
  func exchange(entry: Int, _ expected: UInt64, _ desired: UInt64) -> Bool {
    precondition(UInt(bitPattern: entry) < UInt(bitPattern: entryCount))
    return unsafe entries[entry].compareExchange(
      expected: expected, desired: desired, ordering: .sequentiallyConsistent
    ).exchanged
  }

  @inline(__always)
  func loadRetry(entry: Int) -> UInt64 {
    precondition(UInt(bitPattern: entry) < UInt(bitPattern: entryCount))
    return unsafe retryWords[entry].load(ordering: .sequentiallyConsistent)
  }

  @inline(__always)
  func storeRetry(entry: Int, _ word: UInt64) {
    precondition(UInt(bitPattern: entry) < UInt(bitPattern: entryCount))
    unsafe retryWords[entry].store(word, ordering: .sequentiallyConsistent)
  }
}
