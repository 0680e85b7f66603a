public import CLinux
internal import Glibc

/// Owner of mapped memory, zero at first unless it is a file's (mmap(2)).
@safe package struct MappedMemory: ~Copyable, Sendable {
  // SAFETY: mapped in init and unmapped in deinit.
  /// Where it begins. Callers order their accesses among threads and processes, and keep this value alive.
  nonisolated(unsafe) package let start: UnsafeMutableRawPointer
  package let count: Int
  private let memoryGuard: MemoryGuard?

  package enum Source: Sendable {
    /// An open file from this place on, a multiple of the page's size; shared with all who map it.
    case file(Int32, from: Int)
    /// Memory that children of this process share.
    case shared
    /// Memory that children of this process have a copy of.
    case own
  }

  /// Maps this many bytes for reading and writing. `memoryGuard` guards them for as long as they are mapped.
  package init(_ count: Int, of source: Source, guardedBy memoryGuard: MemoryGuard? = nil) throws(SystemError) {
    let (flags, descriptor, offset): (Int32, Int32, Int) =
      switch source {
      case .file(let number, let offset): (MAP_SHARED, number, offset)
      case .shared: (MAP_SHARED | MAP_ANONYMOUS, -1, 0)
      case .own: (MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      }
    let mapped = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, flags, descriptor, offset)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { throw .last }
    unsafe start = mapped
    self.count = count
    self.memoryGuard = memoryGuard
    unsafe memoryGuard?.add(mapped, count)
  }

  deinit {
    unsafe memoryGuard?.remove(start)
    unsafe munmap(start, count)
  }

  /// msync(2) with MS_SYNC: waits until the first `bytes` are on the disk. After an error it is unknown which of them are.
  /// Not called again after a signal, as the system reports a failed write once.
  package func synchronise(first bytes: Int) throws(SystemError) {
    precondition(bytes >= 0 && bytes <= count)
    guard unsafe msync(start, bytes, MS_SYNC) == 0 else { throw .last }
  }

  /// madvise(2) with MADV_WIPEONFORK: in children of this process the memory will be zero. Private memory only.
  package func wipeOnFork() throws(SystemError) {
    guard unsafe madvise(start, count, MADV_WIPEONFORK) == 0 else { throw .last }
  }
}

/// Asks for a cache line, to be written. Nothing is read, and no page fault comes of it, wherever it points to.
@inlinable
@unsafe package func prefetchForWriting(_ address: UnsafeRawPointer) {
  unsafe mediatoken_prefetch(address)
}
