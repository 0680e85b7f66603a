internal import MediaTokenSystem
internal import Synchronization

/// The mapped memory of a table: header, entries and retry words, without their meaning.
///
/// Atomics work on mapped memory, also between processes, as far as they are lock-free, which 64-bit ones are on every
/// platform that Swift has.
@safe final class MappedTable: Sendable {
  private let memory: MappedMemory
  // SAFETY: these point into the memory, which is this object's. All accesses are atomic, and their indices are checked.
  nonisolated(unsafe) private let base: UnsafeMutableRawPointer
  nonisolated(unsafe) private let entries: UnsafeMutablePointer<Atomic<UInt64>>
  nonisolated(unsafe) private let retryWords: UnsafeMutablePointer<Atomic<UInt64>>
  private let memoryGuard: MemoryGuard
  // SAFETY: the guard's, which is zero at first.
  nonisolated(unsafe) private let broken: UnsafeMutablePointer<Atomic<UInt64>>
  let entryCount: Int
  /// The parts that came later, and for each its address and number of entries: none until it is mapped.
  private let later = Monitor<[MappedPart]>([])
  private let addresses = InlineArray<8, Atomic<UInt>> { _ in Atomic(0) }
  private let counts = InlineArray<8, Atomic<Int>> { _ in Atomic(0) }

  /// Maps header and first part of a file, which must be long enough, or anonymous memory.
  init(descriptor: Int32?, first part: TablePart) throws(SystemError) {
    entryCount = part.entryCount
    memoryGuard = try MemoryGuard()
    unsafe broken = UnsafeMutableRawPointer(memoryGuard.broken).assumingMemoryBound(to: Atomic<UInt64>.self)
    memory = try MappedMemory(
      part.end, of: descriptor.map { .file($0, from: 0) } ?? .shared, guardedBy: memoryGuard)
    unsafe base = memory.start
    unsafe entries = (base + part.offset).assumingMemoryBound(to: Atomic<UInt64>.self)
    unsafe retryWords = entries + entryCount
  }

  /// Maps a later part of the file, unless it is mapped. It stays so for as long as this object lives.
  func map(_ part: TablePart, number: Int, of descriptor: Int32) throws(SystemError) {
    if isMapped(part: number) { return }
    let failure = later.change { parts -> SystemError? in
      guard !isMapped(part: number) else { return nil }
      do throws(SystemError) {
        let mapping = MappedPart(
          try MappedMemory(part.bytes, of: .file(descriptor, from: part.offset), guardedBy: memoryGuard))
        parts.append(mapping)
        // The address comes last: a thread that sees it sees the count.
        counts[number].store(part.entryCount, ordering: .sequentiallyConsistent)
        addresses[number].store(unsafe UInt(bitPattern: mapping.memory.start), ordering: .sequentiallyConsistent)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// True if the disk failed under the mapping, or had no room for a page of it: bytes that were read then need not be in
  /// the file, and bytes that were written are not. It stays so. After the last access of a claim this is 0 only if each of
  /// them was one to the file.
  var isBroken: Bool { unsafe broken.pointee.load(ordering: .sequentiallyConsistent) != 0 }

  func isMapped(part: Int) -> Bool { part == 0 || addresses[part].load(ordering: .sequentiallyConsistent) != 0 }

  // MARK: the header

  func load(_ field: TableFormat.Field) -> UInt64 {
    unsafe word(field).pointee.load(ordering: .sequentiallyConsistent)
  }

  func store(_ value: UInt64, _ field: TableFormat.Field) {
    unsafe word(field).pointee.store(value, ordering: .sequentiallyConsistent)
  }

  /// Returns whether the field grew.
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

  func exchange(_ field: TableFormat.Field, _ expected: UInt64, _ desired: UInt64) {
    _ = unsafe word(field).pointee.compareExchange(
      expected: expected, desired: desired, ordering: .sequentiallyConsistent)
  }

  /// Waits until the header is on the disk. EIO if the header is not the file's any more. After an error it is unknown what
  /// is on the disk.
  func synchroniseHeader() throws(SystemError) {
    try memory.synchronise(first: TableFormat.headerBytes)
    if isBroken { throw .inputOutput }
  }

  private func word(_ field: TableFormat.Field) -> UnsafeMutablePointer<Atomic<UInt64>> {
    unsafe word(at: field.rawValue)
  }

  private func word(at offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    precondition(offset >= 0 && offset < TableFormat.headerBytes && offset % 8 == 0)
    return unsafe (base + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  func load(headerAt offset: Int) -> UInt64 {
    unsafe word(at: offset).pointee.load(ordering: .sequentiallyConsistent)
  }
  func store(_ value: UInt64, headerAt offset: Int) {
    unsafe word(at: offset).pointee.store(value, ordering: .sequentiallyConsistent)
  }

  // MARK: entries and retry words

  /// An entry of the first part is found without another look.
  private func entryWord(_ entry: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    if UInt(bitPattern: entry) < UInt(bitPattern: entryCount) { return unsafe entries + entry }
    return unsafe laterWord(entry, isRetryWord: false)
  }

  private func retryWord(_ entry: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    if UInt(bitPattern: entry) < UInt(bitPattern: entryCount) { return unsafe retryWords + entry }
    return unsafe laterWord(entry, isRetryWord: true)
  }

  @inline(never)
  private func laterWord(_ entry: Int, isRetryWord: Bool) -> UnsafeMutablePointer<Atomic<UInt64>> {
    let (part, index) = (EntryNumber.part(entry), EntryNumber.index(entry))
    precondition(part > 0 && part < TableFormat.mostParts)
    let address = addresses[part].load(ordering: .sequentiallyConsistent)
    let count = counts[part].load(ordering: .sequentiallyConsistent)
    // SAFETY: an address is that of a mapping which lives as long as this object, of `count` entries and retry words.
    guard address != 0, index < count, let start = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
      preconditionFailure("an entry that is not mapped")
    }
    return unsafe start.assumingMemoryBound(to: Atomic<UInt64>.self) + index + (isRetryWord ? count : 0)
  }

  /// Nothing is read, and no page fault comes of it.
  func prefetch(entry: Int) { unsafe prefetchForWriting(entryWord(entry)) }

  func load(entry: Int) -> UInt64 { unsafe entryWord(entry).pointee.load(ordering: .sequentiallyConsistent) }

  func exchange(entry: Int, _ expected: UInt64, _ desired: UInt64) -> Bool {
    unsafe entryWord(entry).pointee.compareExchange(
      expected: expected, desired: desired, ordering: .sequentiallyConsistent
    ).exchanged
  }

  func loadRetry(entry: Int) -> UInt64 { unsafe retryWord(entry).pointee.load(ordering: .sequentiallyConsistent) }

  func storeRetry(entry: Int, _ word: UInt64) {
    unsafe retryWord(entry).pointee.store(word, ordering: .sequentiallyConsistent)
  }
}

private final class MappedPart: Sendable {
  let memory: MappedMemory
  init(_ memory: consuming MappedMemory) { self.memory = memory }
}
