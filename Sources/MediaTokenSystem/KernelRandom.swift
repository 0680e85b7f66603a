internal import CLinux
internal import Glibc

package enum KernelRandom {
  /// Fills all of `words` (getrandom(2)) with one system call; `SystemRandomNumberGenerator` makes one for each.
  package static func fill(_ words: inout [UInt64]) {
    let size = MemoryLayout<UInt64>.stride
    var filled = 0
    while filled < words.count {
      // SAFETY: at most the rest of the array is written. A word that a signal left half written is written again.
      let count = unsafe words.withUnsafeMutableBytes { bytes in
        unsafe mediatoken_random(bytes.baseAddress?.advanced(by: filled * size), bytes.count - filled * size)
      }
      // It fails only if a signal arrives before the kernel's pool is ready.
      precondition(count >= 0 || errno == EINTR, "the system has no random numbers")
      filled += max(0, count) / size
    }
  }
}
