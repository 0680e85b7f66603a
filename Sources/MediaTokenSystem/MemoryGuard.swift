internal import CMemoryGuard

/// Guards mapped files against SIGBUS, which the system sends where it cannot give a page of them: the disk failed, or has no
/// room for a page that is written to. It would end the process.
///
/// With a guard the access goes on in memory of this process alone, which is zero at first and takes the place of the whole
/// mapping, and ``broken`` says so from just before that on. So if it is 0 after some accesses, each of them was one to the
/// file.
@safe package final class MemoryGuard: Sendable {
  // SAFETY: it is this object's until deinit, and the C code never frees it.
  nonisolated(unsafe) private let guarded: OpaquePointer
  // SAFETY: a part of that.
  /// 0 for as long as every page is the file's. To be read atomically, by one who keeps this object alive.
  nonisolated(unsafe) package let broken: UnsafeMutablePointer<UInt64>

  package init() throws(SystemError) {
    guard let guarded = unsafe memory_guard_new() else { throw .last }
    unsafe self.guarded = guarded
    unsafe broken = memory_guard_broken(guarded)
  }

  deinit { unsafe memory_guard_end(guarded) }

  /// Guards a mapping too, of which there may be eight. One call at a time.
  func add(_ start: UnsafeMutableRawPointer, _ count: Int) {
    precondition(unsafe memory_guard_add(guarded, start, count) == 0)
  }

  /// Before it is unmapped.
  func remove(_ start: UnsafeMutableRawPointer) { unsafe memory_guard_remove(guarded, start) }
}
