internal import CLibJansson
internal import Glibc
internal import Synchronization

/// Counts the allocations of jansson that failed.
///
/// When the buffer of a string cannot grow, jansson 2.14 leaves the character out and goes on: the text that it then gives is another
/// one. So what was parsed while an allocation failed is not believed, whichever thread's it was.
enum JSONAllocations {
  private static let failed = Atomic<Int>(0)

  /// Counted from the first call on.
  static var failures: Int {
    _ = isCounting
    return failed.load(ordering: .sequentiallyConsistent)
  }

  private static let isCounting: Bool = {
    // SAFETY: jansson's memory comes from malloc before and after this, and goes back by free.
    unsafe json_set_alloc_funcs(
      { size in
        let memory = unsafe malloc(size)
        if unsafe memory == nil { JSONAllocations.failed.add(1, ordering: .sequentiallyConsistent) }
        return unsafe memory
      },
      { memory in unsafe free(memory) })
    return true
  }()
}
