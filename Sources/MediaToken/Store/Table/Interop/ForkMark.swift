package import MediaTokenSystem
internal import Synchronization

/// Tells whether this process is the one that opened a table, or a child that was forked since.
///
/// A child shares the opener's file lock, so it can neither hold the table open nor leave it by itself: it must open the
/// table for itself. The mark is on a page of its own that the kernel wipes in children, so looking costs one load and
/// no system call.
@safe package final class ForkMark: Sendable {
  private let page: MappedMemory
  // SAFETY: the page is this object's, and zero at first, which is an atomic zero.
  nonisolated(unsafe) private let mark: UnsafeMutablePointer<Atomic<UInt64>>

  /// Linux has the advice since 4.14.
  package init() throws(SystemError) {
    let page = try MappedMemory(4096, of: .own)
    try page.wipeOnFork()
    unsafe mark = page.start.assumingMemoryBound(to: Atomic<UInt64>.self)
    unsafe mark.pointee.store(1, ordering: .sequentiallyConsistent)
    self.page = page
  }

  package var isForked: Bool { unsafe mark.pointee.load(ordering: .sequentiallyConsistent) == 0 }
}
