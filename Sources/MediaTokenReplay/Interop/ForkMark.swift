internal import Glibc
package import MediaToken
internal import Synchronization

/// Knows whether this process is the one that opened a table, or a child that was forked since.
///
/// A child shares the opener's file lock, so it can neither hold the table open nor leave it by itself: it must open the
/// table for itself. The mark stands on a page of its own that the kernel wipes in children (madvise(2),
/// `MADV_WIPEONFORK`), so looking costs one load and no system call.
@safe package final class ForkMark: Sendable {
  // SAFETY: mapped in init and unmapped in deinit; a mapped page is zero, which is an atomic zero.
  nonisolated(unsafe) private let mark: UnsafeMutablePointer<Atomic<UInt64>>
  private static let pageBytes = 4096

  /// - Throws: the system's error; Linux has the advice since 4.14.
  package init() throws(SystemError) {
    let page = unsafe mmap(nil, Self.pageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let page = unsafe page, unsafe page != MAP_FAILED else { throw SystemError(code: errno) }
    guard unsafe madvise(page, Self.pageBytes, MADV_WIPEONFORK) == 0 else {
      let error = SystemError(code: errno)
      unsafe munmap(page, Self.pageBytes)
      throw error
    }
    unsafe mark = page.assumingMemoryBound(to: Atomic<UInt64>.self)
    unsafe mark.pointee.store(1, ordering: .sequentiallyConsistent)
  }

  deinit { unsafe munmap(mark, Self.pageBytes) }

  /// Whether this process was forked from the one that made the mark.
  package var isForked: Bool { unsafe mark.pointee.load(ordering: .sequentiallyConsistent) == 0 }
}
